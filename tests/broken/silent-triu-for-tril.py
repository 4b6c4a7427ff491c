import torch
import torch.nn as nn

torch.manual_seed(0)
T, d = 6, 16
x = torch.randn(2, T, d)
wq, wk, wv = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
mask = torch.triu(torch.ones(T, T))
scores = wq(x) @ wk(x).transpose(-2, -1) / d ** 0.5
scores = scores.masked_fill(mask == 0, float("-inf"))
print((torch.softmax(scores, dim=-1) @ wv(x)).shape)
# right 8: mask = torch.tril(torch.ones(T, T))
