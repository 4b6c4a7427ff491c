import torch
import torch.nn as nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, d, max_len):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.d = d
        self.register_buffer("ck", torch.zeros(1, max_len, d))
        self.register_buffer("cv", torch.zeros(1, max_len, d))

    def forward(self, x, pos):
        q = self.q(x)
        keys, values = self.ck[:, :pos], self.cv[:, :pos]
        self.ck[:, pos:pos + 1] = self.k(x)
        self.cv[:, pos:pos + 1] = self.v(x)
        scores = q @ keys.transpose(-2, -1) / self.d ** 0.5
        return torch.softmax(scores, dim=-1) @ values


attn = Attention(16, 8)
with torch.no_grad():
    for pos, x in enumerate(torch.randn(5, 1, 1, 16)):
        y = attn(x, pos)
print(y.shape)
# right 17:         keys, values = self.ck[:, :pos + 1], self.cv[:, :pos + 1]
