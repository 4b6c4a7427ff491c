import torch
import torch.nn.functional as F

torch.manual_seed(0)


def sample(logits, k=5, temperature=0.8):
    logits = logits / temperature
    v, _ = torch.topk(logits, min(k, logits.size(-1)))
    logits[logits < v[:, [0]]] = -float("inf")
    probs = F.softmax(logits, dim=-1)
    return torch.multinomial(probs, num_samples=1)


logits = torch.randn(3, 20)
print(torch.cat([sample(logits) for _ in range(6)], dim=1))
# right 10:     logits[logits < v[:, [-1]]] = -float("inf")
