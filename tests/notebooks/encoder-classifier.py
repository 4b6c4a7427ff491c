import torch, torch.nn as nn, math
torch.manual_seed(42)
class PE(nn.Module):
    def __init__(self, d, n=50):
        super().__init__()
        pe = torch.zeros(n, d); pos = torch.arange(0, n, dtype=torch.float).unsqueeze(1)
        div = torch.exp(torch.arange(0, d, 2).float() * (-math.log(10000.0) / d))
        pe[:, 0::2] = torch.sin(pos * div); pe[:, 1::2] = torch.cos(pos * div)
        self.register_buffer('pe', pe.unsqueeze(0))
    def forward(self, x): return x + self.pe[:, :x.size(1)]
class Clf(nn.Module):
    def __init__(self, vocab=20, d=16, heads=2, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, d, padding_idx=0); self.pe = PE(d)
        self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, heads, 32, dropout=0.0, batch_first=True), layers)
        self.fc = nn.Linear(d, 2)
    def forward(self, x):
        h = self.enc(self.pe(self.emb(x) * math.sqrt(16)), src_key_padding_mask=(x == 0))
        return self.fc(h.mean(dim=1))
x = torch.randint(1, 20, (32, 7)); x[::3, 5:] = 0
y = (x == 7).any(1).long()
m = Clf(); opt = torch.optim.AdamW(m.parameters(), lr=1e-2, betas=(0.9, 0.98), eps=1e-9)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) ** -0.5, (s + 1) * 10 ** -1.5))
m.train()
for i in range(30):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(m(x), y)
    loss.backward(); opt.step(); sched.step()
    if i % 5 == 0: print(i, f'{loss.item():.5f}', f'{opt.param_groups[0]["lr"]:.5f}')
m.eval()
with torch.no_grad():
    print((m(x).argmax(-1) == y).float().mean())
