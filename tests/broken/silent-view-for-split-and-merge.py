import math
import torch
import torch.nn as nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_k = n_heads, d_model // n_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q = self.W_q(x).view(B, self.n_heads, T, self.d_k)
        k = self.W_k(x).view(B, self.n_heads, T, self.d_k)
        v = self.W_v(x).view(B, self.n_heads, T, self.d_k)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        out = torch.softmax(scores, dim=-1) @ v
        return self.W_o(out.reshape(B, T, C))

torch.manual_seed(0)
print(MultiHeadAttention(16, 4)(torch.randn(2, 5, 16)).shape)
# right 16:         q = self.W_q(x).view(B, T, self.n_heads, self.d_k).transpose(1, 2)
# right 17:         k = self.W_k(x).view(B, T, self.n_heads, self.d_k).transpose(1, 2)
# right 18:         v = self.W_v(x).view(B, T, self.n_heads, self.d_k).transpose(1, 2)
# right 21:         return self.W_o(out.transpose(1, 2).reshape(B, T, C))
