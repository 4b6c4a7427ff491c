# Characters of a text file, as small language models begin; the text is this program.
import json
import os

import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(1337)

path = 'text-from-a-file.py'
if not os.path.exists(path):
    raise SystemExit('there is no text')
with open(path, 'r', encoding='utf-8') as f:
    text = f.read()
print('length in characters:', len(text))
print(text[:40])

chars = sorted(list(set(text)))
stoi = {ch: i for i, ch in enumerate(chars)}
itos = {i: ch for ch, i in stoi.items()}
encode = lambda s: [stoi[c] for c in s]
decode = lambda ids: ''.join(itos[i] for i in ids)
print(''.join(chars).strip(), len(chars))
print(encode('torch'), decode(encode('torch')))

data = torch.tensor(encode(text), dtype=torch.long)
n = int(0.9 * len(data))
train_data, val_data = data[:n], data[n:]
ix = torch.randint(len(train_data) - 8, (4,))
xb = torch.stack([train_data[i:i + 8] for i in ix])
yb = torch.stack([train_data[i + 1:i + 9] for i in ix])
print(xb.shape, repr(decode(xb[0].tolist())))


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer('tril', torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        B, T, C = x.shape
        k, q = self.key(x), self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))
        return F.softmax(wei, dim=-1) @ self.value(x)


token = nn.Embedding(len(chars), 16)
head, lm_head = Head(16, 16, 8), nn.Linear(16, len(chars))
logits = lm_head(head(token(xb)))
loss = F.cross_entropy(logits.view(-1, len(chars)), yb.view(-1))
print(f'loss {loss.item():.4f}')

with open(path) as f:
    first = f.readline()
    words = [line.split() for line in f if line.startswith('import')]
print(first.rstrip(), words, f.closed)
try:
    open('no-such-file.txt')
except FileNotFoundError as error:
    print(error)
print(json.dumps({'chars': len(chars), 'lines': len(open(path).readlines())}))
