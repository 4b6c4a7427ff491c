import torch
import torch.nn as nn

torch.manual_seed(0)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


B, H, T, D = 2, 2, 5, 8
theta = 10000.0 ** (-torch.arange(0, D, 2) / D)
angles = (torch.arange(T)[:, None] * theta).repeat_interleave(2, dim=-1)
cos, sin = angles.cos(), angles.sin()
x = torch.randn(B, T, H * D)
wq, wk, wv = nn.Linear(H * D, H * D), nn.Linear(H * D, H * D), nn.Linear(H * D, H * D)
q = wq(x).view(B, T, H, D).transpose(1, 2)
k = wk(x).view(B, T, H, D).transpose(1, 2)
v = wv(x).view(B, T, H, D).transpose(1, 2)
q = q * cos + rotate_half(q) * sin
k = k * cos + rotate_half(k) * sin
weights = torch.softmax(q @ k.transpose(-2, -1) / D ** 0.5, dim=-1)
print((weights @ v).shape)
# right 14: angles = (torch.arange(T)[:, None] * theta).repeat(1, 2)
