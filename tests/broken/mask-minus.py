import torch
keep = torch.ones(5, 5).tril() > 0  # [query_len, key_len]
hidden = 1 - keep
