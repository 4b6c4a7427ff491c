# Padding of each text as a mask, without an axis for the queries: there are as many texts as words.
import torch
import torch.nn as nn

torch.manual_seed(0)
PAD = 0
ids = torch.tensor([[4, 7, 2, 0], [5, 1, 0, 0], [3, 3, 8, 6], [9, 0, 0, 0]])


class Encoder(nn.Module):
    def __init__(self, vocab=10, width=16):
        super().__init__()
        self.words = nn.Embedding(vocab, width, padding_idx=PAD)
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))

    def forward(self, ids):
        x = self.words(ids)
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        scores = scores.masked_fill(ids == PAD, float("-inf"))
        return scores.softmax(-1) @ v


print(Encoder()(ids).shape)

# right 20:         scores = scores.masked_fill((ids == PAD)[:, None, :], float("-inf"))
