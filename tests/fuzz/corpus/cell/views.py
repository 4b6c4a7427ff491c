x = torch.arange(12).reshape(3, -1).t()
y = x.contiguous().view(2, 6).permute(1, 0).unsqueeze(0).expand(2, 6, 2)
y.flatten(1).chunk(3, dim=1)[0].squeeze()
