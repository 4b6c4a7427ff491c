import torch
import torch.nn as nn
import torch.nn.functional as F


class TinyLM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.tok_emb = nn.Embedding(vocab, dim)
        self.ln_f = nn.LayerNorm(dim)
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.lm_head = nn.Linear(dim, vocab, bias=False)
        self.lm_head.weight = nn.Parameter(self.tok_emb.weight.clone())  # weight tying

    def forward(self, idx):
        T = idx.size(1)
        x = self.tok_emb(idx)
        s = self.q(x) @ self.k(x).transpose(1, 2) / x.size(-1) ** 0.5
        s = s.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf"))
        return self.lm_head(self.ln_f(x + s.softmax(dim=-1) @ self.v(x)))


torch.manual_seed(0)
model = TinyLM(30, 16)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
data = torch.randint(0, 30, (4, 9))
for step in range(3):
    loss = F.cross_entropy(model(data[:, :-1]).reshape(-1, 30), data[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# right 13:         self.lm_head.weight = self.tok_emb.weight  # weight tying
