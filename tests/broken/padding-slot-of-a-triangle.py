import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(2, 5, 8)
attn = nn.MultiheadAttention(8, 2, batch_first=True)
causal = torch.triu(torch.ones(5, 5, dtype=torch.bool), 1)
out, w = attn(x, x, x, causal)
