import torch
import torch.nn as nn
norm = nn.LayerNorm(6)
x = torch.ones(3, 5, 8)  # [batch_size, query_len, hidden_dim]
norm(x)
