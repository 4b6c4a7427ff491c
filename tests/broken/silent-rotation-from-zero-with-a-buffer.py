import torch
import torch.nn as nn

torch.manual_seed(0)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


class Attention(nn.Module):
    def __init__(self, d, n_heads, max_len=16):
        super().__init__()
        self.h, self.hd = n_heads, d // n_heads
        self.q, self.k, self.v = [nn.Linear(d, d, bias=False) for _ in range(3)]
        inv_freq = 1.0 / (10000 ** (torch.arange(0, self.hd, 2).float() / self.hd))
        freqs = torch.outer(torch.arange(max_len).float(), inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        self.register_buffer("cos", emb.cos())
        self.register_buffer("sin", emb.sin())
        self.register_buffer("cache_k", torch.zeros(1, n_heads, max_len, self.hd))
        self.register_buffer("cache_v", torch.zeros(1, n_heads, max_len, self.hd))

    def forward(self, x, pos):
        B, T, C = x.shape
        q, k, v = [w(x).view(B, T, self.h, self.hd).transpose(1, 2) for w in (self.q, self.k, self.v)]
        cos, sin = self.cos[:T], self.sin[:T]
        q = q * cos + rotate_half(q) * sin
        k = k * cos + rotate_half(k) * sin
        self.cache_k[:, :, pos:pos + T] = k
        self.cache_v[:, :, pos:pos + T] = v
        keys, values = self.cache_k[:, :, :pos + T], self.cache_v[:, :, :pos + T]
        scores = q @ keys.transpose(-2, -1) / self.hd ** 0.5
        return (torch.softmax(scores, dim=-1) @ values).transpose(1, 2).reshape(B, T, C)


attn = Attention(16, 2)
with torch.no_grad():
    for pos, x in enumerate(torch.randn(5, 1, 1, 16)):
        y = attn(x, pos)
print(y.shape)
# right 28:         cos, sin = self.cos[pos:pos + T], self.sin[pos:pos + T]
