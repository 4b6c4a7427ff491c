torch.tensor([3e9, -3e9, 70000.7, float("nan"), float("inf"), -1.5]).to(torch.int32), torch.tensor([3e9, -3e9, 70000.7, -1.5, 300.]).to(torch.uint8), torch.tensor([70000.7, -1.5, 300.]).short(), torch.tensor([70000.7, -1.5, 300.]).char()
torch.tensor([300, -1, 5]).byte(), torch.tensor([2 ** 31, -1]).int(), torch.tensor([True]).int(), torch.tensor([1.9]).int(), torch.tensor([1, 2]).half(), torch.tensor([0.1]).double().half()
torch.tensor([0.1, 1 / 3, 65519., 65520., 1e-8, 6e-8, 2049., 2051.]).half(), torch.tensor([0.1, 1 / 3, 3e38, 1e-40, 257., 259.]).bfloat16(), torch.tensor(0.1).half().item(), torch.tensor(0.1).bfloat16().item()
print(torch.tensor([0.1, 1 / 3]).half(), torch.arange(12).byte().view(3, 4), torch.zeros(0, dtype=torch.int32), torch.ones((), dtype=torch.uint8), torch.tensor([1000, 1]).int(), torch.ones(2, 2).bfloat16(), torch.tensor([1e4, 0.1]).half())
torch.tensor([1, 2], dtype=torch.int32), torch.tensor([-1], dtype=torch.uint8), torch.tensor([3.7], dtype=torch.int32), torch.tensor([1e6], dtype=torch.float16), torch.zeros(2, dtype=torch.int), torch.ones(2, dtype=torch.half), torch.full((2,), 7, dtype=torch.short)
torch.tensor([300], dtype=torch.uint8)
torch.tensor([3000000000], dtype=torch.int32)
torch.full((2,), 300, dtype=torch.uint8)
torch.full((2,), 1e6, dtype=torch.float16)
torch.arange(3, dtype=torch.int32), torch.arange(3, dtype=torch.float16), torch.eye(2, dtype=torch.uint8), torch.zeros_like(torch.ones(2).int()), torch.IntTensor([1, 2]), torch.ByteTensor([1, 2]), torch.HalfTensor([1, 2]), torch.ShortTensor(2).shape
torch.zeros(3).byte().type(), torch.zeros(3).half().type(), torch.zeros(3).bfloat16().type(), torch.zeros(3).int().type(), torch.zeros(1).type(torch.int32), torch.zeros(1).type("torch.ByteTensor"), torch.ones(1).type_as(torch.ones(1).int())
torch.int, torch.short, torch.half, torch.uint8, torch.int32 == torch.int, torch.ones(1).half().element_size(), torch.ones(1).int().element_size(), torch.ones(1).half().is_floating_point(), torch.ones(2).half().dtype
torch.tensor([1, 2]).int() + torch.tensor([1, 2]).byte(), torch.tensor([250]).byte() + 10, torch.tensor([1, 2]).int() * 1.5, torch.tensor([1, 2]).int() / 2, torch.tensor([1, 2]).int() + torch.tensor([1, 2]), 1 - torch.tensor([0, 1]).byte(), -torch.tensor([0, 1]).byte()
torch.tensor([7, -7]).int() // 2, torch.tensor([7, -7]).int() % 3, torch.tensor([3]).int() ** 2, ~torch.tensor([0, 1]).byte(), torch.tensor([5]).byte() & torch.tensor([4]).byte(), torch.tensor([2 ** 31 - 1]).int() + 1, torch.tensor([1, 2]).int() @ torch.tensor([3, 4]).int()
torch.tensor([1, 2]).int().sum(), torch.tensor([1, 5]).int().max(), torch.tensor([[1, 5]]).int().max(dim=1), torch.tensor([3, 1]).byte().sort(), torch.tensor([3, 1]).int().argmax(), torch.tensor([2, 3]).int().prod(), torch.tensor([2, 3]).int().cumsum(0), torch.tensor([4]).int().sqrt()
torch.tensor([3., 7.]).half() * 0.1, torch.tensor([3., 7.]).bfloat16() * 0.1, torch.tensor([3., 7.]).half() / 3, torch.tensor([3., 7.]).half() + 0.1, torch.tensor([1.]).half() + torch.tensor([1.]), torch.tensor([1.]).half() - torch.tensor([0.3]).half(), -torch.ones(1).half(), torch.tensor([-2.]).half().abs()
torch.tensor([1, 2]).int() == torch.tensor([1., 3.]), torch.tensor([0.1]).half() == 0.1, torch.tensor([1, 0]).byte() == 0, torch.tensor([1, 2]).int() < 2, torch.tensor([1.]).half() > torch.tensor([0.5]), torch.equal(torch.ones(2).int(), torch.ones(2).int())
torch.ones(2).masked_fill(torch.tensor([0, 1]).byte(), 5.), torch.where(torch.tensor([0, 1]).byte(), torch.ones(2), torch.zeros(2)), torch.ones(2)[torch.tensor([0, 1]).byte()], (1 - torch.tensor([[0, 1]]).byte()).bool(), torch.ones(2).bool().int(), torch.tensor([0, 1]).byte().bool()
torch.ones(2)[torch.tensor([0, 1]).int()]
torch.arange(6).int().view(2, 3).t(), torch.arange(6).half()[1:3], torch.cat([torch.ones(1).int(), torch.zeros(1).int()]), torch.stack([torch.ones(1).half()] * 2), torch.arange(4).byte().view(2, 2).tolist(), torch.ones(2, 2).half().tril(), torch.arange(3).int().unsqueeze(0).expand(2, 3), torch.arange(4).int().chunk(2), torch.arange(3).int().repeat(2), torch.arange(3).int().flip(0)
x = torch.zeros(3, dtype=torch.uint8); x[0] = 5; x[1:] = torch.tensor([7, 8]); y = x.clone(); y.fill_(3); x, y
x = torch.zeros(2, dtype=torch.float16); x[0] = 0.1; x[1] = torch.tensor(1 / 3); x, x.float()
F.embedding(torch.tensor([1, 2]).int(), torch.arange(6.).view(3, 2)), nn.Embedding(3, 2)(torch.tensor([[1, 2]]).int()).shape
torch.iinfo(torch.int32), torch.iinfo(torch.uint8).max, torch.finfo(torch.float16), torch.finfo(torch.float16).min, torch.finfo(torch.bfloat16), torch.iinfo(torch.int16).min
torch.randint(0, 5, (4,), dtype=torch.int32), torch.randint(0, 5, (2,), dtype=torch.uint8).dtype
torch.cuda.is_available(), torch.cuda.device_count(), torch.device("cpu"), torch.ones(2).to(torch.device("cpu")), torch.ones(1, device="cpu"), torch.device("cuda" if torch.cuda.is_available() else "cpu").type
int(torch.tensor([3]).int()), float(torch.tensor(0.5).half()), f"{torch.tensor(0.5).half():.2f}", [i for i in torch.arange(2).int()], torch.tensor(3).byte().item(), bool(torch.tensor([1]).byte()), list(range(torch.tensor(2).int()))
from torch.autograd import Variable; t = torch.ones(2); v = Variable(t); v[0] = 5; v, t, Variable(torch.ones(2), requires_grad=True), Variable(torch.ones(2), False)
