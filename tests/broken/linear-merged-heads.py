import torch
import torch.nn as nn

torch.manual_seed(0)
fc_o = nn.Linear(8, 8)
x = torch.ones(3, 2, 5, 4)  # [batch_size, n_heads, query_len, head_dim]
output = fc_o(x)
