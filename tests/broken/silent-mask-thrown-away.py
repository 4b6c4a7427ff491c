import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
x = torch.randn(2, 5, 16)
q, k, v = nn.Linear(16, 16)(x), nn.Linear(16, 16)(x), nn.Linear(16, 16)(x)
d_k = 16
scores = q @ k.transpose(-2, -1) / math.sqrt(d_k)
mask = torch.triu(torch.ones(5, 5), diagonal=1).bool()
scores.masked_fill(mask, float('-inf'))
w = torch.softmax(scores, dim=-1)
print((w @ v).shape)
# right 11: scores = scores.masked_fill(mask, float('-inf'))
