import math
import torch
torch.manual_seed(0)
Q = torch.randn(3, 2, 5, 4)  # [batch_size, n_heads, query_len, head_dim]
K = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
V = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
weights = torch.softmax(Q @ K.transpose(-2, -1) / math.sqrt(4), dim=2)
x = weights @ V
# right 7: weights = torch.softmax(Q @ K.transpose(-2, -1) / math.sqrt(4), dim=-1)
