"""Calls of ops: arguments by the type and name of each parameter, so that an op that is added to the table is tested.

Where the operands of an op depend on each other (matrix products, indices), FITTING says what would fit; what does not
fit is made as well, because errors are compared too.
"""

import contextlib

import torch

DIMS = {"dim", "dim0", "dim1", "dim2", "start_dim", "end_dim", "dimension"}
# What has no defined result, or belongs to layers and to the generator of programs itself.
LEFT_OUT = {"backward", "empty", "empty_like", "new_empty", "manual_seed", "is_tensor", "calculate_gain",
            "FloatTensor", "DoubleTensor", "HalfTensor", "IntTensor", "LongTensor", "ShortTensor", "ByteTensor",
            "requires_grad_", "BoolTensor", "new_tensor", "tensor", "unflatten", "data_ptr", "stride",
            "detach_"}  # PyTorch refuses it for views, even of tensors without gradients
STRINGS = {"reduction": ("'mean'", "'sum'", "'none'", "'max'"), "rounding_mode": ("'trunc'", "'floor'", "'x'"),
           "indexing": ("'ij'", "'xy'"), "mode": ("'constant'",), "reduce": ("'add'", "'multiply'"),
           "approximate": ("'none'", "'tanh'")}
NORMS = ("1", "2", "0", "3", "-1", "float('inf')", "-float('inf')", "2.5", "'fro'", "None")
NEVER = {"device", "out", "size_average", "_stacklevel", "non_blocking", "sparse_grad", "output_size", "requires_grad",
         "scale_grad_by_freq", "sparse", "max_norm", "norm_type"}
NARROW = {"k": (0, 4), "diagonal": (-3, 3), "offset": (-3, 3), "chunks": (0, 4), "steps": (0, 6), "n": (0, 5),
          "m": (0, 5), "row": (0, 4), "col": (0, 4), "num_samples": (0, 3), "decimals": (-1, 3), "groups": (1, 2),
          "minlength": (0, 6), "num_classes": (-1, 12), "correction": (0, 1), "start": (-2, 3), "length": (0, 3),
          "size": (0, 3), "step": (0, 3), "repeats": (0, 3), "high": (1, 10), "low": (-5, 5), "to": (1, 9),
          "from": (-5, 0), "ignore_index": (-1, 2), "padding_idx": (-2, 2), "index": (-4, 4), "sections": (1, 4)}


def a_dim(maker, tensor):
    rank = tensor.dim()
    if maker.chance(0.06):
        return str(maker.one_of((rank, -rank - 1, 7)))
    return str(maker.rng.randint(-rank, rank - 1) if rank else maker.one_of((0, -1)))


def indices(maker, shape, size):
    """An int64 tensor of that shape with places of an axis of that size; now and then one too far."""
    low, high = (0, size - 1) if maker.chance(0.93) else (-1, size)
    flat = [str(maker.rng.randint(low, max(high, low))) for _ in range(torch.Size(shape).numel())]
    return f"torch.tensor([{', '.join(flat)}], dtype=torch.int64).view({tuple(shape)})"


