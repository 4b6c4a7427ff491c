# The loss of each next word.
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(14)
B, T, V = 2, 4, 7
emb, lin = nn.Embedding(V, 8), nn.Linear(8, V)
x = torch.randint(0, V, (B, T)); y = torch.randint(0, V, (B, T))
logits = lin(emb(x))
loss = F.cross_entropy(logits.view(B, V, T), y)
print(loss)
# right 8: loss = F.cross_entropy(logits.transpose(1, 2), y)
