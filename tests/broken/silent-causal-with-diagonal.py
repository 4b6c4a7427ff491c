import math
import torch
torch.manual_seed(0)
x = torch.randn(5, 4)  # [length, hidden_dim]
future = torch.ones(5, 5).triu(diagonal=0) == 1
scores = (x @ x.T / math.sqrt(4)).masked_fill(future, float("-inf"))
out = scores.softmax(dim=-1) @ x
# right 5: future = torch.ones(5, 5).triu(diagonal=1) == 1
