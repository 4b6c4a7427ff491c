import torch
from torch import nn
torch.manual_seed(0)
proj = nn.Conv2d(3, 10, 4, 4)
pos = nn.Parameter(torch.zeros(1, 9, 10))
x = proj(torch.randn(2, 3, 12, 12)).flatten(2)
x = x + pos
