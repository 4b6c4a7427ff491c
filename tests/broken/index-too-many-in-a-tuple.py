import torch
torch.manual_seed(0)
scores = torch.randn(5, 6)  # [query_len, key_len]
place = (0, 1, 2)
number = scores[place]
