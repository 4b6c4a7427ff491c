import torch
torch.manual_seed(0)
ids = torch.tensor([[4, 2, 7, 0], [3, 8, 0, 0]])
triangle = torch.tril(torch.ones(4, 4))
seen = (ids != 0)[:, None, :] & triangle
