import torch
import torch.nn.functional as F

torch.manual_seed(0)
q, k, v = torch.randn(2, 2, 5, 4), torch.randn(2, 2, 5, 4), torch.randn(2, 2, 5, 4)
mask = torch.triu(torch.ones(5, 5), diagonal=1).bool()
print(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)[0, 0])
# right 7: print(F.scaled_dot_product_attention(q, k, v, attn_mask=~mask)[0, 0])
