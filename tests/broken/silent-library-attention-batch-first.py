import torch
import torch.nn as nn

class Block(nn.Module):
    def __init__(self, vocab_size, embed_dim, num_heads):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.attn = nn.MultiheadAttention(embed_dim, num_heads)
        self.norm = nn.LayerNorm(embed_dim)

    def forward(self, tokens):
        x = self.embed(tokens)
        out, weights = self.attn(x, x, x)
        return self.norm(x + out), weights

torch.manual_seed(0)
tokens = torch.randint(0, 50, (3, 7))
out, weights = Block(50, 16, 4)(tokens)
print(out.shape, weights.shape)
# right 8:         self.attn = nn.MultiheadAttention(embed_dim, num_heads, batch_first=True)
