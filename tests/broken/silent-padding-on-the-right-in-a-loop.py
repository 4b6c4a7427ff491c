import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)
vocab, d = 20, 16
emb = nn.Embedding(vocab, d)
layer = nn.TransformerEncoderLayer(d, 2, 32, dropout=0.0, batch_first=True)
head = nn.Linear(d, vocab)
prompts = [torch.tensor([5, 3, 9, 2]), torch.tensor([7, 1])]
ids = pad_sequence(prompts, batch_first=True, padding_value=0)
with torch.no_grad():
    for _ in range(4):
        T = ids.size(1)
        mask = nn.Transformer.generate_square_subsequent_mask(T)
        h = layer(emb(ids), mask, src_key_padding_mask=ids == 0)
        logits = head(h)
        probs = F.softmax(logits[:, -1, :], dim=-1)
        ids = torch.cat([ids, torch.multinomial(probs, 1)], dim=1)
print(ids)
# right 11: prompts = [torch.tensor([5, 3, 9, 2]), torch.tensor([7, 1, 8, 8])]
