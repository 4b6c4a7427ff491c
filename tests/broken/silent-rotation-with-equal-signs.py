import torch
import torch.nn as nn

torch.manual_seed(0)


def apply_rope(x, cos, sin):
    x1, x2 = x[..., ::2], x[..., 1::2]
    out1 = x1 * cos + x2 * sin
    out2 = x1 * sin + x2 * cos
    return torch.stack((out1, out2), dim=-1).flatten(-2)


B, H, T, D = 2, 2, 5, 8
theta = 10000.0 ** (-torch.arange(0, D, 2) / D)
angles = torch.arange(T)[:, None] * theta
cos, sin = angles.cos(), angles.sin()
x = torch.randn(B, T, H * D)
wq, wk, wv = nn.Linear(H * D, H * D), nn.Linear(H * D, H * D), nn.Linear(H * D, H * D)
q = wq(x).view(B, T, H, D).transpose(1, 2)
k = wk(x).view(B, T, H, D).transpose(1, 2)
v = wv(x).view(B, T, H, D).transpose(1, 2)
q, k = apply_rope(q, cos, sin), apply_rope(k, cos, sin)
weights = torch.softmax(q @ k.transpose(-2, -1) / D ** 0.5, dim=-1)
print((weights @ v).shape)
# right 9:     out1 = x1 * cos - x2 * sin
