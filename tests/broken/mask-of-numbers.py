import torch
torch.manual_seed(0)
Q = torch.randn(3, 2, 5, 4)  # [batch_size, n_heads, query_len, head_dim]
K = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
V = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
keep = torch.tensor([1.0, 1.0, 1.0, 1.0, 0.0, 0.0])
energy = (Q @ K.transpose(-2, -1)).masked_fill(keep, -1e10)
