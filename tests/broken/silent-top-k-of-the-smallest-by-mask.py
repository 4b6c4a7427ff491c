import torch
import torch.nn.functional as F

torch.manual_seed(0)


def sample(logits, k=5):
    keep = torch.argsort(logits, dim=-1)[:, :k]
    mask = torch.full_like(logits, float("-inf"))
    mask.scatter_(-1, keep, 0.0)
    probs = F.softmax(logits + mask, dim=-1)
    return torch.multinomial(probs, 1)


logits = torch.randn(3, 20)
print(sample(logits))
# right 8:     keep = torch.argsort(logits, dim=-1, descending=True)[:, :k]
