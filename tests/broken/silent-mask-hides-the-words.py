import torch, math
import torch.nn as nn
torch.manual_seed(1)

pad_idx = 1

def attention(query, key, value, mask=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, value), p_attn

src = torch.tensor([[2, 5, 7, 3, 1, 1], [2, 9, 3, 1, 1, 1]])
src_mask = (src == pad_idx).unsqueeze(-2)
emb = nn.Embedding(12, 8)
x = emb(src)
out, p = attention(x, x, x, src_mask)
print(p[0])
# right 16: src_mask = (src != pad_idx).unsqueeze(-2)
