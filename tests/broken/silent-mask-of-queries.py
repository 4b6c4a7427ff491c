import math
import torch
torch.manual_seed(0)
x = torch.randn(2, 5, 4)  # [batch_size, length, hidden_dim]
keep = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
scores = x @ x.transpose(-2, -1) / math.sqrt(4)
scores = scores.masked_fill(keep[:, :, None] == 0, float("-inf"))
out = scores.softmax(dim=-1) @ x
# right 7: scores = scores.masked_fill(keep[:, None, :] == 0, float("-inf"))
