import torch
from torch import nn
torch.manual_seed(0)
X = torch.randn(8, 5, 12)
y = torch.randint(0, 2, (8,))
attn = nn.MultiheadAttention(12, 3, batch_first=True)
clf = nn.Linear(12, 2)
opt = torch.optim.Adam(list(attn.parameters()) + list(clf.parameters()))
losses = []
for i in range(3):
    out, _ = attn(X, X, X)
    logits = clf(out.mean(1))
    loss = nn.CrossEntropyLoss()(logits, y).item()
    losses.append(loss)
    opt.zero_grad()
    loss.backward()
    opt.step()
# right 13:     loss = nn.CrossEntropyLoss()(logits, y)
# right 14:     losses.append(loss.item())
