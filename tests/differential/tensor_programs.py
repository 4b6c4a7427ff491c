"""Random programs with tensors: indexing, operators, writes in place, einsum, conversions, layers, calls of ops."""

import re

from op_calls import indices, op_call
from outcome import EXACT
from sums import sum_of

OPERATORS = {"+": 5, "-": 5, "*": 5, "/": 4, "//": 2, "%": 2, "**": 2, "==": 2, "!=": 1, "<": 2, "<=": 1, ">": 2,
             ">=": 1, "&": 1, "|": 1, "^": 1, "@": 2, "<<": 0.3, ">>": 0.3}
IN_PLACE = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=")
CONVERSIONS = ("float", "double", "long", "int", "bool", "byte", "half", "short", "char", "bfloat16", "item", "tolist",
               "clone", "contiguous", "dim", "numel", "t", "detach", "size", "is_contiguous", "numpy")


def an_index(maker, tensor):
    """What stands between the brackets: ints, slices, None, ..., masks and tensors of indices."""
    items, axis, rank = [], 0, tensor.dim()
    while axis < rank and maker.chance(0.75):
        size = tensor.shape[axis]
        kind = maker.weighted({"int": 5, "slice": 7, "tensor": 1.5, "list": 0.7, "mask": 0.6, "None": 0.7, "...": 0.4})
        if kind == "...":
            if "..." in items:
                continue
            items.append("...")
            axis += maker.rng.randint(0, rank - axis)
            continue
        items.append(one_index(maker, kind, size))
        axis += kind != "None"
    if maker.chance(0.03):
        items.append(maker.one_of(("0", "None", "...", "True", "1.5")))
    return ", ".join(items) if items else maker.one_of(("...", ":", "None", "()"))


def one_index(maker, kind, size):
    if kind == "int":
        reach = size if maker.chance(0.93) else size + 2
        return str(maker.rng.randint(-reach, max(reach - 1, 0)))
    if kind == "slice":
        ends = [str(maker.rng.randint(-size - 1, size + 1)) if maker.chance(0.5) else "" for _ in range(2)]
        step = maker.weighted({"": 6, ":2": 2, ":3": 1, ":-1": 0.1, ":": 0.3, ":0": 0.1})
        return f"{ends[0]}:{ends[1]}{step}"
    if kind == "tensor":
        return indices(maker, maker.shape(maker.one_of((1, 1, 2))), size)
    if kind == "list":
        return str([maker.rng.randint(-size, max(size - 1, 0)) for _ in range(maker.rng.randint(1, 3))])
    if kind == "mask":
        return f"torch.tensor([{', '.join(maker.one_of(('True', 'False')) for _ in range(size))}], dtype=torch.bool)"
    return kind


def operand(maker, tensor):
    """A second operand: a number, or a tensor that broadcasts."""
    if maker.chance(0.35):
        return maker.scalar()
    if maker.chance(0.08):
        return maker.any_tensor_name()
    shape = tuple(tensor.shape)
    return maker.tensor(shape if maker.chance(0.5) else maker.broadcastable(shape))


def binary(maker, name):
    left, right = name, operand(maker, maker.scope[name])
    if maker.chance(0.25):
        left, right = right, left
    return f"{left} {maker.weighted(OPERATORS)} {right}"


def einsum(maker, name):
    """Letters for the axes of the operands; the result keeps some of them."""
    tensor = maker.scope[name]
    letters = maker.rng.sample("bhqkdij", tensor.dim()) if tensor.dim() <= 7 else ["a"]
    terms, operands, sizes = ["".join(letters)], [name], dict(zip(letters, tensor.shape))
    if maker.chance(0.75):
        own = [letter for letter in letters if maker.chance(0.6)]
        if maker.chance(0.5):
            sizes["z"] = maker.size()
            own.append("z")
        maker.rng.shuffle(own)
        terms.append("".join(own))
        dtype = str(tensor.dtype).rpartition(".")[2] if maker.chance(0.95) else None
        operands.append(maker.tensor([sizes[letter] for letter in own], dtype))
    kept = [letter for letter in sizes if maker.chance(0.6)]
    maker.rng.shuffle(kept)
    result = f"->{''.join(kept)}" if maker.chance(0.85) else ""
    return f"torch.einsum('{','.join(terms)}{result}', {', '.join(operands)})"


