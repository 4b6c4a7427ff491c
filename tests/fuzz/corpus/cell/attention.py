torch.manual_seed(1)
q = torch.randn(2, 3, 4)  # [batch, query_len, d]
k = torch.randn(2, 5, 4)  # [batch, key_len, d]
scores = q @ k.transpose(-2, -1) / math.sqrt(4)
mask = torch.tril(torch.ones(3, 5)).bool()
w = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
w.sum(-1)
