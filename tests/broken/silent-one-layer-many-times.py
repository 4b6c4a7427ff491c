# An encoder of three layers.
import torch, torch.nn as nn
torch.manual_seed(2)
class Encoder(nn.Module):
    def __init__(self, vocab, d, n):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        layer = nn.TransformerEncoderLayer(d, 2, 4 * d, batch_first=True)
        self.layers = nn.ModuleList([layer] * n)
    def forward(self, ids):
        x = self.emb(ids)
        for l in self.layers:
            x = l(x)
        return x
m = Encoder(20, 8, 3)
print(m(torch.randint(0, 20, (2, 5))).shape)
print(sum(p.numel() for p in m.parameters()))
# right 9:         self.layers = nn.ModuleList([nn.TransformerEncoderLayer(d, 2, 4 * d, batch_first=True) for _ in range(n)])
