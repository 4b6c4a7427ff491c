import torch
batch_size, query_len, n_heads, head_dim = 3, 5, 2, 3
x = torch.ones(3, 5, 8)  # [batch_size, query_len, hidden_dim]
Q = x.view(batch_size, query_len, n_heads, head_dim)
