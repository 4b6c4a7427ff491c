import torch
import torch.nn as nn

class Decoder(nn.Module):
    def __init__(self, width, memory_width):
        super().__init__()
        self.query = nn.Linear(width, 16)
        self.key = nn.Linear(memory_width, 16)
        self.value = nn.Linear(memory_width, 16)

    def forward(self, hidden, memory):
        scores = self.query(memory) @ self.key(memory).transpose(1, 2) / 16 ** 0.5
        return torch.softmax(scores, dim=-1) @ self.value(memory)

torch.manual_seed(0)
print(Decoder(8, 12)(torch.randn(2, 3, 8), torch.randn(2, 6, 12)).shape)
# right 12:         scores = self.query(hidden) @ self.key(memory).transpose(1, 2) / 16 ** 0.5
