import torch
import torch.nn as nn
import torch.nn.functional as F

class GPT(nn.Module):
    def __init__(self, vocab, d, max_len=16):
        super().__init__()
        self.wte = nn.Embedding(vocab, d)
        self.wpe = nn.Embedding(max_len, d)
        self.drop = nn.Dropout(0.2)
        self.qkv = nn.Linear(d, 3 * d)
        self.head = nn.Linear(d, vocab)
    def forward(self, idx):
        T = idx.size(1)
        x = self.drop(self.wte(idx) + self.wpe(torch.arange(T)))
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        att = q @ k.transpose(-2, -1) / k.size(-1) ** 0.5
        att = att.masked_fill(torch.tril(torch.ones(T, T)) == 0, float('-inf'))
        att = self.drop(F.softmax(att, dim=-1))
        return self.head(x + att @ v)

torch.manual_seed(0)
model = GPT(20, 16)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
batch = torch.randint(0, 20, (4, 9))
for _ in range(5):
    loss = F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()

# now write something
model.train()
idx = torch.tensor([[1, 4]])
with torch.no_grad():
    for _ in range(8):
        logits = model(idx)[:, -1]
        idx = torch.cat([idx, logits.argmax(dim=-1, keepdim=True)], dim=1)
print(idx)
# right 33: model.eval()
