import torch
from torch import nn
torch.manual_seed(0)
ids = torch.tensor([[4, 2, 7, 0], [3, 8, 0, 0], [5, 1, 6, 9]])
future = torch.ones(4, 4, dtype=torch.bool).triu(1)
hidden = future | (ids == 0)[:, None, :]
attend = nn.MultiheadAttention(8, 2, batch_first=True)
x = nn.Embedding(10, 8)(ids)
out, weights = attend(x, x, x, attn_mask=hidden)
