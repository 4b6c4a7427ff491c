import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
q, k, v = torch.randn(2, 4, 5, 8), torch.randn(2, 4, 5, 8), torch.randn(2, 4, 5, 8)
scores = q @ k.transpose(1, 2) / math.sqrt(8)
w = torch.softmax(scores, dim=-1)
print((w @ v).shape)
# right 7: scores = q @ k.transpose(-2, -1) / math.sqrt(8)
