import torch
from torch import nn
emb = nn.Embedding(100, 16)
out = nn.Linear(16, 100, bias=False)
out.weight = emb.weight.t()
