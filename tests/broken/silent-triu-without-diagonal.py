import math
import torch

torch.manual_seed(0)
length, width = 4, 8
q, k, v = torch.randn(length, width), torch.randn(length, width), torch.randn(length, width)
mask = torch.triu(torch.ones(length, length)).bool()
scores = q @ k.T / math.sqrt(width)
scores = scores.masked_fill(mask, float("-inf"))
weights = torch.softmax(scores, dim=-1)
print(weights @ v)
# right 7: mask = torch.triu(torch.ones(length, length), diagonal=1).bool()
