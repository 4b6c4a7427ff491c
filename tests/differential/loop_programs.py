"""Random programs of loops: over tensors and arrays, numpy's scalars in tensors, generators, data sets and loaders."""

IMPORTS = ("import numpy as np", "import itertools",
           "from torch.utils.data import TensorDataset, Dataset, DataLoader, Subset, ConcatDataset, random_split")

# What the names in braces stand for, drawn anew at each place: a choice of texts.
PARTS = {
    "n": ("1", "2", "3", "4", "5", "7"), "m": ("2", "3", "4", "6"), "k": ("-1", "0", "1", "2", "3"),
    "x": ("0.5", "2", "-1.5", "10000", "3", "0.1"), "bool": ("True", "False"),
    "np": ("np.float64({x})", "np.float32({x})", "np.int64({n})", "np.int32({n})", "np.bool_({bool})", "np.sin({x})",
           "np.power(10., {x} / {m})", "np.sqrt({n})", "np.arange({n})[0]", "np.mean([{x}, {n}])",
           "np.exp(-{n})", "np.zeros({m})[{k}]", "np.float64({x}) * {n}", "np.random.rand()"),
    "dtype": ("torch.float32", "torch.int64", "torch.float64", "torch.bool"),
    "vector": ("torch.arange({n})", "torch.randn({n})", "torch.ones({n})", "torch.tensor([{x}, {n}, {x}])",
               "torch.rand({n}).double()", "torch.arange({n}) % 2 == 0"),
    "matrix": ("torch.randn({n}, {m})", "torch.arange({n} * {m}).view({n}, {m})", "torch.rand({m}, {n})",
               "torch.eye({m})"),
    "array": ("np.arange({n})", "np.linspace(0, {n}, {m})", "np.array([{x}, {n}, {x}])", "np.ones({m})"),
    "op": ("+", "-", "*", "/"), "items": ("{vector}", "{matrix}", "{array}", "range({n})", "[{x}, {n}]"),
    "loader": ("batch_size={m}", "batch_size={m}, shuffle=True", "batch_size={m}, drop_last=True", "shuffle=True",
               "batch_size={n}, shuffle=True, generator=torch.Generator().manual_seed({n})", "batch_size=None",
               "batch_size={n}, shuffle={bool}, drop_last={bool}", "batch_size={m}, collate_fn=lambda b: b"),
}

