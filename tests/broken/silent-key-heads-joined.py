# Four heads of queries share two of keys and values.
import torch
torch.manual_seed(10)
B, Hq, Hk, T, D = 1, 4, 2, 3, 8
q, k, v = torch.randn(B, Hq, T, D), torch.randn(B, Hk, T, D), torch.randn(B, Hk, T, D)
k = torch.cat([k, k], dim=1)
v = torch.cat([v, v], dim=1)
w = (q @ k.transpose(-2, -1) / D ** 0.5).softmax(-1)
print((w @ v).shape)
# right 6: k = k.repeat_interleave(2, dim=1)
# right 7: v = v.repeat_interleave(2, dim=1)