def conversion(maker, name):
    if maker.chance(0.5):
        return f"{name}.to(torch.{maker.dtype()})"
    return f"{name}.{maker.one_of(CONVERSIONS)}()"


def in_python(maker, name):
    """What Python does with tensors: len, sum, sorted, in, truth, unpacking."""
    return maker.one_of((
        f"len({name})", f"bool({name})", f"[row for row in {name}]", f"sum({name})", f"max({name})", f"abs({name})",
        f"-{name}", f"~{name}", f"+{name}", f"list({name})", f"1 in {name}", f"{name} if {name}.numel() else 0",
        f"[row.sum().item() for row in {name}]", f"{name}.shape[0] * 2", f"{name}.size(-1)", f"list({name}.shape)",
        f"torch.zeros({name}.shape)", f"{name}.shape == torch.Size([2, 3])", f"{name}.shape[:-1] + (1,)",
        f"not {name}", f"isinstance({name}, torch.Tensor)", f"{name}.ndim", f"{name}.dtype == torch.float32",
        f"float({name})", f"int({name})", f"round({name}.float().sum().item(), 3)", f"{name}.T", f"{name}.mT",
        f"str({name})", f"repr({name})", f"'%s' % {name}", f"{name} is None", f"{name}.max().item() > 1",
        f"{name}.reshape(-1)[:3].tolist()", f"dict(a={name})", f"({name}, {name})", f"{name}.flatten()[0]"))


def expression(maker, name):
    """An expression of one of these kinds over a tensor that is there."""
    kind = maker.weighted({"op": 10, "index": 5, "binary": 5, "einsum": 1.2, "conversion": 2, "python": 2, "layer": 1})
    if kind == "op":
        return op_call(maker)[0]
    if kind == "index":
        return f"{name}[{an_index(maker, maker.scope[name])}]"
    if kind == "layer":
        return layer(maker, name)
    return {"binary": binary, "einsum": einsum, "conversion": conversion, "python": in_python}[kind](maker, name)


LAYERS = (  # {last} and {second} are sizes of the tensor's axes
    "nn.Linear({last}, 3)", "nn.Linear({last}, 2, bias=False)", "nn.LayerNorm({last})", "nn.LayerNorm({shape})",
    "nn.ReLU()", "nn.GELU()", "nn.Softmax(dim={dim})", "nn.Tanh()", "nn.Sigmoid()", "nn.SiLU()", "nn.ELU(0.5)",
    "nn.LeakyReLU(0.1)", "nn.Softplus()", "nn.Identity()", "nn.LogSoftmax(-1)", "nn.Flatten()", "nn.Dropout({p})",
    "nn.BatchNorm1d({second})", "nn.Conv1d({second}, 2, {kernel}, padding=1)", "nn.Conv2d({second}, 2, {kernel})",
    "nn.Sequential(nn.Linear({last}, 4), nn.ReLU(), nn.Linear(4, 2))", "nn.GRU({last}, 2)",
    "nn.LSTM({last}, 2, batch_first=True)", "nn.RNN({last}, 3, num_layers=2)")


def layer(maker, name):
    """A layer with its weights drawn from the program's seed, applied to a tensor, mostly one that fits."""
    shape = maker.scope[name].shape
    last = shape[-1] if len(shape) else 1
    if maker.chance(0.12):
        return f"nn.Embedding(10, {maker.rng.randint(1, 4)})(torch.randint(0, 10, {maker.shape()}))"
    if maker.chance(0.08):
        heads = maker.one_of([n for n in (1, 2, 3, 4) if last % n == 0])
        return f"nn.MultiheadAttention({last}, {heads}, batch_first=True)({name}, {name}, {name})"
    made = maker.one_of(LAYERS).format(
        last=last, second=shape[1] if len(shape) > 1 else 3, shape=tuple(shape[-2:]) or 1,
        dim=maker.rng.randint(-2, 2), p=maker.one_of((0.0, 0.5, 0.9, 1.0)), kernel=maker.rng.randint(1, 3))
    return f"{made}({name})"


# ---- statements ----

