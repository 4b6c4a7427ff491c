import torch, torch.nn as nn
class A(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=1)
        w = torch.softmax(q @ k.transpose(1, 2) / q.size(-1) ** 0.5, dim=-1)
        return self.out(w @ v)
torch.manual_seed(0)
print(A(8)(torch.randn(2, 6, 8)).shape)
# right 8:         q, k, v = self.qkv(x).chunk(3, dim=-1)
