import torch
import torch.nn as nn

torch.manual_seed(0)
layer = nn.Linear(4, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.05)
x, y = torch.randn(8, 4), torch.randn(8, 1)
total = 0
for step in range(4):
    loss = ((layer(x) - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss
print(total / 4)
# right 14:     total += loss.item()
