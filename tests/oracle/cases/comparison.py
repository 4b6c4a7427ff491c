torch.arange(4) < 2
torch.arange(6)[None, :] < torch.tensor([[6], [4], [2]])
torch.tensor([1.0, float("nan"), float("inf")]) == torch.tensor([1.0, float("nan"), float("inf")])
torch.tensor([1.0, float("nan")]) != torch.tensor([1.0, float("nan")])
torch.tensor([1, 2, 3]) >= 2.5
2 > torch.tensor([1, 2, 3])
torch.tensor([True, False]) == 1
torch.tensor(0.1) == 0.1
torch.tensor([0.1], dtype=torch.float64) == torch.tensor([0.1])
torch.zeros(2, 0) == torch.zeros(1, 1)
torch.isnan(torch.tensor([0.0, float("nan"), float("inf")]))
torch.isinf(torch.tensor([1e38, float("-inf"), float("nan")]))
torch.isfinite(torch.tensor([1.0, float("-inf"), float("nan")]))
torch.isnan(torch.arange(3))
torch.eq(torch.arange(3), torch.tensor([0, 2, 2])), torch.gt(torch.arange(3), 1), torch.le(torch.arange(3), 1)
torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.00001]))
torch.allclose(torch.tensor([1.0]), torch.tensor([1.0001])), torch.allclose(torch.tensor([1.0]), torch.tensor([1.0001]), atol=1e-3)
torch.allclose(torch.tensor([float("nan")]), torch.tensor([float("nan")])), torch.allclose(torch.tensor([float("nan")]), torch.tensor([float("nan")]), equal_nan=True)
torch.equal(torch.arange(3), torch.arange(3)), torch.equal(torch.zeros(2), torch.zeros(2, 1)), torch.equal(torch.zeros(0), torch.zeros(0))
torch.tensor([1, 2]) == None
torch.tensor([1, 2]) == [1, 2]
torch.arange(3) == torch.arange(4)

# where two tensors are close
a = torch.tensor([1.0, 2.0, float("nan"), float("inf"), 0.0])
b = torch.tensor([1.0 + 1e-6, 2.1, float("nan"), float("inf"), 1e-9])
torch.isclose(a, b), torch.isclose(a, b, equal_nan=True), torch.isclose(a, b, rtol=0, atol=0), a.isclose(b, atol=0.2)

torch.isclose(torch.tensor([10, 11, 12]), torch.tensor([10, 12, 12]), rtol=0.1)
torch.isclose(torch.tensor([1, 2]), torch.tensor([1.0, 2.0]))
