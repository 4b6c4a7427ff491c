import torch, torch.nn as nn, math
torch.manual_seed(0)
class BertSelfAttention(nn.Module):
    def __init__(self, d=16, h=4):
        super().__init__()
        self.h, self.hd = h, d // h
        self.query, self.key, self.value = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.dropout = nn.Dropout(0.1)
    def split(self, x):
        return x.view(*x.size()[:-1], self.h, self.hd).permute(0, 2, 1, 3)
    def forward(self, x, mask):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        s = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.hd)
        s = s + (1.0 - mask[:, None, None, :]) * -10000.0
        p = self.dropout(nn.Softmax(dim=-1)(s))
        c = torch.matmul(p, v).permute(0, 2, 1, 3).contiguous()
        return c.view(*c.size()[:-2], self.h * self.hd)
x = torch.randn(2, 5, 16)
m = torch.tensor([[1., 1, 1, 0, 0], [1, 1, 1, 1, 1]])
print(BertSelfAttention()(x, m).shape)
class GPT2(nn.Module):
    def __init__(self, d=16, h=4, n=8):
        super().__init__()
        self.h = h
        self.c_attn, self.c_proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.register_buffer('bias', torch.tril(torch.ones(n, n)).view(1, 1, n, n))
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).split(C, dim=2)
        q, k, v = [t.view(B, T, self.h, C // self.h).transpose(1, 2) for t in (q, k, v)]
        w = q @ k.transpose(-2, -1) / math.sqrt(v.size(-1))
        b = self.bias[:, :, :T, :T]
        w = w * b - 1e4 * (1 - b)
        y = w.softmax(-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))
print(GPT2()(x).shape)
