# What W1 to W3 run, the same text under PyTorch and attn-tutor. A line with the sizes is put before it.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class MultiHeadAttention(nn.Module):
    def __init__(self, hidden_dim, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.head_dim = hidden_dim // n_heads
        self.fc_q = nn.Linear(hidden_dim, hidden_dim)
        self.fc_k = nn.Linear(hidden_dim, hidden_dim)
        self.fc_v = nn.Linear(hidden_dim, hidden_dim)
        self.fc_o = nn.Linear(hidden_dim, hidden_dim)

    def heads(self, x):
        return x.view(x.shape[0], -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)

    def together(self, x):
        return self.fc_o(x.permute(0, 2, 1, 3).contiguous().view(x.shape[0], -1, self.n_heads * self.head_dim))

    def plain(self, x):
        Q, K, V = self.heads(self.fc_q(x)), self.heads(self.fc_k(x)), self.heads(self.fc_v(x))
        energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / math.sqrt(self.head_dim)
        return self.together(torch.matmul(torch.softmax(energy, dim=-1), V))

    def fused(self, x):
        Q, K, V = self.heads(self.fc_q(x)), self.heads(self.fc_k(x)), self.heads(self.fc_v(x))
        return self.together(F.scaled_dot_product_attention(Q, K, V))


own = MultiHeadAttention(hidden_dim, n_heads)
theirs = nn.MultiheadAttention(hidden_dim, n_heads, batch_first=True).eval()
x = torch.randn(batch_size, length, hidden_dim)