class Call:
    """A call of one overload. The first tensor among the arguments, which are kept by name, decides what fits it."""

    def __init__(self, maker, op):
        self.maker, self.op = maker, op
        self.parameters = maker.one_of(op.overloads)
        self.first, self.arguments = None, {}
        self.spelling = maker.one_of(op.spellings)
        # swapdims() is transpose(), but calls its parameters by other names.
        self.has_own_name = self.spelling.rpartition(".")[2] == op.name
        # Written in Python, such functions trip over a wrong argument wherever they first use it.
        self.is_python = self.spelling.startswith("torch.nn.functional.")

    def value(self, source):
        return eval(source, self.maker.scope)

    def dim(self):
        """The dim of this call, if it has been chosen and is in range, as a number of the first tensor's axis."""
        text = self.arguments.get("dim", "0")
        rank = self.first.dim()
        return int(text) % rank if rank and text.lstrip("-").isdigit() else 0

    # ---- one argument ----

    def argument(self, parameter):
        fitting = FITTING.get(f"{self.op.name}.{parameter.name}") or FITTING.get(f"*.{parameter.name}")
        if fitting and self.first is not None and self.maker.chance(0.92):
            with contextlib.suppress(Exception):  # the other arguments do not allow that anything fits
                source = fitting(self)
                if source is not None:
                    return source
        if parameter.nullable and self.maker.chance(0.15) and self.op.name != "size":
            return "None"
        if self.maker.chance(0.01) and not self.is_python:
            return self.maker.one_of(("1.5", "[]", "True", "(1, 2)"))
        return getattr(self, "a_" + parameter.type, self.a_number)(parameter)

    def a_Tensor(self, parameter):
        maker = self.maker
        if self.first is None or maker.chance(0.1):
            return maker.any_tensor_name() or "torch.ones(2)"
        shape = tuple(self.first.shape)
        dtype = str(self.first.dtype).rpartition(".")[2] if maker.chance(0.7) else None
        return maker.tensor(shape if maker.chance(0.6) else maker.broadcastable(shape), dtype)

    def a_Operand(self, parameter):
        if self.first is None and parameter.name == "input":
            return self.a_Tensor(parameter)
        return self.a_Tensor(parameter) if self.maker.chance(0.6) else self.maker.scalar()

    def a_Tensors(self, parameter):
        return "[" + ", ".join(self.a_Tensor(parameter) for _ in range(self.maker.rng.randint(1, 3))) + "]"

    def a_number(self, parameter):
        return self.maker.scalar()

    def a_float(self, parameter):
        return self.maker.one_of(("0.0", "0.5", "1.0", "2.0", "0.1", "1e-3", "3", "-1.0"))

    def a_int(self, parameter):
        if parameter.name in DIMS and self.first is not None:
            return a_dim(self.maker, self.first)
        return str(self.maker.rng.randint(*NARROW.get(parameter.name, (0, 4))))

    def a_ints(self, parameter):
        maker = self.maker
        if self.first is None or parameter.name not in DIMS | {"dims", "source", "destination"}:
            return str(maker.shape()) if maker.chance(0.7) else str(maker.rng.randint(0, 4))
        if maker.chance(0.4):
            return a_dim(maker, self.first)
        axes = maker.rng.sample(range(self.first.dim()), maker.rng.randint(0, self.first.dim()))
        return "(" + "".join(f"{axis}, " for axis in axes) + ")"

    def a_shape(self, parameter):
        return str(self.maker.shape())

    def a_bool(self, parameter):
        return self.maker.one_of(("True", "False"))

    def a_dtype(self, parameter):
        return f"torch.{self.maker.dtype()}"

    def a_str(self, parameter):
        return self.maker.one_of(STRINGS.get(parameter.name, ("'x'",)))

    def a_any(self, parameter):
        if parameter.name in ("p", "ord"):
            return self.maker.one_of(NORMS)
        if parameter.name in ("padding", "stride", "dilation"):
            return self.maker.one_of(("0", "1", "2", "(1, 2)", "(1,)", "'same'", "'valid'"))
        return self.a_Tensor(parameter) if self.maker.chance(0.5) else self.maker.scalar()

    # ---- the call ----

    def wanted(self, parameter):
        if parameter.name in NEVER or (parameter.name == "inplace" and not self.spelling.startswith("torch.nn.")):
            return False
        return parameter.default is None or self.maker.chance(0.35)

    def source(self):
        """The call as an expression."""
        maker, positional, keywords, is_in_order = self.maker, [], [], True
        for parameter in self.parameters:
            if not self.wanted(parameter):
                is_in_order = False
                continue
            source = self.arguments[parameter.name] = self.argument(parameter)
            if self.first is None and parameter.type in ("Tensor", "Operand", "Tensors"):
                self.notice(source)
            if parameter.variadic:
                positional.append(source if maker.chance(0.5) else source.strip("()") or "()")
            elif parameter.keyword_only or not is_in_order or (positional and self.has_own_name and maker.chance(0.12)):
                keywords.append(f"{parameter.name}={source}")
                is_in_order = False
            else:
                positional.append(source)
        if maker.chance(0.01) and positional:
            positional.pop()
        return self.spelled(positional, keywords)

    def notice(self, source):
        """Keeps the first tensor of the call, to which the others are to fit."""
        try:
            value = self.value(source)
        except Exception:
            return
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, torch.Tensor):
            self.first = value

    def spelled(self, positional, keywords):
        owner, _, name = self.spelling.replace("torch.nn.functional", "F").rpartition(".")
        if owner != "Tensor":
            return f"{owner}.{name}({', '.join(positional + keywords)})"
        receiver = positional.pop(0) if positional else "torch.ones(2)"
        if not receiver.isidentifier() and not receiver.endswith(")"):
            receiver = f"({receiver})"
        return f"{receiver}.{name}" + ("" if name in ("T", "mT") else f"({', '.join(positional + keywords)})")


