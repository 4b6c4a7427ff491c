import torch
import torch.nn as nn
import math

torch.manual_seed(0)
model = nn.Linear(4, 4)
max_lr, min_lr, warmup, total = 3e-4, 3e-5, 2, 10
opt = torch.optim.AdamW(model.parameters(), lr=max_lr)


def get_lr(it):
    if it < warmup:
        return max_lr * (it + 1) / warmup
    ratio = (it - warmup) / (total - warmup)
    coeff = 0.5 * (1.0 + math.cos(math.pi * ratio))
    return min_lr + coeff * (max_lr - min_lr)


sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda=get_lr)
for step in range(10):
    loss = model(torch.randn(3, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(sched.get_last_lr())
# right 19: sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda=lambda step: get_lr(step) / max_lr)
