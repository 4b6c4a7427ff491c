# One causal head.
import torch, torch.nn as nn
torch.manual_seed(15)
class H(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
    def forward(self, x):
        s = self.q(x) @ self.k(x).transpose(1, 2) / x.size(-1) ** 0.5
        s = s.masked_fill(torch.triu(torch.ones(x.size(1), x.size(1)), 1) == 1, 0)
        return s @ self.v(x)
print(H(8)(torch.randn(2, 4, 8)).shape)
# right 10:         s = s.masked_fill(torch.triu(torch.ones(x.size(1), x.size(1)), 1) == 1, float("-inf")).softmax(-1)
