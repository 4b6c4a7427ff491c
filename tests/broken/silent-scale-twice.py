# One head with its scale.
import torch, torch.nn as nn, math
torch.manual_seed(11)
class Head(nn.Module):
    def __init__(self, d, hs):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, hs), nn.Linear(d, hs), nn.Linear(d, hs)
        self.scale = 1 / math.sqrt(hs)
    def forward(self, x):
        q = self.q(x) * self.scale
        s = q @ self.k(x).transpose(-2, -1) / math.sqrt(q.size(-1))
        return s.softmax(-1) @ self.v(x)
print(Head(12, 4)(torch.randn(2, 3, 12)).shape)
# right 11:         s = q @ self.k(x).transpose(-2, -1)
