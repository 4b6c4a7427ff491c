import torch, torch.nn as nn, torch.nn.functional as F, math
torch.manual_seed(0)
class EncDec(nn.Module):
    def __init__(self, V=12, d=16, h=4):
        super().__init__()
        self.e = nn.Embedding(V, d)
        self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, h, 32, batch_first=True), 2)
        self.self_attn = nn.MultiheadAttention(d, h, batch_first=True)
        self.cross = nn.MultiheadAttention(d, h, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.out = nn.Linear(d, V)
    def forward(self, src, tgt, pad):
        m = self.enc(self.e(src), src_key_padding_mask=pad)
        x = self.e(tgt)
        T = tgt.size(1)
        causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        x = self.n1(x + self.self_attn(x, x, x, attn_mask=causal, need_weights=False)[0])
        x = self.n2(x + self.cross(x, m, m, key_padding_mask=pad)[0])
        return self.out(x)
model = EncDec()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 1)
src = torch.randint(1, 12, (3, 5)); src[0, 3:] = 0
tgt = torch.randint(1, 12, (3, 5))
for i in range(3):
    opt.zero_grad()
    logits = model(src, tgt[:, :-1], src == 0)
    loss = F.cross_entropy(logits.reshape(-1, 12), tgt[:, 1:].reshape(-1), ignore_index=0)
    loss.backward()
    opt.step(); sched.step()
model.eval()
with torch.no_grad():
    ys = torch.ones(3, 1).long()
    for i in range(4):
        nxt = model(src, ys, src == 0)[:, -1].argmax(-1, keepdim=True)
        ys = torch.cat([ys, nxt], 1)
print(ys)
