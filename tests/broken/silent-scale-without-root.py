import torch
torch.manual_seed(0)
Q = torch.randn(3, 2, 5, 4)  # [batch_size, n_heads, query_len, head_dim]
K = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
V = torch.randn(3, 2, 6, 4)  # [batch_size, n_heads, key_len, head_dim]
weights = (Q @ K.transpose(-2, -1) / Q.size(-1)).softmax(dim=-1)
x = weights @ V
# right 6: weights = (Q @ K.transpose(-2, -1) / Q.size(-1) ** 0.5).softmax(dim=-1)
