import torch
import torch.nn as nn

torch.manual_seed(0)
B, T, H, G, D = 2, 5, 4, 2, 8
x = torch.randn(B, T, H * D)
wq, wk, wv = nn.Linear(H * D, H * D), nn.Linear(H * D, G * D), nn.Linear(H * D, G * D)
q = wq(x).view(B, T, H, D).transpose(1, 2)
k = wk(x).view(B, T, G, D).transpose(1, 2)
v = wv(x).view(B, T, G, D).transpose(1, 2)
k = torch.tile(k, (1, H // G, 1, 1))
v = torch.tile(v, (1, H // G, 1, 1))
weights = torch.softmax(q @ k.transpose(-2, -1) / D ** 0.5, dim=-1)
print((weights @ v).shape)
# right 11: k = k.repeat_interleave(H // G, dim=1)
# right 12: v = v.repeat_interleave(H // G, dim=1)
