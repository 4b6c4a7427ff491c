import torch
import torch.nn as nn

class Stack(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.blocks = [nn.Linear(width, width) for _ in range(depth)]
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        for block in self.blocks:
            x = torch.relu(block(x))
        return self.head(x)

torch.manual_seed(0)
model = Stack(8, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
x, y = torch.randn(16, 8), torch.randn(16, 1)
for step in range(4):
    loss = ((model(x) - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(sum(p.numel() for p in model.parameters()))
# right 7:         self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
