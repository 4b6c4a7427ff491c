# Training with clipped gradients.
import torch, torch.nn as nn
torch.manual_seed(6)
m = nn.MultiheadAttention(8, 2, batch_first=True)
opt = torch.optim.Adam(m.parameters(), lr=1e-3)
x, y = torch.randn(4, 5, 8), torch.randn(4, 5, 8)
for i in range(3):
    out, _ = m(x, x, x)
    loss = ((out - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    nn.utils.clip_grad_norm_(m.parameters(), 1.0)
print(loss.item())
# right 12:     nn.utils.clip_grad_norm_(m.parameters(), 1.0)
# right 13:     opt.step()
