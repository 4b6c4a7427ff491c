import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
dec, enc = torch.randn(2, 4, 16), torch.randn(2, 6, 16)
wq, wk, wv = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16)
q, k, v = wq(dec), wk(enc), wv(dec)
scores = q @ k.transpose(-2, -1) / math.sqrt(16)
w = torch.softmax(scores, dim=-1)
print((w @ v).shape)
# right 8: q, k, v = wq(dec), wk(enc), wv(enc)
