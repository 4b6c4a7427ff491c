import torch
import torch.nn as nn

torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(d_model=16, nhead=4, dropout=0.0)
x = torch.randn(2, 5, 16)
print(layer(x).shape)
# right 5: layer = nn.TransformerEncoderLayer(d_model=16, nhead=4, dropout=0.0, batch_first=True)
