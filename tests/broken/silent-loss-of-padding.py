# Next words of two texts, one of them short.
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(13)
PAD = 0
ids = torch.tensor([[4, 5, 6, 0, 0, 0], [7, 8, 9, 3, 2, 1]])
x, y = ids[:, :-1], ids[:, 1:]
emb, lin = nn.Embedding(10, 8, padding_idx=PAD), nn.Linear(8, 10)
h = emb(x)
T = x.size(1)
s = h @ h.transpose(1, 2) / 8 ** .5
s = s.masked_fill(torch.triu(torch.ones(T, T), 1).bool(), -1e9)
s = s.masked_fill((x == PAD)[:, None, :], -1e9)
logits = lin(s.softmax(-1) @ h)
loss = F.cross_entropy(logits.reshape(-1, 10), y.reshape(-1))
print(loss)
# right 14: loss = F.cross_entropy(logits.reshape(-1, 10), y.reshape(-1), ignore_index=PAD)
