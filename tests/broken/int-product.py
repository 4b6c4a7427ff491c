import torch
weights = torch.ones(2, 3)
ids = torch.tensor([[1, 2], [3, 4], [5, 6]])
mean_id = weights @ ids
