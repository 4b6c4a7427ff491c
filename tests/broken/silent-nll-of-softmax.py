import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Model(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.classify = nn.Linear(dim, classes)

    def forward(self, tokens):
        e = self.embedding(tokens)
        q, k, v = self.q(e), self.k(e), self.v(e)
        a = torch.softmax(torch.bmm(q, k.permute(0, 2, 1)) / q.shape[2] ** 0.5, dim=2)
        return F.softmax(self.classify(torch.bmm(a, v)[:, 0]), dim=1)

model = Model(15, 8, 3)
criterion = nn.NLLLoss()
optim = torch.optim.SGD(model.parameters(), lr=0.5)
tokens, labels = torch.randint(0, 15, (10, 4)), torch.randint(0, 3, (10,))
for epoch in range(4):
    optim.zero_grad()
    loss = criterion(model(tokens), labels)
    loss.backward()
    optim.step()
print("loss", loss.item())
# right 17:         return F.log_softmax(self.classify(torch.bmm(a, v)[:, 0]), dim=1)
