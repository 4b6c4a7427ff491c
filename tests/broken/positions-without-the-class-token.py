import torch
from torch import nn

class Embed(nn.Module):
    def __init__(self, n_patches=9, dim=8):
        super().__init__()
        self.proj = nn.Linear(12, dim)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.zeros(1, n_patches, dim))

    def forward(self, patches):
        x = self.proj(patches)
        x = torch.cat([self.cls.expand(x.size(0), -1, -1), x], dim=1)
        return x + self.pos

torch.manual_seed(0)
x = Embed()(torch.randn(2, 9, 12))
