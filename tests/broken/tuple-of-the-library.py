import torch
import torch.nn as nn

class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.attn = nn.MultiheadAttention(d, 2, batch_first=True)
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        x = self.norm(x + self.attn(x, x, x))
        return x

torch.manual_seed(0)
print(Block(8)(torch.randn(2, 5, 8)).shape)
# right 11:         x = self.norm(x + self.attn(x, x, x)[0])
