torch.tensor([1, 2], dtype=torch.float64).half().to(torch.int64) + torch.tensor(True), torch.zeros(0, 3).dtype, torch.finfo(torch.float32).max
