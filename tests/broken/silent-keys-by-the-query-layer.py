import math
import torch
import torch.nn as nn

class SelfAttention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q_proj = nn.Linear(d, d)
        self.k_proj = nn.Linear(d, d)
        self.v_proj = nn.Linear(d, d)

    def forward(self, x):
        q = self.q_proj(x)
        k = self.q_proj(x)
        v = self.v_proj(x)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        return torch.softmax(scores, dim=-1) @ v

torch.manual_seed(0)
print(SelfAttention(8)(torch.randn(1, 4, 8)))
# right 14:         k = self.k_proj(x)
