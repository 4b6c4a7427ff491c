1 / 0
1 // 0
1.0 % 0
undefined_name
[1, 2][2]
{"a": 1}["b"]
"a" + 1
1 + "a"
[1] + (2,)
len(3)
int("x")
float("1,5")
None.shape
torch.ones(2).foo
torch.foo
nn.Linear(2, 2).foo
a, b = 1, 2, 3
a, b, c = 1, 2
assert 5 % 2 == 0
assert 8 % 3 == 0, f"hidden_dim {8} does not split into {3} heads"
math.sqrt(-1)
math.log(0)
(1, 2)[0] = 3
"abc"[0] = "d"
3(4)
for x in 5: print(x)
[1, 2].foo()
"x" < 1
{[1]: 2}
[3, 1].index(2)
int(None)
range(1.5)
print(undefined_one + 1)
torch.ones(2, 3) + torch.ones(2, 4)
torch.ones(2) + "a"
torch.ones(2) + None
torch.ones(2) + [1, 2]
torch.cat(torch.ones(2))
torch.ones(2).view()
torch.softmax([1.0, 2.0], dim=0)
torch.tensor("a")
torch.tensor([None])
torch.tensor([1, "a"])
torch.matmul(torch.ones(2))
torch.zeros(3).item()
if torch.tensor([1, 2]): print("no")
int(torch.ones(2))
len(torch.tensor(1))
for x in torch.tensor(3): print(x)
torch.ones(2, requires_grad=True).tolist(), torch.ones(2).unknown_method()
print("before"); torch.ones(2, 3) @ torch.ones(2, 3); print("after")
torch.arange(4).view(2, 2)[0][5]
nn.init.zeros_(None)
nn.init.xavier_uniform_(nn.Linear(2, 2, bias=False).bias)
nn.init.normal_([1.0]), nn.init.ones_(2)
nn.init.kaiming_uniform_(None)
