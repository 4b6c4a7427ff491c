import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class LanguageModel(nn.Module):
    def __init__(self, vocab_size, width):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, width)
        self.query, self.key, self.value = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, vocab_size)

    def forward(self, ids):
        x = self.embed(ids)
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2) / k.size(-1) ** 0.5
        scores = scores.masked_fill(torch.ones(ids.size(1), ids.size(1)).triu(1) == 1, float("-inf"))
        return self.head(self.drop(F.softmax(scores, dim=-1) @ v))

model = LanguageModel(11, 8)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
text = torch.randint(0, 11, (4, 9))
inputs, targets = text[:, :-1], text[:, 1:]
for step in range(6):
    logits = model(inputs)
    loss = F.cross_entropy(logits.reshape(-1, 11), targets.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    pass
model.eval()
with torch.no_grad():
    print(F.cross_entropy(model(inputs).reshape(-1, 11), targets.reshape(-1)))
# right 31:     optimizer.step()
