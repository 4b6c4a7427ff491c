import torch
import torch.nn as nn

torch.manual_seed(0)
length, width = 6, 8
position = torch.arange(length).unsqueeze(1)
i = torch.arange(0, width, 2)
angle = position / 10000 ** (2 * i / width)
pe = torch.zeros(length, width)
pe[:, 0::2] = torch.sin(angle)
pe[:, 1::2] = torch.cos(angle)
x = nn.Embedding(10, width)(torch.randint(0, 10, (2, length))) + pe
print(x.shape)
# right 8: angle = position / 10000 ** (i / width)
