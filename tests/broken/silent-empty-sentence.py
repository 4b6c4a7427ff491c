import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
PAD = 0

class Classifier(nn.Module):
    def __init__(self, vocab_size, width):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, width, padding_idx=PAD)
        self.query, self.key, self.value = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.head = nn.Linear(width, 2)

    def forward(self, ids):
        x = self.embed(ids)
        scores = self.query(x) @ self.key(x).transpose(1, 2) / x.size(-1) ** 0.5
        scores = scores.masked_fill((ids == PAD)[:, None, :], float("-inf"))
        return self.head((F.softmax(scores, dim=-1) @ self.value(x)).mean(1))

sentences = [[3, 4, 2], [], [5, 1], [2, 2, 6, 1]]
ids = torch.tensor([words + [PAD] * (4 - len(words)) for words in sentences])
labels = torch.tensor([0, 1, 0, 1])
model = Classifier(7, 8)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(3):
    loss = F.cross_entropy(model(ids), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
# right 21: sentences = [[3, 4, 2], [6], [5, 1], [2, 2, 6, 1]]
