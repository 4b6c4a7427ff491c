import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.keys = self.values = None

    def forward(self, x):
        k, v = self.k(x), self.v(x)
        if self.keys is not None:
            self.keys = torch.cat([self.keys, k], dim=1)
            self.values = torch.cat([self.values, v], dim=1)
            k, v = torch.cat([self.keys, k], dim=1), torch.cat([self.values, v], dim=1)
        else:
            self.keys, self.values = k, v
        w = torch.softmax(self.q(x) @ k.transpose(-2, -1) / 4, dim=-1)
        return w @ v


torch.manual_seed(0)
attention = Attention(16)
for x in torch.randn(3, 2, 1, 16):
    y = attention(x)
print(y.shape)
# right 16:             k, v = self.keys, self.values
