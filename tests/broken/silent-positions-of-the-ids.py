# Words and their positions.
import torch, torch.nn as nn
torch.manual_seed(0)
class Emb(nn.Module):
    def __init__(self, vocab, d, max_len):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(max_len, d)
    def forward(self, ids):
        return self.tok(ids) + self.pos(ids)
m = Emb(50, 16, 50)
ids = torch.randint(0, 50, (2, 6))
x = m(ids)
w = torch.softmax(x @ x.transpose(1, 2) / 4, dim=-1)
print((w @ x).shape)
# right 10:         return self.tok(ids) + self.pos(torch.arange(ids.size(1)))
