import math
import torch
torch.manual_seed(0)
Q = torch.randn(3, 2, 5, 4)  # [batch_size, n_heads, query_len, head_dim]
K = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
V = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
keep = torch.tensor([1, 1, 1, 1, 0, 0])
weights = (Q @ K.transpose(-2, -1) / math.sqrt(4)).softmax(dim=-1)
weights = weights.masked_fill(keep == 0, 0.0)
x = weights @ V
# right 8: scores = (Q @ K.transpose(-2, -1) / math.sqrt(4)).masked_fill(keep == 0, float("-inf"))
# right 9: weights = scores.softmax(dim=-1)
