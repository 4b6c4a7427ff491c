# A training loop that measures after each round.
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(4)
m = nn.Sequential(nn.Embedding(12, 8), nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), nn.Linear(8, 12))
opt = torch.optim.SGD(m.parameters(), lr=0.1)
x = torch.randint(0, 12, (4, 5))
for epoch in range(3):
    loss = F.cross_entropy(m(x).view(-1, 12), x.flip(1).reshape(-1))
    opt.zero_grad(); loss.backward(); opt.step()
    m.eval()
    with torch.no_grad():
        print(epoch, F.cross_entropy(m(x).view(-1, 12), x.flip(1).reshape(-1)).item())
# right 8:     m.train(); loss = F.cross_entropy(m(x).view(-1, 12), x.flip(1).reshape(-1))
