import torch
x = torch.ones(3, 2, 5, 4)  # [batch_size, n_heads, query_len, head_dim]
merged = x.permute(0, 2, 1, 3).view(3, 5, 8)
