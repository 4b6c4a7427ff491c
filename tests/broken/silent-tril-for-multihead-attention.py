import torch
import torch.nn as nn

torch.manual_seed(0)
attention = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.randn(2, 5, 8)
mask = torch.tril(torch.ones(5, 5)).bool()
out, weights = attention(x, x, x, attn_mask=mask)
print(weights[0])
# right 8: out, weights = attention(x, x, x, attn_mask=~mask)
