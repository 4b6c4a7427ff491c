import torch
import torch.nn as nn

torch.manual_seed(0)
embedding = nn.Embedding(10, 8)
ids = torch.tensor([[1.0, 4.0, 9.0]])
x = embedding(ids)
