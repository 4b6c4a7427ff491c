import math
import torch

torch.manual_seed(0)
x = torch.randn(2, 5, 8)
mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
scores = x @ x.transpose(1, 2) / math.sqrt(8)
scores = scores.masked_fill(mask == 0, float("-inf"))
weights = torch.softmax(scores, dim=-1)
print((weights @ x).shape)
# right 8: scores = scores.masked_fill(mask[:, None, :] == 0, float("-inf"))
