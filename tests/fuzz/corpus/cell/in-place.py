x = torch.zeros(3)
x.add_(1).mul_(2)[1] /= 3
x.copy_(torch.ones(1))
torch.nn.init.xavier_uniform_(torch.empty(2, 3)).shape
