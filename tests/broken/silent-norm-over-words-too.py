import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, n_embd, n_head, block_size):
        super().__init__()
        self.ln1 = nn.LayerNorm((block_size, n_embd))
        self.ln2 = nn.LayerNorm(n_embd)
        self.attn = nn.MultiheadAttention(n_embd, n_head, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))
        self.register_buffer("mask", torch.triu(torch.ones(block_size, block_size), diagonal=1).bool())

    def forward(self, x):
        h = self.ln1(x)
        a, _ = self.attn(h, h, h, attn_mask=self.mask)
        x = x + a
        return x + self.mlp(self.ln2(x))


torch.manual_seed(0)
print(Block(32, 4, 8)(torch.randn(2, 8, 32)).shape)
# right 8:         self.ln1 = nn.LayerNorm(n_embd)
