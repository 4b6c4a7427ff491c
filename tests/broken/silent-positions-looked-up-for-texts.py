import torch
import torch.nn as nn
import torch.nn.functional as F
import math
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 16)
        self.pos = nn.Embedding(50, 16)
        self.attn = nn.MultiheadAttention(16, 2, batch_first=True)

    def forward(self, ids):
        x = self.emb(ids) + self.pos(torch.arange(ids.size(0)).unsqueeze(1))
        return self.attn(x, x, x)[0]

ids = torch.randint(0, 20, (3, 7))
print(Net()(ids).shape)
# right 14:         x = self.emb(ids) + self.pos(torch.arange(ids.size(1)))
