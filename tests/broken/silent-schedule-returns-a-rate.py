import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
d, vocab = 16, 12
emb = nn.Embedding(vocab, d)
layer = nn.TransformerEncoderLayer(d_model=d, nhead=2, dim_feedforward=32, dropout=0.0, batch_first=True)
head = nn.Linear(d, vocab)
model = nn.ModuleList([emb, layer, head])
base_lr, warmup = 1e-3, 4
opt = torch.optim.AdamW(model.parameters(), lr=base_lr)


def schedule(step):
    if step < warmup:
        return base_lr * (step + 1) / warmup
    return base_lr


sched = torch.optim.lr_scheduler.LambdaLR(opt, schedule)
ids = torch.randint(0, vocab, (4, 7))
mask = torch.triu(torch.full((6, 6), float("-inf")), diagonal=1)
for step in range(6):
    logits = head(layer(emb(ids[:, :-1]), src_mask=mask))
    loss = F.cross_entropy(logits.reshape(-1, vocab), ids[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(loss.item())
# right 17:         return (step + 1) / warmup
# right 18:     return 1.0
