import torch
import torch.nn as nn

torch.manual_seed(0)
T, V, D = 6, 9, 16

class TinyLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(V, D)
        self.pos = nn.Parameter(torch.zeros(T, D))
        self.qkv = nn.Linear(D, 3 * D)
        self.lm_head = nn.Linear(D, V)

    def forward(self, idx):
        x = self.tok(idx) + self.pos[: idx.shape[1]]
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        wei = q @ k.transpose(-2, -1) * D ** -0.5
        wei = wei.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf")).softmax(-1)
        return self.lm_head(x + wei @ v)

model = TinyLM()
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
data = torch.randint(0, V, (8, T + 1))
for it in range(4):
    xb, yb = data[:, :-1], data[:, 1:]
    logits = model(xb)
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), yb.reshape(-1))
    loss.backward()
    opt.zero_grad()
    opt.step()
    if it % 10 == 0:
        print(f"step {it}: loss {loss.item():.4f}")
# right 29:     opt.zero_grad()
# right 30:     loss.backward()
