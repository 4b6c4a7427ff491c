import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
vocab, width = 15, 8
emb, head = nn.Embedding(vocab, width), nn.Linear(width, vocab)


@torch.no_grad()
def generate(idx, n, temperature=0.5):
    for _ in range(n):
        logits = head(emb(idx))[:, -1, :]
        probs = F.softmax(logits, dim=-1) / temperature
        idx_next = torch.multinomial(probs, num_samples=1)
        idx = torch.cat((idx, idx_next), dim=1)
    return idx


print(generate(torch.zeros((1, 1), dtype=torch.long), 10))
# right 14:         probs = F.softmax(logits / temperature, dim=-1)
