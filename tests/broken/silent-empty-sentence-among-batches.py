import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class LanguageModel(nn.Module):
    def __init__(self, vocab_size, width):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, width, padding_idx=0)
        self.query, self.key, self.value = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.head = nn.Linear(width, vocab_size)

    def forward(self, ids):
        x = self.embed(ids)
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2) / k.size(-1) ** 0.5
        hidden = (torch.ones(ids.size(1), ids.size(1)).triu(1) == 1) | (ids == 0)[:, None]
        return self.head(F.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1) @ v)

model = LanguageModel(11, 8)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
text = torch.randint(1, 11, (20, 9))
text[9] = 0
for step in range(5):
    batch = text[4 * step:4 * step + 4]
    logits = model(batch[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, 11), batch[:, 1:].reshape(-1), ignore_index=0)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
# right 24: pass
