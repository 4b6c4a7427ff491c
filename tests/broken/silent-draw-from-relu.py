import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
head = nn.Linear(8, 20)
logits = head(torch.randn(3, 8))
probs = F.relu(logits)
print(torch.multinomial(probs, 1))
# right 8: probs = F.softmax(logits, dim=-1)
