import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.head_dim = heads, dim // heads
        self.to_q = nn.Linear(dim, dim)

    def forward(self, x):
        batch, length, dim = x.shape
        return self.to_q(x).view(batch, length, self.heads, self.head_dim).transpose(1, 2)

torch.manual_seed(0)
q = Attention(20, 3)(torch.randn(2, 5, 20))
