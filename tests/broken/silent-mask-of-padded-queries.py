import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
x = torch.randn(2, 5, 16)
q, k, v = nn.Linear(16, 16)(x), nn.Linear(16, 16)(x), nn.Linear(16, 16)(x)
d_k = 16
mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
scores = q @ k.transpose(-2, -1) / math.sqrt(d_k)
scores = scores.masked_fill(mask.unsqueeze(-1) == 0, -1e9)
w = F.softmax(scores, dim=-1)
print((w @ v).shape)
# right 11: scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
