import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
query = torch.randn(2, 5, 16)
keys = torch.randn(2, 5, 16)
W = nn.Linear(32, 16)
score = nn.Linear(16, 1)
e = score(torch.tanh(W(torch.cat([query, keys], dim=-1)))).squeeze(-1)
w = torch.softmax(e, dim=-1)
print((w.unsqueeze(1) @ keys).shape)
# right 10: e = score(torch.tanh(W(torch.cat([query.unsqueeze(2).expand(-1, -1, 5, -1), keys.unsqueeze(1).expand(-1, 5, -1, -1)], dim=-1)))).squeeze(-1)
# right 12: print((w @ keys).shape)
