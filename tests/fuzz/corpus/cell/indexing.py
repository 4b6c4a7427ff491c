x = torch.arange(24).view(2, 3, 4)
x[0, ..., None, ::2], x[:, [0, 2], -1], x[x > 5].sum()
x[1, :2] = -1
x[:, 1:, torch.tensor([0, 1])]
