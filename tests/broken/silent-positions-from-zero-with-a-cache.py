import torch
import torch.nn as nn

torch.manual_seed(0)


class TinyGPT(nn.Module):
    def __init__(self, vocab=20, d=16, max_len=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(max_len, d)
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.head = nn.Linear(d, vocab)
        self.d = d

    def forward(self, ids, cache=None):
        B, T = ids.shape
        x = self.tok(ids) + self.pos(torch.arange(T))
        q, k, v = self.q(x), self.k(x), self.v(x)
        if cache is not None:
            k = torch.cat([cache[0], k], dim=1)
            v = torch.cat([cache[1], v], dim=1)
        scores = q @ k.transpose(-2, -1) / self.d ** 0.5
        if T > 1:
            scores = scores.masked_fill(torch.ones(T, T).triu(1) == 1, float("-inf"))
        return self.head(torch.softmax(scores, dim=-1) @ v), (k, v)


model = TinyGPT()
ids = torch.tensor([[3, 1, 4]])
with torch.no_grad():
    logits, cache = model(ids)
    for _ in range(4):
        next_id = logits[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, next_id], dim=1)
        logits, cache = model(next_id, cache)
print(ids)
# right 18:         past = 0 if cache is None else cache[0].size(1); x = self.tok(ids) + self.pos(torch.arange(past, past + T))
