x = torch.tensor([[1., float("nan")], [float("inf"), -0.]])
x.max(dim=0), x.argmax(), x.mean(-1, keepdim=True), x.std(), x.cumsum(0), x.topk(1), x.sort(descending=True)
