import torch
import torch.nn.functional as F

torch.manual_seed(1337)
B, T, C = 2, 5, 8
x = torch.randn(B, T, C)
key, query, value = torch.nn.Linear(C, C), torch.nn.Linear(C, C), torch.nn.Linear(C, C)
k, q, v = key(x), query(x), value(x)
wei = q @ k.transpose(-2, -1) * C ** -0.5
tril = torch.tril(torch.ones(T, T))
wei = wei.masked_fill(tril == 1, float("-inf"))
wei = F.softmax(wei, dim=-1)
print(wei @ v)
# right 11: wei = wei.masked_fill(tril == 0, float("-inf"))
