import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
# seq2seq with GRU and attention on reversing digits
V, H, L = 12, 16, 5
src = torch.randint(2, V, (64, L)); tgt = src.flip(1)
class Enc(nn.Module):
    def __init__(self):
        super().__init__(); self.emb = nn.Embedding(V, H); self.gru = nn.GRU(H, H, batch_first=True)
    def forward(self, x): return self.gru(self.emb(x))
class Dec(nn.Module):
    def __init__(self):
        super().__init__(); self.emb = nn.Embedding(V, H); self.gru = nn.GRU(2 * H, H, batch_first=True); self.fc = nn.Linear(H, V); self.W = nn.Linear(2 * H, H); self.v = nn.Linear(H, 1, bias=False)
    def forward(self, y, h, enc):
        outs = []
        for t in range(y.size(1)):
            q = h[-1].unsqueeze(1).expand(-1, enc.size(1), -1)
            e = self.v(torch.tanh(self.W(torch.cat([q, enc], -1)))).squeeze(-1)
            a = F.softmax(e, dim=-1)
            c = torch.bmm(a.unsqueeze(1), enc)
            o, h = self.gru(torch.cat([self.emb(y[:, t:t+1]), c], -1), h)
            outs.append(self.fc(o))
        return torch.cat(outs, 1)
enc, dec = Enc(), Dec()
params = list(enc.parameters()) + list(dec.parameters())
opt = torch.optim.Adam(params, lr=0.01)
sched = torch.optim.lr_scheduler.StepLR(opt, 3, 0.5)
crit = nn.CrossEntropyLoss(ignore_index=0)
for epoch in range(5):
    total = 0
    for x, y in DataLoader(TensorDataset(src, tgt), batch_size=16, shuffle=True):
        yin = torch.cat([torch.ones(len(y), 1, dtype=torch.long), y[:, :-1]], 1)
        out, h = enc(x)
        logits = dec(yin, h, out)
        loss = crit(logits.reshape(-1, V), y.reshape(-1))
        opt.zero_grad(); loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        total += loss.item()
    sched.step()
    print(epoch, round(total / 4, 4), sched.get_last_lr())
