import torch
import torch.nn as nn

torch.manual_seed(0)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((x2, x1), dim=-1)


def apply_rope(x, cos, sin):
    return x * cos + rotate_half(x) * sin


B, H, T, D = 2, 2, 5, 8
inv_freq = 1.0 / (10000 ** (torch.arange(0, D, 2).float() / D))
freqs = torch.outer(torch.arange(T).float(), inv_freq)
emb = torch.cat((freqs, freqs), dim=-1)
cos, sin = emb.cos(), emb.sin()
x = torch.randn(B, T, H * D)
wq, wk, wv = nn.Linear(H * D, H * D), nn.Linear(H * D, H * D), nn.Linear(H * D, H * D)
q = wq(x).view(B, T, H, D).transpose(1, 2)
k = wk(x).view(B, T, H, D).transpose(1, 2)
v = wv(x).view(B, T, H, D).transpose(1, 2)
q, k = apply_rope(q, cos, sin), apply_rope(k, cos, sin)
weights = torch.softmax(q @ k.transpose(-2, -1) / D ** 0.5, dim=-1)
print((weights @ v).shape)
# right 9:     return torch.cat((-x2, x1), dim=-1)
