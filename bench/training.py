# W4: a training step of a small GPT, the same text under PyTorch and attn-tutor. A line with n_steps is put before it.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
vocab_size, length, width, n_heads, batch_size = 65, 32, 64, 4, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)))

    def attend(self, x):
        q, k, v = (y.view(batch_size, length, n_heads, -1).transpose(1, 2) for y in self.qkv(x).split(width, dim=2))
        scores = q @ k.transpose(-2, -1) / (width // n_heads) ** 0.5
        weights = scores.masked_fill(self.mask == 0, float("-inf")).softmax(dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch_size, length, width))

    def forward(self, x):
        x = x + self.attend(self.norm_1(x))
        return x + self.down(F.gelu(self.up(self.norm_2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(vocab_size, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(Block(), Block())
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab_size)

    def forward(self, ids):
        return self.head(self.norm(self.blocks(self.words(ids) + self.places(torch.arange(length)))))


model = GPT()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
data = torch.randint(0, vocab_size, (10_000,))
for step in range(n_steps):
    starts = torch.randint(0, len(data) - length - 1, (batch_size,))
    ids = torch.stack([data[i : i + length] for i in starts])
    targets = torch.stack([data[i + 1 : i + length + 1] for i in starts])
    loss = F.cross_entropy(model(ids).view(-1, vocab_size), targets.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.4f}")
