import torch

torch.manual_seed(0)
T = 5
x = torch.randn(2, T, 8)
scores = x @ x.transpose(1, 2) / 8 ** 0.5
mask = torch.tril(torch.ones(T, T))
scores = scores.masked_fill(mask == 0, 1e-9)
print((torch.softmax(scores, dim=-1) @ x).shape)
# right 8: scores = scores.masked_fill(mask == 0, -1e9)
