# A classifier with attention over the states of a GRU.
import torch, torch.nn as nn
torch.manual_seed(7)
enc, dec = nn.GRU(6, 8, batch_first=True), nn.Linear(8, 3)
opt = torch.optim.SGD(list(enc.parameters()) + list(dec.parameters()), lr=0.1)
x, y = torch.randn(4, 5, 6), torch.randint(0, 3, (4,))
for i in range(3):
    h, _ = enc(x)
    w = torch.softmax(h.detach() @ h.detach()[:, -1:].transpose(1, 2), dim=1)
    c = (w * h.detach()).sum(1)
    loss = nn.functional.cross_entropy(dec(c), y)
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
# right 9:     w = torch.softmax(h @ h[:, -1:].transpose(1, 2), dim=1)
# right 10:     c = (w * h).sum(1)
