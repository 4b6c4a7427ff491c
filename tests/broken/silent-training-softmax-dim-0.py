import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.out = nn.Linear(d, vocab)

    def forward(self, idx):
        x = self.emb(idx)
        q, k, v = self.q(x), self.k(x), self.v(x)
        att = F.softmax(q @ k.transpose(1, 2) / k.size(-1) ** 0.5, dim=0)
        return self.out(att @ v)

model = Net(11, 8)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
data = torch.randint(0, 11, (4, 8))
labels = (data[:, 1:] + data[:, :-1]) % 11
for step in range(5):
    logits = model(data[:, :-1])
    loss = F.cross_entropy(logits.view(-1, 11), labels.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# right 16:         att = F.softmax(q @ k.transpose(1, 2) / k.size(-1) ** 0.5, dim=-1)
