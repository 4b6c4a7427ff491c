import torch
import torch.nn as nn

class AdditiveAttention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.W_q = nn.Linear(hidden, hidden, bias=False)
        self.W_k = nn.Linear(hidden, hidden, bias=False)
        self.w_v = nn.Linear(hidden, 1, bias=False)

    def forward(self, queries, keys, values):
        q, k = self.W_q(queries), self.W_k(keys)
        scores = self.w_v(torch.tanh(q + k)).squeeze(-1)
        weights = torch.softmax(scores, dim=-1)
        return torch.bmm(weights.unsqueeze(1), values)

torch.manual_seed(0)
x = torch.randn(2, 5, 8)
y = torch.randn(2, 5, 8)
print(AdditiveAttention(8)(x, y, y).shape)
# right 13:         scores = self.w_v(torch.tanh(q.unsqueeze(2) + k.unsqueeze(1))).squeeze(-1)
# right 15:         return torch.bmm(weights, values)
