import torch

torch.manual_seed(0)
q, k, v = torch.randn(4, 8), torch.randn(6, 8), torch.randn(6, 8)
block, d = 2, 8
m = torch.full((4, 1), float("-inf"))
l = torch.zeros(4, 1)
acc = torch.zeros(4, d)
for start in range(0, 6, block):
    s = q @ k[start:start + block].T / d ** 0.5
    m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
    p = torch.exp(s - m_new)
    alpha = torch.exp(m - m_new)
    l = alpha * l + p.sum(dim=-1, keepdim=True)
    acc += p @ v[start:start + block]
    m = m_new
print(acc / l)
# right 15:     acc = alpha * acc + p @ v[start:start + block]
