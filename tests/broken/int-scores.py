import torch
import torch.nn.functional as F
ids = torch.tensor([[1, 2], [3, 4]])
weights = F.softmax(ids, dim=-1)
