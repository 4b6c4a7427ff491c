import torch
import torch.nn as nn

torch.manual_seed(0)
d, H, max_len = 24, 3, 32
hd = d // H
Wq, Wk, Wv = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
tril = torch.tril(torch.ones(max_len, max_len))

def split(t):
    b, n, _ = t.shape
    return t.view(b, n, H, hd).transpose(1, 2)

def attend(x, past=None):
    q, k, v = split(Wq(x)), split(Wk(x)), split(Wv(x))
    if past is not None:
        k = torch.cat((past[0], k), dim=2)
        v = torch.cat((past[1], v), dim=2)
    T, S = q.size(2), k.size(2)
    scores = q @ k.transpose(-2, -1) / hd ** 0.5
    scores = scores.masked_fill(tril[:T, :S] == 0, float('-inf'))
    w = scores.softmax(dim=-1)
    return (w @ v).transpose(1, 2).flatten(2), (k, v)

text = torch.randn(1, 10, d)
y1, past = attend(text[:, :6])         # prompt
y2, past = attend(text[:, 6:], past)   # the user adds four more words
print(y1.shape, y2.shape)
# right 21:     scores = scores.masked_fill(tril[S - T:S, :S] == 0, float('-inf'))