BLOCKS = (
    "t = torch.zeros({n}, {m})\nfor i in range({n}):\n    for j in range({m}):\n        t[i, j] = {np}\nprint(t)",
    "t = torch.zeros({n}, dtype={dtype})\nt[{k}] = {np}\nprint(t)",
    "t = torch.zeros({n}, {m}, dtype={dtype})\nt[:] = {np}\nt[{k}] = {np}\nprint(t, t.dtype)",
    "t = torch.ones({n}, dtype={dtype}) {op} {np}\nprint(t, t.dtype)",
    "t = {vector}\nt {op}= {np}\nprint(t, t.dtype)",
    "print(torch.tensor({np}), torch.tensor([{np}, {np}]), torch.full(({m},), {x}))",
    "print(torch.FloatTensor([{np}, {x}]), torch.tensor({array}).dtype, torch.as_tensor({np}))",
    "print(({matrix}).sum() {op} {np}, {np} {op} {n})",
    "p = np.zeros(({n}, {m}))\nfor k in range({n}):\n    for i in np.arange({m} // 2):\n"
    "        p[k, 2 * i] = np.sin(k / np.power({x}, 2 * i / {m}))\n        p[k, 2 * i + 1] = {np}\n"
    "print(torch.tensor(p), torch.from_numpy(p).float())",
    "total = 0\nfor i, v in enumerate({items}):\n    total = total + v\n    if i == {k}:\n        break\nprint(total)",
    "for a, b in zip({items}, {items}):\n    print(a, b)",
    "for row in {matrix}:\n    if row.sum() > {x}:\n        continue\n    print(row, [v.item() for v in row])",
    "s = {x}\nfor _ in range({n}):\n    s = s {op} {np}\nprint(s, type(s).__name__)",
    "out = []\nfor v in {vector}:\n    out.append(v {op} {n})\nprint(out, torch.stack(out) if out else None)",
    "i, t = 0, {vector}\nwhile i < len(t) and t[i] < {x}:\n    i += 1\nprint(i, t[:i])",
    "s = ''\nfor v in {items}:\n    s += f'{{v}};'\n    s += '.'\nprint(s, len(s))",
    "x = {vector}\nfor _ in range({n}):\n    x = x[torch.randperm(len(x))]\nprint(x)",
    "def g(n):\n    for i in range(n):\n        got = yield i {op} {x}\n        if got is not None:\n            yield got\n"
    "a = g({n})\nprint(next(a), a.send({n}), list(a))",
    "def rows(t, n):\n    for i in range(0, len(t), n):\n        yield t[i:i + n]\nfor part in rows({vector}, {m}):\n    print(part)",
    "def both(a):\n    yield from a\n    yield from reversed(list(a))\n    return 'end'\nprint(list(both({items})))",
    "g = (v {op} {n} for v in {vector} if v < {x})\nprint(next(g, None), sum(g), list(g))",
    "print(list(itertools.islice(itertools.count({n}, {m}), {n})), list(itertools.chain({array}, range({n}))))",
    "print([v for v in itertools.accumulate({array})], dict(zip('abc', {vector})))",
    "def closing():\n    try:\n        yield {x}\n        yield {n}\n    finally:\n        print('closed')\n"
    "c = closing()\nprint(next(c))\nc.close()\nprint(list(c))",
    "data = TensorDataset({matrix}, {vector})\nprint(len(data), data[{k}])",
    "x = {matrix}\ndata = TensorDataset(x, torch.arange(len(x)))\nfor a, b in DataLoader(data, {loader}):\n"
    "    print(a.shape, b)",
    "for batch in DataLoader({items}, {loader}):\n    print(batch)",
    "loader = DataLoader(range({n} + {m}), {loader})\nprint(len(loader), len(loader.dataset))\n"
    "for epoch in range(2):\n    print([b for b in loader], torch.rand(1))",
    "class D(Dataset):\n    def __len__(self):\n        return {n}\n    def __getitem__(self, i):\n"
    "        return dict(x=torch.full((2,), float(i)), y=i, z={np})\nfor b in DataLoader(D(), {loader}):\n    print(b)",
    "a, b = random_split(range({n} + {m}), [{n}, {m}])\nprint(list(a), list(b), a.indices)",
    "a, b = random_split(range(8), [5, 3], generator=torch.Generator().manual_seed({n}))\nprint(list(a), list(b))",
    "print([v for v in Subset({vector}, [0, {k}])], len(ConcatDataset([range({n}), range({m})])))",
    "def pad(batch):\n    n = max(len(b) for b in batch)\n    return torch.stack([F.pad(b, (0, n - len(b))) for b in batch])\n"
    "data = [torch.arange(i) for i in ({n}, {m}, {n}, 2)]\n"
    "for b in DataLoader(data, batch_size={m}, shuffle={bool}, collate_fn=pad):\n    print(b)",
    "it = iter(DataLoader(torch.arange({n} + {m}), batch_size={m}))\nprint(next(it), next(it, 'end'))",
    "w = torch.zeros({m}, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)\n"
    "for x in DataLoader(torch.randn({n}, {m}), batch_size=2, shuffle={bool}):\n    opt.zero_grad()\n"
    "    loss = ((x @ w - {m}) ** 2).mean()\n    loss.backward()\n    opt.step()\n    print(round(loss.item(), 3))\nprint(w)",
    "np.random.seed({n})\nrng = np.random.default_rng({n})\nprint(np.random.randint(0, 9, {m}), rng.integers(0, 9, {m}), "
    "rng.random({n}), rng.permutation({n}))",
    "a = np.arange({n} * {m}).reshape({n}, {m})\nprint(a[::-1], a[:, ::-1], a[{k}, ::-1], torch.tensor(a[::-1].copy()))",
)


def filled(maker, template):
    text = template.replace("{{", "\0").replace("}}", "\1")
    while "{" in text:
        before, _, rest = text.partition("{")
        name, _, after = rest.partition("}")
        text = before + maker.one_of(PARTS[name]) + after
    return text.replace("\0", "{").replace("\1", "}")


def loop_program(maker):
    for line in (*IMPORTS, f"torch.manual_seed({maker.rng.randint(0, 99)})"):
        maker.do(line)
    maker.do(f"np.random.seed({maker.rng.randint(0, 99)})")
    for _ in range(maker.rng.randint(1, 4)):
        maker.do(filled(maker, maker.one_of(BLOCKS)))
