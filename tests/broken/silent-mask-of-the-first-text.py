import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
x = torch.randn(2, 5, 16)
q, k, v = nn.Linear(16, 16)(x), nn.Linear(16, 16)(x), nn.Linear(16, 16)(x)
mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
scores = q @ k.transpose(-2, -1) / math.sqrt(16)
scores = scores.masked_fill(mask[0] == 0, -1e9)
w = torch.softmax(scores, dim=-1)
print((w @ v).shape)
# right 10: scores = scores.masked_fill(mask[:, None, :] == 0, -1e9)
