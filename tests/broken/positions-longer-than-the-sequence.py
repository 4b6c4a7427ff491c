import torch
import torch.nn as nn

class Embeddings(nn.Module):
    def __init__(self, vocab_size, max_len, width):
        super().__init__()
        self.words = nn.Embedding(vocab_size, width)
        self.positions = nn.Parameter(torch.zeros(1, max_len, width))

    def forward(self, ids):
        B, T = ids.shape
        return self.words(ids) + self.positions

torch.manual_seed(0)
print(Embeddings(10, 16, 8)(torch.randint(0, 10, (2, 5))).shape)
# right 12:         return self.words(ids) + self.positions[:, :T]
