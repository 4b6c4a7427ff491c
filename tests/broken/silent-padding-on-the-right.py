import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
PAD, vocab, d = 0, 20, 16


class TinyLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(vocab, d, padding_idx=PAD)
        self.pos = nn.Embedding(32, d)
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.head = nn.Linear(d, vocab)

    def forward(self, ids):
        B, T = ids.shape
        x = self.emb(ids) + self.pos(torch.arange(T))
        scores = self.q(x) @ self.k(x).transpose(-2, -1) / d ** 0.5
        causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        scores = scores.masked_fill(causal, float("-inf"))
        scores = scores.masked_fill((ids == PAD)[:, None, :], float("-inf"))
        return self.head(torch.softmax(scores, dim=-1) @ self.v(x))


prompts = [[5, 3, 9, 2], [7, 1]]
longest = max(len(p) for p in prompts)
batch = torch.tensor([p + [PAD] * (longest - len(p)) for p in prompts])
model = TinyLM().eval()
with torch.no_grad():
    logits = model(batch)
    next_id = logits[:, -1].argmax(-1)
print(next_id)
# right 33:     next_id = logits[torch.arange(2), (batch != PAD).sum(1) - 1].argmax(-1)
