import torch, torch.nn as nn
torch.manual_seed(0)
class Pool(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.V, self.U, self.w = nn.Linear(d, 4), nn.Linear(d, 4), nn.Linear(4, 1)
    def forward(self, h):
        a = self.w(torch.tanh(self.V(h)) * torch.sigmoid(self.U(h)))
        a = torch.softmax(a, dim=1)
        return (a * h).sum(1)
print(Pool(8)(torch.randn(3, 5, 8)).shape)
class HAN(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.gru = nn.GRU(d, d, bidirectional=True, batch_first=True)
        self.att = nn.Linear(2 * d, 2 * d); self.ctx = nn.Linear(2 * d, 1, bias=False)
    def forward(self, x):
        h, _ = self.gru(x)
        s = self.ctx(torch.tanh(self.att(h)))
        w = torch.softmax(s, dim=1)
        return torch.bmm(w.transpose(1, 2), h).squeeze(1)
print(HAN(8)(torch.randn(3, 5, 8)).shape)
