import torch
import torch.nn.functional as F

torch.manual_seed(0)


def sample(logits, k=5):
    values, indices = torch.sort(logits, dim=-1)
    values, indices = values[:, :k], indices[:, :k]
    probs = F.softmax(values, dim=-1)
    choice = torch.multinomial(probs, 1)
    return indices.gather(-1, choice)


logits = torch.randn(3, 20)
print(sample(logits))
# right 8:     values, indices = torch.sort(logits, dim=-1, descending=True)
