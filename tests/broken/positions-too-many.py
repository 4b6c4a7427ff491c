import torch
x = torch.ones(3, 5, 8)  # [batch_size, query_len, hidden_dim]
positions = torch.zeros(100, 8)  # [position, hidden_dim]
x = x + positions