def write(maker, name):
    """A statement that changes a tensor."""
    tensor = maker.scope[name]
    kind = maker.weighted({"index": 5, "augmented": 4, "augmented index": 2, "op": 4})
    if kind == "op":
        source, in_place = op_call(maker)
        while not in_place:
            source, in_place = op_call(maker)
        return source
    if kind == "augmented":
        return f"{name} {maker.one_of(IN_PLACE)} {operand(maker, tensor)}"
    place = f"{name}[{an_index(maker, tensor)}]"
    try:
        part = eval(place, maker.scope)
    except Exception:
        part = tensor
    sign = "=" if kind == "index" else maker.one_of(IN_PLACE)
    return f"{place} {sign} {operand(maker, part)}"


def tensor_program(maker):
    maker.do(f"torch.manual_seed({maker.rng.randint(0, 99)})")
    for _ in range(maker.rng.randint(1, 3)):
        name = maker.bind(maker.new_tensor())
        if name and maker.chance(0.2):
            name = maker.bind(name + maker.one_of((".t()", "[..., ::2]", ".transpose(0, -1)", ".unsqueeze(0)", "[1:]")))
        if name and maker.chance(0.3):
            maker.show(name)
    for _ in range(maker.rng.randint(1, 4)):
        name = maker.any_tensor_name()
        if maker.chance(0.2):
            if maker.do(write(maker, name)):
                maker.show(name)
            continue
        bound = maker.bind(expression(maker, name))
        if bound:
            maker.show(bound)
    if maker.chance(0.3):
        maker.do(f"print({EXACT.strip()!r}, {sum_of(maker.rng, 512)[0]}.tolist())")
    if maker.chance(0.2):
        for name in maker.tensors()[:4]:  # what was written through views
            maker.show(name)


WRITES = re.compile(r"\w_\(|inplace=True")


def has_history(tensor):
    try:
        return tensor.grad_fn is not None
    except RuntimeError:  # one of several views, after a write to another
        return False


def gradient_program(maker):
    """Leaves, what is computed from them, and what backward() leaves in them."""
    maker.do(f"torch.manual_seed({maker.rng.randint(0, 99)})")
    dtype = maker.weighted({"float32": 4, "float64": 1})
    leaves = [maker.bind(f"{maker.new_tensor(dtype=dtype)}.clone().requires_grad_()") for _ in range(maker.rng.randint(1, 3))]
    for _ in range(maker.rng.randint(1, 5)):
        name = maker.one_of(maker.tensors(lambda tensor: tensor.requires_grad))
        if maker.chance(0.3) and has_history(maker.scope[name]):
            maker.do(write(maker, name))
        else:
            made = expression(maker, name)
            if not WRITES.search(made):  # a leaf that is written to is refused, for one of several reasons
                maker.bind(made)
    go_back(maker, leaves, maker.tensors(has_history))


def view_program(maker):
    """What was computed from a leaf is written to by way of a view of it."""
    maker.do(f"torch.manual_seed({maker.rng.randint(0, 99)})")
    leaf = maker.bind(f"{maker.new_tensor(dtype='float32')}.clone().requires_grad_()")
    made = maker.bind(expression(maker, leaf))
    if not made or made not in maker.tensors(has_history):
        return
    index = an_index(maker, maker.scope[made])
    ways = [f"[{index}]", f"[{index}]", ".transpose(0, -1)", ".unsqueeze(0)", ".reshape(-1)", ".flatten(1)", ".T"]
    view = maker.bind(made + maker.one_of(ways))
    written = maker.one_of([name for name in (made, view, view) if name])
    if maker.do(write(maker, written)) and maker.chance(0.3):
        maker.bind(expression(maker, made))
    go_back(maker, [leaf], maker.tensors(has_history))


def go_back(maker, leaves, ends):
    """backward() from one of the ends, and what it leaves in the leaves."""
    for kept in maker.weighted({("",): 5, ("retain_graph=True", ""): 1}):
        if not ends:
            return
        end = maker.one_of(ends)
        count, shape = maker.scope[end].numel(), tuple(maker.scope[end].shape)
        if not maker.do(f"({end} * torch.linspace(-1, 2, {count}, dtype={maker.scope[end].dtype}).view({shape}))"
                        f".sum().backward({kept})"):
            return  # it has reached some leaves, in an order of its own
    for leaf in leaves:
        maker.do(f"print({leaf}.grad)")
