import torch
import torch.nn as nn
torch.manual_seed(0)
T, d, w = 8, 16, 3
x = torch.randn(2, T, d)
mha = nn.MultiheadAttention(d, 2, batch_first=True)
mask = torch.triu(torch.ones(T, T), diagonal=1).bool()
print(mha(x, x, x, attn_mask=mask.T)[0].shape)
# right 8: print(mha(x, x, x, attn_mask=mask)[0].shape)
