import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
d, vocab = 16, 12
emb = nn.Embedding(vocab, d)
layer = nn.TransformerEncoderLayer(d_model=d, nhead=2, dim_feedforward=32, dropout=0.0, batch_first=True)
head = nn.Linear(d, vocab)
model = nn.ModuleList([emb, layer, head])
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)


def get_lr(it, warmup=4, max_lr=1e-3):
    return max_lr * min(1.0, (it + 1) / warmup)


ids = torch.randint(0, vocab, (4, 7))
mask = torch.triu(torch.full((6, 6), float("-inf")), diagonal=1)
for it in range(6):
    opt.lr = get_lr(it)
    logits = head(layer(emb(ids[:, :-1]), src_mask=mask))
    loss = F.cross_entropy(logits.reshape(-1, vocab), ids[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# right 21:     opt.param_groups[0]['lr'] = get_lr(it)
