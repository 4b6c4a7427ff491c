import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class CachedAttention(nn.Module):
    def __init__(self, dim, n_head):
        super().__init__()
        self.n_head, self.hd = n_head, dim // n_head
        self.c_attn = nn.Linear(dim, 3 * dim)
        self.c_proj = nn.Linear(dim, dim)
        self.cache = None

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        q = q.view(B, T, self.n_head, self.hd).transpose(1, 2)
        k = k.view(B, T, self.n_head, self.hd).transpose(1, 2)
        v = v.view(B, T, self.n_head, self.hd).transpose(1, 2)
        if self.cache is not None:
            past_k, past_v = self.cache
            k = torch.cat([past_k, k], dim=1)
            v = torch.cat([past_v, v], dim=1)
        self.cache = (k, v)
        att = (q @ k.transpose(-2, -1)) * (self.hd ** -0.5)
        att = F.softmax(att, dim=-1)
        y = (att @ v).transpose(1, 2).reshape(B, T, C)
        return self.c_proj(y)

attn = CachedAttention(16, 4)
for step in range(4):
    token = torch.randn(1, 1, 16)
    print(attn(token).shape)
# right 23:             k = torch.cat([past_k, k], dim=2)
# right 24:             v = torch.cat([past_v, v], dim=2)
