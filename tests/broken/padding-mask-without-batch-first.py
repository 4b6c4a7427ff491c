import torch
from torch import nn
torch.manual_seed(0)
src = torch.randn(4, 10, 16)
pad = torch.zeros(4, 10, dtype=torch.bool)
layer = nn.TransformerEncoderLayer(16, 4)
enc = nn.TransformerEncoder(layer, 2)
print(enc(src, src_key_padding_mask=pad).shape)
