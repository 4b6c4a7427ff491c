import torch
import torch.nn as nn

class Encoder(nn.Module):
    def __init__(self, vocab_size, width):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, width)
        self.gru = nn.GRU(width, width)

    def forward(self, ids):
        out, h = self.gru(self.embed(ids))
        return out

torch.manual_seed(0)
print(Encoder(20, 8)(torch.randint(0, 20, (3, 6))).shape)
# right 8:         self.gru = nn.GRU(width, width, batch_first=True)
