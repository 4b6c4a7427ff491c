# Pre-norm attention.
import torch, torch.nn as nn
torch.manual_seed(3)
B, T, d = 2, 8, 8
x = torch.randn(B, T, d)
norm = nn.LayerNorm(T)
y = norm(x.transpose(1, 2)).transpose(1, 2)
att = nn.MultiheadAttention(d, 2, batch_first=True)
print(att(y, y, y)[0].shape)
# right 6: norm = nn.LayerNorm(d)
# right 7: y = norm(x)
