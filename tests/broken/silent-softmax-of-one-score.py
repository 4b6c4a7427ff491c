# Attention pooling: one vector for a whole text.
import torch, torch.nn as nn
torch.manual_seed(6)
class Pool(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.score = nn.Linear(d, 1)
    def forward(self, h):
        a = torch.softmax(self.score(h), dim=-1)
        return (a * h).sum(1)
h = torch.randn(2, 6, 10)
print(Pool(10)(h).shape)
# right 9:         a = torch.softmax(self.score(h), dim=1)
