import torch, torch.nn as nn, torch.nn.functional as F, math
torch.manual_seed(1337)
text = "hello world, attention is all you need. " * 20
chars = sorted(set(text)); stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
T, B, C, H = 8, 4, 32, 4
def batch():
    ix = torch.randint(len(data) - T, (B,))
    return torch.stack([data[i:i+T] for i in ix]), torch.stack([data[i+1:i+T+1] for i in ix])
class Head(nn.Module):
    def __init__(self, hs):
        super().__init__()
        self.key = nn.Linear(C, hs, bias=False)
        self.query = nn.Linear(C, hs, bias=False)
        self.value = nn.Linear(C, hs, bias=False)
        self.register_buffer('tril', torch.tril(torch.ones(T, T)))
        self.dropout = nn.Dropout(0.1)
    def forward(self, x):
        B, T, C = x.shape
        k, q = self.key(x), self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))
        wei = self.dropout(F.softmax(wei, dim=-1))
        return wei @ self.value(x)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([Head(C // H) for _ in range(H)])
        self.proj = nn.Linear(C, C)
        self.net = nn.Sequential(nn.Linear(C, 4 * C), nn.ReLU(), nn.Linear(4 * C, C))
        self.ln1, self.ln2 = nn.LayerNorm(C), nn.LayerNorm(C)
    def forward(self, x):
        h = self.ln1(x)
        x = x + self.proj(torch.cat([head(h) for head in self.heads], dim=-1))
        return x + self.net(self.ln2(x))
class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(len(chars), C), nn.Embedding(T, C)
        self.blocks = nn.Sequential(Block(), Block())
        self.ln, self.head = nn.LayerNorm(C), nn.Linear(C, len(chars))
    def forward(self, idx, targets=None):
        B, T = idx.shape
        x = self.tok(idx) + self.pos(torch.arange(T))
        logits = self.head(self.ln(self.blocks(x)))
        if targets is None:
            return logits, None
        B, T, V = logits.shape
        return logits, F.cross_entropy(logits.view(B * T, V), targets.view(B * T))
m = GPT()
print(sum(p.numel() for p in m.parameters()))
opt = torch.optim.AdamW(m.parameters(), lr=1e-3)
for i in range(60):
    xb, yb = batch()
    logits, loss = m(xb, yb)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if i % 10 == 0 or i == 59:
        print(i, f'{loss.item():.4f}')
