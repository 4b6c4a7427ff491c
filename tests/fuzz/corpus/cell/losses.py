F.cross_entropy(torch.zeros(3, 5), torch.tensor([1, 0, 4])), F.scaled_dot_product_attention(*torch.ones(3, 1, 2, 4), is_causal=True)
