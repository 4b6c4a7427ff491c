(torch.arange(2) + 1.5).dtype, (torch.arange(2) + torch.ones(2)).dtype, (torch.arange(2) + 1).dtype
(torch.ones(2) + torch.ones(2, dtype=torch.float64)).dtype, (torch.ones(2) + torch.tensor(1.0, dtype=torch.float64)).dtype
(torch.arange(2) + torch.tensor(1.5, dtype=torch.float64)).dtype, (torch.arange(2) * torch.tensor(2.0)).dtype
(torch.tensor([True]) + 1).dtype, (torch.tensor([True]) * 2.5).dtype, (torch.tensor([True]) + torch.tensor([True]))
(torch.tensor([1]) / torch.tensor([2])).dtype, (torch.tensor([1]) // torch.tensor([2])).dtype
torch.tensor([1, 2]).float(), torch.tensor([1.9, -1.9]).long(), torch.tensor([0.0, 0.5]).bool()
torch.tensor([1, 2]).double(), torch.tensor([0.1]).double()
torch.tensor([1, 2]).to(torch.float64).dtype, torch.tensor([1.5]).to(dtype=torch.int64), torch.zeros(2).to("cpu").dtype
torch.tensor([1, 2]).type_as(torch.zeros(1)), torch.zeros(2).type(torch.int64)
torch.tensor([1, 2]).dtype == torch.int64, torch.float is torch.float32, torch.long == torch.int64
torch.tensor([1.0, 2.0]).dtype, torch.tensor([1, 2]).dtype, torch.tensor([True]).dtype, torch.tensor([1, 2.0]).dtype
torch.tensor(3).item(), torch.tensor(0.1).item(), torch.tensor([[True]]).item()
torch.tensor([[1, 2], [3, 4]]).tolist(), torch.tensor(2.5).tolist(), torch.tensor([0.5, True]).tolist()
int(torch.tensor(3.7)), float(torch.tensor([2]))
torch.exp(torch.arange(3)).dtype, torch.sqrt(torch.tensor([4])), torch.arange(3).sum().dtype, torch.tensor([True, True]).sum()
torch.where(torch.tensor([True, False]), torch.tensor([1, 2]), torch.tensor([3, 4])).dtype
torch.tensor([16777217]).float().long(), torch.tensor([2 ** 53 + 1]).double().long()
torch.tensor([float("nan")]).bool(), torch.tensor([300]).to(torch.uint8), torch.tensor([70000.0]).to(torch.int32)
x = torch.ones(2); x.float() is x, x.to(torch.float32) is x
torch.is_tensor(torch.ones(1)), torch.ones(1).is_floating_point(), isinstance(torch.ones(1), torch.Tensor)
torch.tensor([0.1]) + torch.tensor([0.2]), torch.tensor(0.1) + 0.2, (torch.tensor(0.1) + 0.2).item()
torch.tensor([9223372036854775807]) + 1
torch.tensor([1, 2]).item()
torch.tensor([True]) - torch.tensor([True])
-torch.tensor([True])
