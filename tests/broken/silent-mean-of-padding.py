# A vector for each sentence.
import torch, torch.nn as nn
torch.manual_seed(14)
ids = torch.tensor([[4, 5, 0, 0], [7, 8, 9, 3]])
emb = nn.Embedding(10, 8, padding_idx=0)
mask = (ids != 0).unsqueeze(-1).float()
x = emb(ids)
mha = nn.MultiheadAttention(8, 2, batch_first=True)
h, _ = mha(x, x, x, key_padding_mask=ids == 0)
sent = (h * mask).mean(dim=1)
print(sent.shape)
# right 10: sent = (h * mask).sum(dim=1) / mask.sum(dim=1)
