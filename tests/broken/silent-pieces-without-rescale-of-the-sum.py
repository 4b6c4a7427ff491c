import torch

torch.manual_seed(0)


def flash(q, k, v, block=2):
    T, d = q.shape
    m = torch.full((T, 1), float("-inf"))
    l = torch.zeros(T, 1)
    o = torch.zeros(T, d)
    for start in range(0, k.shape[0], block):
        kb, vb = k[start:start + block], v[start:start + block]
        s = q @ kb.T / d ** 0.5
        m_new = torch.maximum(m, s.max(dim=-1, keepdim=True).values)
        p = torch.exp(s - m_new)
        l = l + p.sum(dim=-1, keepdim=True)
        o = o * torch.exp(m - m_new) + p @ vb
        m = m_new
    return o / l


q, k, v = torch.randn(4, 8), torch.randn(6, 8), torch.randn(6, 8)
print(flash(q, k, v))
# right 16:         l = l * torch.exp(m - m_new) + p.sum(dim=-1, keepdim=True)
