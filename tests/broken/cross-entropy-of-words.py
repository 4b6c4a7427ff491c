import torch
import torch.nn.functional as F
scores = torch.zeros(3, 5, 7)  # [batch_size, query_len, vocab_size]
targets = torch.zeros(3, 5).long()  # [batch_size, query_len]
loss = F.cross_entropy(scores, targets)
