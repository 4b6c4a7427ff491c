x = torch.ones(3); y = x.add_(2); print(x, y is x)
x = torch.ones(2, 2); x.sub_(torch.tensor([1.0, 2.0])).mul_(3); print(x)
x = torch.tensor([1.0, 2.0]); x.div_(4); print(x)
x = torch.zeros(2, 2); x.fill_(7); print(x, x.zero_())
x = torch.zeros(2, 2); x.copy_(torch.tensor([1, 2])); print(x)
x = torch.zeros(3, dtype=torch.int64); x.copy_(torch.tensor([1.9, -1.9, 3.0])); print(x)
x = torch.arange(-2.0, 3.0); x.clamp_(-1, 1); print(x)
x = torch.arange(3); y = x; x += 1; print(y)
x = torch.arange(3); y = x; x = x + 1; print(y)
x = torch.arange(6).view(2, 3); x.t().add_(10); print(x)
x = torch.arange(4.0); x[1:3].mul_(10); print(x)
x = torch.ones(2); x -= 0.5; x *= 4; x /= 3; print(x)
x = torch.tensor([2.0, 3.0]); x **= 2; print(x)
x = torch.ones(2, 1); y = x.expand(2, 3); x.fill_(5); print(y)
x = torch.ones(2); y = x.detach(); y.zero_(); print(x)
x = torch.arange(3); x += 0.5
x = torch.arange(3); x /= 2
x = torch.ones(2, 1); x += torch.ones(2, 3)
x = torch.ones(1).expand(3); x.add_(1)
x = torch.ones(2, requires_grad=True); x.add_(1)
x = torch.zeros(2); x.copy_(torch.zeros(3))
x = torch.tensor([True]); x += 1

x = torch.ones(3, 3); y = x.view(-1); x.tril_(), y
torch.full((2, 3), float("-inf")).triu_(diagonal=1), torch.ones(2, 3, 3, dtype=torch.bool).tril_(-1)
torch.ones(3).triu_()
w = torch.zeros(3, 3, requires_grad=True); w[0].zero_()
w = torch.zeros(3, 3, requires_grad=True); w.view(9)[2] = 3.
w = torch.zeros(3, 3, requires_grad=True); w.T[1:].add_(1)
w = torch.zeros(3, 3, requires_grad=True); w[0].unsqueeze_(0)
w = nn.Linear(2, 2).weight; w[0].fill_(1)
w = nn.Linear(2, 2).weight; w.data[0].fill_(1); w.detach()[1] = 2; print(w)
w = torch.zeros(2, 2, requires_grad=True); v = w * 1; v[0].add_(1); v.T[0] = 5; v.tolist()
x = torch.zeros(3).expand(2, 3).expand(4, 2, 3); x += 1
x = torch.arange(3.).expand(2, 3).expand(2, 2, 3); x.masked_fill_(x > 1, 9); print(x)
x = torch.arange(3.).expand(2, 3); x.masked_fill_(torch.tensor([[True, False, False], [False, True, False]]), torch.tensor(7)); print(x)
x = torch.ones(3).expand(3, 3); print(x.tril_()), torch.arange(3).expand(2, 2, 3).triu_(), torch.ones(1, 3).expand(3, 3).triu_(1)
x = torch.arange(3.).expand(2, 3); x.index_fill_(1, torch.tensor([0, 2]), 5.); print(x), nn.init.eye_(torch.zeros(3).expand(2, 3))
x = torch.zeros(3).expand(2, 3); x.copy_(x); x.copy_(torch.tensor(1.))
x = torch.zeros(3).expand(2, 3); x[...] = torch.tensor(2.); x[0] = torch.arange(3.); print(x); x[:] = torch.zeros(1)
x = torch.zeros(3).expand(2, 3).expand(2, 2, 3); x.fill_(3); x[1, 0, 1] = 4; x[:, 0, 2] = 5; print(x); x[0] = torch.zeros(2, 3)

# Under no_grad a view of a leaf may be written to.
w = torch.zeros(2, 2, requires_grad=True)
with torch.no_grad():
    w[0].fill_(1)
    w[:, 1] += 2
w
