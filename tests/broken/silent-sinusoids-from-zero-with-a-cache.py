import torch
import torch.nn as nn
import math

torch.manual_seed(0)


class TinyGPT(nn.Module):
    def __init__(self, vocab=20, d=16, max_len=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        pe = torch.zeros(max_len, d)
        position = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
        pe[:, 0::2] = torch.sin(position * div)
        pe[:, 1::2] = torch.cos(position * div)
        self.register_buffer("pe", pe.unsqueeze(0))
        self.norm = nn.LayerNorm(d)
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.head = nn.Linear(d, vocab)
        self.d = d
        self.k_cache = None
        self.v_cache = None

    def forward(self, ids):
        x = self.tok(ids) * math.sqrt(self.d)
        x = x + self.pe[:, :x.size(1)]
        h = self.norm(x)
        q, k, v = self.q(h), self.k(h), self.v(h)
        if self.k_cache is not None:
            k = torch.cat([self.k_cache, k], dim=1)
            v = torch.cat([self.v_cache, v], dim=1)
        self.k_cache, self.v_cache = k, v
        scores = q @ k.transpose(-2, -1) / self.d ** 0.5
        return self.head(torch.softmax(scores, dim=-1) @ v)


model = TinyGPT()
ids = [3]
with torch.no_grad():
    for _ in range(5):
        logits = model(torch.tensor([[ids[-1]]]))
        ids.append(logits[0, -1].argmax().item())
print(ids)
# right 27:         past = 0 if self.k_cache is None else self.k_cache.size(1); x = x + self.pe[:, past:past + x.size(1)]
