import torch
torch.manual_seed(0)
Q = torch.randn(3, 2, 5, 4)  # [batch_size, n_heads, query_len, head_dim]
K = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
V = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
mask = torch.ones(3, 1, 1, 5) > 0  # [batch_size, 1, 1, query_len]
energy = (Q @ K.transpose(-2, -1)).masked_fill(mask, -1e10)
