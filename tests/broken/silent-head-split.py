import math
import torch
torch.manual_seed(0)
B, T, C, n_heads = 2, 5, 12, 3
head_dim = C // n_heads
x = torch.randn(B, T, C)
q = x.view(B, n_heads, T, head_dim)
k = x.view(B, n_heads, T, head_dim)
weights = (q @ k.transpose(-2, -1) / math.sqrt(head_dim)).softmax(dim=-1)
# right 7: q = x.view(B, T, n_heads, head_dim).transpose(1, 2)
# right 8: k = x.view(B, T, n_heads, head_dim).transpose(1, 2)
