import torch
mask = torch.ones(3, 6)  # [batch_size, key_len]
mask = mask.expand(3, 5, 6)
