import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
x = torch.randn(2, 5, 16)
q, k, v = nn.Linear(16, 16)(x), nn.Linear(16, 16)(x), nn.Linear(16, 16)(x)
d_k = 16
scores = q @ k.transpose(-2, -1)
w = F.softmax(scores, dim=-1) / math.sqrt(d_k)
print((w @ v).shape)
# right 9: scores = q @ k.transpose(-2, -1) / math.sqrt(d_k)
# right 10: w = F.softmax(scores, dim=-1)
