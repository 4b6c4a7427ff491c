import torch
from torch import nn
torch.manual_seed(0)
attend = nn.MultiheadAttention(16, 2, batch_first=True)
words, audio = torch.randn(2, 5, 16), torch.randn(2, 12, 24)
out, weights = attend(words, audio, audio)
