import torch
import torch.nn.functional as F

torch.manual_seed(0)


def sample(logits, k=5):
    v, _ = torch.topk(logits, k)
    logits = logits.masked_fill(logits >= v[:, [-1]], -float("inf"))
    return torch.multinomial(F.softmax(logits, dim=-1), 1)


logits = torch.randn(3, 20)
print(torch.cat([sample(logits) for _ in range(6)], dim=1))
# right 9:     logits = logits.masked_fill(logits < v[:, [-1]], -float("inf"))
