# A decoder looks at the text that it translates.
import torch, torch.nn as nn
torch.manual_seed(10)
B, S, T, d = 2, 4, 4, 8
enc, dec = torch.randn(B, S, d), torch.randn(B, T, d)
cross = nn.MultiheadAttention(d, 2, batch_first=True)
causal = torch.triu(torch.ones(T, S), 1).bool()
out, w = cross(dec, enc, enc, attn_mask=causal)
print(w[0])
# right 8: out, w = cross(dec, enc, enc)
