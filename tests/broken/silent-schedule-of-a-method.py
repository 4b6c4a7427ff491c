import torch
import torch.nn as nn
torch.manual_seed(0)
class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 4)
        self.lr = 1e-3
        self.opt = torch.optim.Adam(self.model.parameters(), lr=self.lr)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, self.get_lr)
    def get_lr(self, step):
        return self.lr * min(1.0, (step + 1) / 4)
    def train(self):
        for step in range(6):
            loss = self.model(torch.randn(3, 4)).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
t = Trainer()
t.train()
print(t.sched.get_last_lr())
# right 11:         return min(1.0, (step + 1) / 4)
