import torch
import torch.nn as nn
import torch.nn.functional as F

class Head(nn.Module):
    def __init__(self, n_embd, head_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
    def forward(self, x):
        T = x.shape[1]
        k, q, v = self.key(x), self.query(x), self.value(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(torch.tril(torch.ones(T, T)) == 0, float('-inf'))
        return F.softmax(wei, dim=-1) @ v

class Model(nn.Module):
    def __init__(self, vocab, n_embd, n_head):
        super().__init__()
        self.emb = nn.Embedding(vocab, n_embd)
        self.heads = [Head(n_embd, n_embd // n_head) for _ in range(n_head)]
        self.lm_head = nn.Linear(n_embd, vocab)
    def forward(self, idx):
        x = self.emb(idx)
        x = x + torch.cat([h(x) for h in self.heads], dim=-1)
        return self.lm_head(x)

torch.manual_seed(1337)
model = Model(20, 16, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
xb = torch.randint(0, 20, (4, 8))
yb = torch.roll(xb, -1, dims=1)
for it in range(40):
    logits = model(xb)
    loss = F.cross_entropy(logits.view(-1, 20), yb.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
# right 22:         self.heads = nn.ModuleList([Head(n_embd, n_embd // n_head) for _ in range(n_head)])
