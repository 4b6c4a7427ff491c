import torch
import torch.nn.functional as F

torch.manual_seed(0)
cache_k, cache_v = torch.randn(1, 2, 6, 4), torch.randn(1, 2, 6, 4)
k, v = torch.randn(1, 2, 1, 4), torch.randn(1, 2, 1, 4)
q = torch.randn(1, 2, 1, 4)
k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
print(out)
# right 9: out = F.scaled_dot_product_attention(q, k, v)
