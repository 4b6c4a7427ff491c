# The likeliest word, four times.
import torch, torch.nn as nn
torch.manual_seed(12)
V, d = 9, 8
emb, lin = nn.Embedding(V, d), nn.Linear(d, V)
layer = nn.TransformerEncoderLayer(d, 2, 16, batch_first=True).eval()
ids = torch.tensor([[1, 2, 3]])
with torch.no_grad():
    for _ in range(4):
        T = ids.size(1)
        m = torch.triu(torch.full((T, T), float('-inf')), 1)
        logits = lin(layer(emb(ids), src_mask=m))
        nxt = logits[:, -1].argmax(0)[:1].unsqueeze(0)
        ids = torch.cat([ids, nxt], 1)
print(ids)
# right 13:         nxt = logits[:, -1].argmax(-1)[:1].unsqueeze(0)
