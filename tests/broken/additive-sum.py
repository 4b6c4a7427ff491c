import torch
query = torch.ones(3, 8)  # [batch_size, hidden_dim]
keys = torch.ones(3, 6, 8)  # [batch_size, key_len, hidden_dim]
mixed = torch.tanh(query + keys)
