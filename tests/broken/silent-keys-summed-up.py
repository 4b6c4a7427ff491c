import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(1337)

class SelfAttention(nn.Module):
    def __init__(self, emb_dim, heads=4, dropout=0.0):
        super().__init__()
        assert emb_dim % heads == 0
        self.emb_dim = emb_dim
        self.heads = heads
        self.head_dim = emb_dim // heads
        self.to_queries = nn.Linear(emb_dim, emb_dim, bias=False)
        self.to_keys = nn.Linear(emb_dim, emb_dim, bias=False)
        self.to_values = nn.Linear(emb_dim, emb_dim, bias=False)
        self.unify = nn.Linear(emb_dim, emb_dim)
        self.drop = nn.Dropout(dropout)

    def split(self, t):
        b, n, e = t.size()
        return t.view(b, n, self.heads, self.head_dim).transpose(1, 2)

    def forward(self, x, mask=None):
        b, n, e = x.size()
        queries = self.split(self.to_queries(x))
        keys = self.split(self.to_keys(x))
        values = self.split(self.to_values(x))
        dot = torch.matmul(queries, keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if mask is not None:
            dot = dot.masked_fill(mask == 0, float('-inf'))
        dot = self.drop(F.softmax(dot, dim=-1))
        out = torch.matmul(dot, keys).transpose(1, 2).contiguous().view(b, n, e)
        return self.unify(out)

x = torch.randn(2, 6, 16)
sa = SelfAttention(16)
causal = torch.tril(torch.ones(6, 6))
y = sa(x, causal)
print(y.shape)
# right 33:         out = torch.matmul(dot, values).transpose(1, 2).contiguous().view(b, n, e)
