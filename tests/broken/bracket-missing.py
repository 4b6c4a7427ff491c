import torch

torch.manual_seed(0)
q = torch.randn(2, 4, 8)
k = torch.randn(2, 4, 8)
weights = torch.softmax(torch.matmul(q, k.transpose(-2, -1)), dim=-1
print(weights.shape)
# right 6: weights = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / 8 ** 0.5, dim=-1)
