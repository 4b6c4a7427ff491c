import math
import torch
import torch.nn.functional as F

torch.manual_seed(0)
T = 4
q, k, v = torch.randn(1, T, 8), torch.randn(1, T, 8), torch.randn(1, T, 8)
scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(8)
attn = F.softmax(scores, dim=-1)
attn = attn.masked_fill(torch.tril(torch.ones(T, T)) == 0, 0)
print(torch.bmm(attn, v))
# right 9: attn = scores.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf"))
# right 10: attn = F.softmax(attn, dim=-1)
