w = torch.nn.Parameter(torch.arange(6.).view(2, 3))
net = nn.Sequential(nn.Linear(3, 2), nn.GELU())
o = torch.optim.Adam([w, *net.parameters()], lr=0.1)
s = torch.optim.lr_scheduler.StepLR(o, 1)
for i in range(2):
    o.zero_grad()
    (net(w.detach() * 2) @ w).softmax(-1).log().mean().backward(retain_graph=True)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0), o.step(), s.step(3)
w.grad, torch.autograd.grad((w * w).sum(), w)
