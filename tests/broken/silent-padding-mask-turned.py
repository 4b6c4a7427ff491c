import torch
from torch import nn

PAD = 0
torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self, vocab_size=20, d_model=16, nhead=2, num_layers=2, max_len=32):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, d_model, padding_idx=PAD)
        self.pos = nn.Embedding(max_len, d_model)
        layer = nn.TransformerEncoderLayer(d_model, nhead, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, src):
        positions = torch.arange(src.size(1)).unsqueeze(0)
        h = self.embed(src) + self.pos(positions)
        src_key_padding_mask = (src != PAD)
        h = self.encoder(h, src_key_padding_mask=src_key_padding_mask)
        return self.head(h)


batch = torch.tensor([[5, 6, 7, 8, 0, 0], [9, 3, 0, 0, 0, 0], [4, 4, 2, 11, 12, 0]])
model = Encoder()
logits = model(batch)
print(logits.shape)
# right 20:         src_key_padding_mask = (src == PAD)
