import torch
import torch.nn as nn

torch.manual_seed(0)
B, H, T, D = 2, 4, 6, 8
x = torch.randn(B, T, H * D)
wq, wk, wv = nn.Linear(H * D, H * D), nn.Linear(H * D, H * D), nn.Linear(H * D, H * D)
q = wq(x).view(B, T, H, D).transpose(1, 2)
k = wk(x).view(B, T, H, D).transpose(1, 2)
v = wv(x).view(B, T, H, D).transpose(1, 2)
slopes = torch.tensor([2 ** (-8 * (i + 1) / H) for i in range(H)])
distance = torch.arange(T)[:, None] - torch.arange(T)[None, :]
bias = slopes[:, None, None] * distance
scores = q @ k.transpose(-2, -1) / D ** 0.5 + bias
scores = scores.masked_fill(torch.triu(torch.ones(T, T), 1) == 1, float("-inf"))
print((torch.softmax(scores, dim=-1) @ v).shape)
# right 14: scores = q @ k.transpose(-2, -1) / D ** 0.5 - bias
