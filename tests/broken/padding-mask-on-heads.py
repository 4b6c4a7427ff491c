import torch

torch.manual_seed(0)
q, k, v = torch.randn(2, 4, 5, 8), torch.randn(2, 4, 5, 8), torch.randn(2, 4, 5, 8)
pad = torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]).bool()
scores = q @ k.transpose(-2, -1) / 8 ** 0.5
scores = scores.masked_fill(pad, float("-inf"))
print((scores.softmax(dim=-1) @ v).shape)
# right 7: scores = scores.masked_fill(pad[:, None, None, :], float("-inf"))
