import torch
from torch import nn
torch.manual_seed(0)
rnn = nn.GRU(4, 8, batch_first=True)
head = nn.Linear(8, 4)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
h = torch.zeros(1, 2, 8)
for step in range(3):
    x = torch.randn(2, 5, 4)
    out, h = rnn(x, h)
    loss = (head(out) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
