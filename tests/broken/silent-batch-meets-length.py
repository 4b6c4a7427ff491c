import torch

torch.manual_seed(0)
B, T, C = torch.randn(5, 5, 8).shape
x = torch.randn(B, T, C)
keep = torch.ones(B, T)
keep[:, 3:] = 0
q = x / C ** 0.5
scores = q @ x.transpose(1, 2)
scores = scores.masked_fill(keep == 0, -1e9)
print((scores.softmax(dim=-1) @ x).shape)
# right 10: scores = scores.masked_fill(keep[:, None, :] == 0, -1e9)
