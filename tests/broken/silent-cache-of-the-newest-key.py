import torch
import torch.nn as nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.d = d
        self.cache_k = self.cache_v = None

    def forward(self, x):
        q, k_new, v_new = self.q(x), self.k(x), self.v(x)
        if self.cache_k is None:
            k, v = k_new, v_new
        else:
            k = torch.cat([self.cache_k, k_new], dim=1)
            v = torch.cat([self.cache_v, v_new], dim=1)
        self.cache_k, self.cache_v = k_new, v_new
        scores = q @ k.transpose(-2, -1) / self.d ** 0.5
        return torch.softmax(scores, dim=-1) @ v


attn = Attention(16)
with torch.no_grad():
    for x in torch.randn(5, 1, 1, 16):
        y = attn(x)
print(y.shape)
# right 21:         self.cache_k, self.cache_v = k, v
