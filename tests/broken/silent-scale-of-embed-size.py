import math
import torch
import torch.nn as nn

class SelfAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super().__init__()
        self.embed_size = embed_size
        self.heads = heads
        self.head_dim = embed_size // heads
        self.values = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.keys = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.queries = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.fc_out = nn.Linear(embed_size, embed_size)

    def forward(self, values, keys, query):
        N, length = query.shape[0], query.shape[1]
        values = self.values(values.reshape(N, length, self.heads, self.head_dim))
        keys = self.keys(keys.reshape(N, length, self.heads, self.head_dim))
        queries = self.queries(query.reshape(N, length, self.heads, self.head_dim))
        energy = torch.einsum("nqhd,nkhd->nhqk", [queries, keys])
        attention = torch.softmax(energy / (self.embed_size ** (1 / 2)), dim=3)
        out = torch.einsum("nhql,nlhd->nqhd", [attention, values]).reshape(N, length, self.embed_size)
        return self.fc_out(out)

torch.manual_seed(0)
x = torch.randn(2, 5, 32)
print(SelfAttention(32, 4)(x, x, x).shape)
# right 11:         self.values = nn.Linear(embed_size, embed_size, bias=False)
# right 12:         self.keys = nn.Linear(embed_size, embed_size, bias=False)
# right 13:         self.queries = nn.Linear(embed_size, embed_size, bias=False)
# right 18:         values = self.values(values).reshape(N, length, self.heads, self.head_dim)
# right 19:         keys = self.keys(keys).reshape(N, length, self.heads, self.head_dim)
# right 20:         queries = self.queries(query).reshape(N, length, self.heads, self.head_dim)
# right 22:         attention = torch.softmax(energy / (self.head_dim ** (1 / 2)), dim=3)
