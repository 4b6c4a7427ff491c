import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
    def foward(self, x):
        return self.fc(x)
print(Net()(torch.randn(1, 4)))
