import torch

torch.manual_seed(0)
q = torch.randn(2, 3, 5, 4)
k = torch.randn(2, 3, 5, 4)
v = torch.randn(2, 3, 5, 4)
scores = torch.einsum("bhqd,bhkd->bhkq", q, k) / 4 ** 0.5
weights = scores.softmax(dim=-1)
out = torch.einsum("bhqk,bhkd->bhqd", weights, v)
print(out.shape)
# right 7: scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / 4 ** 0.5
