torch.einsum("bqd,bkd->bqk", torch.ones(2, 3, 4), torch.ones(2, 5, 4)).shape
