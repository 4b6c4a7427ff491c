import torch
from torch import nn
layer = nn.TransformerDecoderLayer(d_model=20, nhead=3, batch_first=True)
