import math
import torch
import torch.nn as nn

class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=50):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[:x.size(0)]

torch.manual_seed(0)
embed = nn.Embedding(20, 8)
tokens = torch.randint(0, 20, (3, 6))
x = PositionalEncoding(8)(embed(tokens))
scores = x @ x.transpose(1, 2) / math.sqrt(8)
print((torch.softmax(scores, dim=-1) @ x).shape)
# right 16:         return x + self.pe[:x.size(1), 0]
