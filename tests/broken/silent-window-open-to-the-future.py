import torch
import torch.nn as nn

torch.manual_seed(0)


def sliding_window_mask(T, w):
    i, j = torch.arange(T)[:, None], torch.arange(T)[None, :]
    return (i - j < w)


T, d, w = 8, 16, 3
x = torch.randn(2, T, d)
wq, wk, wv = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
scores = wq(x) @ wk(x).transpose(-2, -1) / d ** 0.5
scores = scores.masked_fill(~sliding_window_mask(T, w), float("-inf"))
print((torch.softmax(scores, dim=-1) @ wv(x)).shape)
# right 9:     return (i - j < w) & (i >= j)
