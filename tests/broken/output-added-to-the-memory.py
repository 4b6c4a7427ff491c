import torch
from torch import nn
torch.manual_seed(0)
attend = nn.MultiheadAttention(16, 2, batch_first=True)
target, memory = torch.randn(2, 5, 16), torch.randn(2, 7, 16)
out, _ = attend(target, memory, memory)
out = memory + out
