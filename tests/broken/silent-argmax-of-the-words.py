# How many words are right.
import torch, torch.nn as nn
torch.manual_seed(13)
B, T, V = 3, 5, 5
emb, lin = nn.Embedding(V, 8), nn.Linear(8, V)
x = torch.randint(0, V, (B, T)); y = torch.randint(0, V, (B, T))
h = emb(x)
logits = lin((h @ h.transpose(1, 2) / 8 ** .5).softmax(-1) @ h)
acc = (logits.argmax(1) == y).float().mean()
print(acc)
# right 9: acc = (logits.argmax(-1) == y).float().mean()
