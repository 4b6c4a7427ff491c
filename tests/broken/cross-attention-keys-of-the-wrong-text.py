import torch
import torch.nn as nn

class CrossAttention(nn.Module):
    def __init__(self, dim, context_dim, inner):
        super().__init__()
        self.to_q = nn.Linear(dim, inner, bias=False)
        self.to_k = nn.Linear(context_dim, inner, bias=False)
        self.to_v = nn.Linear(context_dim, inner, bias=False)

    def forward(self, x, context):
        q = self.to_q(x)
        k = self.to_k(x)
        v = self.to_v(context)
        attn = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(dim=-1)
        return attn @ v

torch.manual_seed(0)
print(CrossAttention(16, 24, 32)(torch.randn(2, 6, 16), torch.randn(2, 9, 24)).shape)
# right 13:         k = self.to_k(context)
