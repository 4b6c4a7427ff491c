import torch
import torch.nn as nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, hidden_dim):
        super().__init__()
        self.query = nn.Linear(hidden_dim, hidden_dim)

    def forward(self, x):
        return self.query(x)


x = torch.ones(3, 5, 8)  # [batch_size, query_len, hidden_dim]
Attention(12)(x)
