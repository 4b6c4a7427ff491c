import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Linear(4, 4)
lr = 1e-3
opt = torch.optim.Adam(model.parameters(), lr=lr)


def schedule(step):
    rate = lr * min(1.0, (step + 1) / 4)
    return rate


sched = torch.optim.lr_scheduler.LambdaLR(opt, schedule)
for step in range(10):
    loss = model(torch.randn(3, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(sched.get_last_lr())
# right 15: sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: schedule(step) / lr)