# ---- what fits ----

def like_first(shape_of, dtype=None):
    """A tensor of the first one's type whose shape follows from the first one's."""
    def fitting(call):
        shape = shape_of(call, tuple(call.first.shape))
        if shape is None:
            return None
        return call.maker.tensor(shape, dtype or str(call.first.dtype).rpartition(".")[2])
    return fitting


def another(call):
    return call.maker.size()


def matmul_other(call, shape):
    if not shape:
        return None
    other = call.maker.one_of(((shape[-1],), (shape[-1], another(call)), (*shape[:-2], shape[-1], another(call)),
                               (another(call), shape[-1], 2)))
    return other


def reshaped(call):
    """Sizes with the right product, one of them now and then -1."""
    rest, sizes = call.first.numel(), []
    while rest > 1 and len(sizes) < 3:
        sizes.append(call.maker.one_of([n for n in range(1, rest + 1) if rest % n == 0]))
        rest //= sizes[-1]
    sizes.append(rest)
    if call.maker.chance(0.35):
        sizes[call.maker.rng.randrange(len(sizes))] = -1
    call.maker.rng.shuffle(sizes)
    return "(" + ", ".join(map(str, sizes)) + ",)"


def permutation(call):
    axes = list(range(call.first.dim()))
    call.maker.rng.shuffle(axes)
    if axes and call.maker.chance(0.3):
        axes[0] -= len(axes)
    return "(" + "".join(f"{axis}, " for axis in axes) + ")"


def expanded(call):
    sizes = [call.maker.one_of((size, -1)) if size != 1 else call.maker.rng.randint(1, 3) for size in call.first.shape]
    sizes = [call.maker.rng.randint(1, 2) for _ in range(call.maker.rng.randint(0, 1))] + sizes
    return "(" + "".join(f"{size}, " for size in sizes) + ")"


def index_along(call):
    """For gather and scatter: an index that is at most as large as the first tensor on each axis."""
    shape = [call.maker.rng.randint(0 if call.maker.chance(0.1) else min(1, size), size) for size in call.first.shape]
    return indices(call.maker, shape, call.first.shape[call.dim()] if call.first.dim() else 1)


def index_vector(call):
    size = call.first.shape[call.dim()] if call.first.dim() else 1
    count = call.maker.rng.randint(0, 4)
    return indices(call.maker, (count,), size)


def source_along(call):
    """For index_add and index_copy: as many slices as there are indices."""
    shape = list(call.first.shape)
    if shape:
        shape[call.dim()] = call.value(call.arguments["index"]).numel()
    return call.maker.tensor(shape, str(call.first.dtype).rpartition(".")[2])


def source_of_scatter(call):
    index = call.value(call.arguments["index"])
    return call.maker.tensor(tuple(index.shape), str(call.first.dtype).rpartition(".")[2])


def mask(call):
    return call.maker.tensor(call.maker.broadcastable(tuple(call.first.shape)), "bool")


def padding(call):
    count = 2 * call.maker.rng.randint(1, max(1, call.first.dim()))
    return str(tuple(call.maker.rng.randint(-1, 2) for _ in range(count)))


def classes(call):
    """Targets of a classification whose scores are the first tensor."""
    shape = tuple(call.first.shape)
    if not shape:
        return None
    count = shape[1] if len(shape) > 1 else shape[0]
    return indices(call.maker, shape[:1] + shape[2:] if len(shape) > 1 else (), count)


