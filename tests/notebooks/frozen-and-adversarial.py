import torch, torch.nn as nn
torch.manual_seed(0)
body, head = nn.Linear(8, 8), nn.Linear(8, 2)
for p in body.parameters(): p.requires_grad = False
opt = torch.optim.Adam(head.parameters(), lr=0.01)
x, y = torch.randn(6, 8), torch.randint(0, 2, (6,))
for i in range(3):
    loss = nn.CrossEntropyLoss()(head(torch.relu(body(x))), y)
    opt.zero_grad(); loss.backward(); opt.step()
g, d = nn.Linear(2, 4), nn.Linear(4, 1)
og, od = torch.optim.Adam(g.parameters()), torch.optim.Adam(d.parameters())
for i in range(3):
    z = torch.randn(5, 2)
    od.zero_grad(); (d(g(z).detach()).mean() - d(torch.randn(5, 4)).mean()).backward(); od.step()
    og.zero_grad(); (-d(g(z)).mean()).backward(); og.step()
print(loss)
with torch.no_grad():
    w = torch.randn(3, requires_grad=True)
w = torch.zeros(3, requires_grad=True)
for i in range(3):
    l = ((w - 1) ** 2).sum(); l.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
print(w)
