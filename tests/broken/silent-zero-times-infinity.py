import torch

torch.manual_seed(0)
q = torch.randn(2, 4, 8)
scores = q @ q.transpose(1, 2) / 8 ** 0.5
pad = torch.tensor([[0., 0., 0., 1.], [0., 0., 0., 0.]])
scores = scores + pad[:, None, :] * float("-inf")
print(scores.softmax(dim=-1) @ q)
# right 7: scores = scores.masked_fill(pad[:, None, :] == 1, float("-inf"))
