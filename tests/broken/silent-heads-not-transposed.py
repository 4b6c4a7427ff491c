import torch
import torch.nn as nn

class MultiHead(nn.Module):
    def __init__(self, width, n_heads):
        super().__init__()
        self.n_heads, self.head_dim = n_heads, width // n_heads
        self.q, self.k, self.v = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q(x).view(B, T, self.n_heads, self.head_dim)
        k = self.k(x).view(B, T, self.n_heads, self.head_dim)
        v = self.v(x).view(B, T, self.n_heads, self.head_dim)
        weights = torch.softmax(q @ k.transpose(-2, -1) / self.head_dim ** 0.5, dim=-1)
        return (weights @ v).reshape(B, T, C)

torch.manual_seed(0)
print(MultiHead(12, 3)(torch.randn(2, 5, 12)).shape)
# right 12:         q = self.q(x).view(B, T, self.n_heads, self.head_dim).transpose(1, 2)
# right 13:         k = self.k(x).view(B, T, self.n_heads, self.head_dim).transpose(1, 2)
# right 14:         v = self.v(x).view(B, T, self.n_heads, self.head_dim).transpose(1, 2)
# right 16:         return (weights @ v).transpose(1, 2).reshape(B, T, C)
