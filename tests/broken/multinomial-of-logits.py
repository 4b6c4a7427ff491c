import torch
import torch.nn as nn
torch.manual_seed(0)
head = nn.Linear(8, 20)
logits = head(torch.randn(3, 8))
print(torch.multinomial(logits, 1))
# right 6: print(torch.multinomial(logits.softmax(-1), 1))