def sections(call):
    size = call.first.shape[call.dim()] if call.first.dim() else 1
    if call.maker.chance(0.5) or size < 2:
        return str(call.maker.rng.randint(1, 4))
    cut = call.maker.rng.randint(0, size)
    return f"[{cut}, {size - cut}]"


def trailing_shape(call):
    keep = call.maker.rng.randint(1, max(1, call.first.dim()))
    return "(" + "".join(f"{size}, " for size in call.first.shape[-keep:]) + ")"


def last_axis(call, shape):
    return shape[-1:] or None


FITTING = {
    "matmul.other": like_first(matmul_other),
    "mm.mat2": like_first(lambda call, s: (s[-1], another(call)) if len(s) == 2 else None),
    "bmm.mat2": like_first(lambda call, s: (s[0], s[2], another(call)) if len(s) == 3 else None),
    "mv.vec": like_first(last_axis),
    "dot.tensor": like_first(last_axis),
    "inner.other": like_first(lambda call, s: (another(call), *s[-1:])),
    "linear.weight": like_first(lambda call, s: (another(call), s[-1]) if s else None),
    "linear.bias": lambda call: call.maker.tensor(tuple(call.value(call.arguments["weight"]).shape[:1]), "float32"),
    "addmm.mat1": like_first(lambda call, s: (s[0], 3) if len(s) == 2 else None),
    "addmm.mat2": like_first(lambda call, s: (3, s[1]) if len(s) == 2 else None),
    "baddbmm.batch1": like_first(lambda call, s: (s[0], s[1], 3) if len(s) == 3 else None),
    "baddbmm.batch2": like_first(lambda call, s: (s[0], 3, s[2]) if len(s) == 3 else None),
    "addmv.mat": like_first(lambda call, s: (s[0], 2) if len(s) == 1 else None),
    "addmv.vec": like_first(lambda call, s: (2,)),
    "tensordot.b": like_first(lambda call, s: (*s[-1:], another(call))),
    "tensordot.dims": lambda call: call.maker.one_of(("1", "1", "1", "0", "2", "([-1], [0])")),
    "layer_norm.normalized_shape": trailing_shape,
    "layer_norm.weight": lambda call: call.maker.tensor(call.value(call.arguments["normalized_shape"]), "float32"),
    "layer_norm.bias": lambda call: call.maker.tensor(call.value(call.arguments["normalized_shape"]), "float32"),
    "embedding.weight": lambda call: call.maker.tensor((6, 3), "float32"),
    "batch_norm.running_mean": like_first(lambda call, s: s[1:2] or None, "float32"),
    "batch_norm.running_var": lambda call: f"torch.rand({', '.join(map(str, call.first.shape[1:2])) or 1})",
    "view.size": reshaped, "reshape.shape": reshaped, "permute.dims": permutation, "expand.size": expanded,
    "broadcast_to.size": expanded,
    "gather.index": index_along, "scatter.index": index_along, "scatter_.index": index_along,
    "scatter_add.index": index_along, "scatter_add_.index": index_along, "take_along_dim.indices": index_along,
    "scatter.src": source_of_scatter, "scatter_.src": source_of_scatter, "scatter_add.src": source_of_scatter,
    "scatter_add_.src": source_of_scatter, "*.source": source_along,
    "index_select.index": index_vector, "index_fill.index": index_vector, "index_fill_.index": index_vector,
    "index_add.index": index_vector, "index_add_.index": index_vector, "index_copy.index": index_vector,
    "index_copy_.index": index_vector,
    "take.index": lambda call: indices(call.maker, call.maker.shape(2), call.first.numel()),
    "*.mask": mask, "where.condition": mask, "pad.pad": padding,
    "nll_loss.target": classes, "cross_entropy.target": classes,
    "*.target": like_first(lambda call, s: s),
    "split.split_size_or_sections": sections, "tensor_split.indices_or_sections": sections,
}


def op_call(maker):
    """An expression that calls a random op, and whether it writes in place."""
    op = maker.one_of([op for op in maker.ops if op.kind != "layer" and op.name not in LEFT_OUT
                       and not op.spellings[0].startswith(("op.", "torch.nn.init."))])
    return Call(maker, op).source(), op.kind == "in-place"
