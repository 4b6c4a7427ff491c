import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
attn = nn.MultiheadAttention(16, 2, batch_first=True)
x = torch.randn(2, 5, 16)
keep = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]).bool()
out, w = attn(x, x, x, key_padding_mask=keep)
print(out.shape)
# right 9: out, w = attn(x, x, x, key_padding_mask=~keep)
