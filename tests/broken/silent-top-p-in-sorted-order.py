import torch
import torch.nn.functional as F

torch.manual_seed(0)


def top_p_sample(logits, p=0.9):
    sorted_logits, sorted_idx = torch.sort(logits, descending=True, dim=-1)
    cumulative = torch.cumsum(F.softmax(sorted_logits, dim=-1), dim=-1)
    remove = cumulative > p
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = False
    logits = logits.masked_fill(remove, float("-inf"))
    return torch.multinomial(F.softmax(logits, dim=-1), 1)


print(top_p_sample(torch.randn(3, 12) * 2))
# right 13:     logits = logits.masked_fill(remove.scatter(1, sorted_idx, remove), float("-inf"))
