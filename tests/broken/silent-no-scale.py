import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 5, 16)
query, key, value = nn.Linear(16, 64), nn.Linear(16, 64), nn.Linear(16, 64)
scores = query(x) @ key(x).transpose(-2, -1)
weights = F.softmax(scores, dim=-1)
print((weights @ value(x)).shape)
# right 9: weights = F.softmax(scores / 64 ** 0.5, dim=-1)
