import torch
import torch.nn.functional as F

torch.manual_seed(0)
Q = torch.randn(2, 5, 8)
K = torch.randn(2, 6, 8)
V = torch.randn(2, 6, 8)
scores = Q @ K.T / 8 ** 0.5
weights = F.softmax(scores, dim=-1)
print((weights @ V).shape)
# right 8: scores = Q @ K.transpose(-2, -1) / 8 ** 0.5
