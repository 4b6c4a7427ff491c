import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
vocab, dim, T = 25, 16, 8
emb, pos = nn.Embedding(vocab, dim), nn.Embedding(T, dim)
wq, wk, wv, head = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, vocab)
text = torch.randint(0, vocab, (100,))


def forward(idx):
    n = idx.shape[1]
    h = emb(idx) + pos(torch.arange(n))
    s = wq(h) @ wk(h).transpose(1, 2) / dim ** 0.5
    s = s.masked_fill(torch.triu(torch.ones(n, n, dtype=torch.bool), 1), -1e9)
    return head(h + s.softmax(-1) @ wv(h))


def get_batch():
    starts = torch.randint(0, len(text) - T - 1, (4,))
    x = torch.stack([text[i:i + T] for i in starts])
    y = torch.stack([text[i + 1:i + T + 1] for i in starts])
    return x, y


opt = torch.optim.Adam([p for m in (emb, pos, wq, wk, wv, head) for p in m.parameters()], lr=3e-3)
for step in range(5):
    x, y = get_batch()
    logits = forward(x)
    shift_logits = logits[:, :-1, :].contiguous()
    shift_labels = y[:, 1:].contiguous()
    loss = F.cross_entropy(shift_logits.view(-1, vocab), shift_labels.view(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
# right 31:     shift_logits = logits
# right 32:     shift_labels = y
