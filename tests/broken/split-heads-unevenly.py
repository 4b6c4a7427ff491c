import torch
qkv = torch.ones(3, 5, 24)  # [batch_size, query_len, 3 * hidden_dim]
q, k, v = qkv.split([8, 8, 6], dim=-1)
