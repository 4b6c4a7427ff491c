import torch
from torch import nn
torch.manual_seed(0)
q = torch.randn(4, 10, 16)
kv = torch.randn(4, 7, 16)
attn = nn.MultiheadAttention(16, 4)
out, w = attn(q, kv, kv)
print(out.shape)
