# Attention with a cache of keys and values, word by word.
import torch, torch.nn as nn, torch.nn.functional as F, math
torch.manual_seed(0)
class CachedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.hd = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
    def forward(self, x, past=None):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, T, self.heads, self.hd).transpose(1, 2)
        k = k.view(B, T, self.heads, self.hd).transpose(1, 2)
        v = v.view(B, T, self.heads, self.hd).transpose(1, 2)
        if past is not None:
            k = torch.cat([past[0], k], dim=2)
            v = torch.cat([past[1], v], dim=2)
        S = k.size(2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.hd)
        mask = torch.tril(torch.ones(T, S))
        scores = scores.masked_fill(mask == 0, float('-inf'))
        w = F.softmax(scores, dim=-1)
        y = (w @ v).transpose(1, 2).reshape(B, T, C)
        return self.out(y), (k, v)
att = CachedAttention(16, 4)
x = torch.randn(1, 5, 16)
y, cache = att(x[:, :4])
z, cache = att(x[:, 4:], cache)
print(z.shape)
# right 21:         mask = torch.tril(torch.ones(T, S), diagonal=S - T)
