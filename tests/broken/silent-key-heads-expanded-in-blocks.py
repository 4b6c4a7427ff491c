import torch
import torch.nn as nn

torch.manual_seed(0)
B, T, H, G, D = 2, 5, 4, 2, 8
n_rep = H // G


def repeat_kv(x):
    b, g, t, d = x.shape
    return x[:, None, :, :, :].expand(b, n_rep, g, t, d).reshape(b, g * n_rep, t, d)


x = torch.randn(B, T, H * D)
wq, wk, wv = nn.Linear(H * D, H * D), nn.Linear(H * D, G * D), nn.Linear(H * D, G * D)
q = wq(x).view(B, T, H, D).transpose(1, 2)
k = wk(x).view(B, T, G, D).transpose(1, 2)
v = wv(x).view(B, T, G, D).transpose(1, 2)
k, v = repeat_kv(k), repeat_kv(v)
weights = torch.softmax(q @ k.transpose(-2, -1) / D ** 0.5, dim=-1)
print((weights @ v).shape)
# right 11:     return x[:, :, None, :, :].expand(b, g, n_rep, t, d).reshape(b, g * n_rep, t, d)
