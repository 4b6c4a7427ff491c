import torch
import torch.nn as nn

torch.manual_seed(0)
embedding = nn.Embedding(10, 8)
ids = torch.tensor([[1, 4, 10], [2, 9, 0]])  # [batch_size, query_len]
x = embedding(ids)
