"""A random program on its way: its lines, and the scope in which they ran, so that the next line can fit or fail to."""

import ast
import io
import itertools

import torch

from exemptions import Memory, exempted, views
from outcome import TooMuch, has_exact_text, new_scope, quietly

DTYPES = {"float32": 45, "int64": 24, "float64": 14, "bool": 12, "int32": 2, "uint8": 2, "float16": 1, "bfloat16": 1,
          "int16": 0.5, "int8": 0.5}
NARROW = {torch.int32, torch.uint8, torch.float16, torch.bfloat16, torch.int16, torch.int8}
FLOATS = ("0.0", "1.0", "-1.0", "0.5", "2.0", "-0.25", "3.7", "1e-3", "1.5e-7", "100.0", "12345.678", "-2.5", "1e10",
          "float('inf')", "float('-inf')", "float('nan')", "-0.0", "0.1")
INTS = ("0", "1", "2", "3", "-1", "-2", "5", "7", "10", "100", "-128", "255", "1000")


class Maker:
    """`rng` decides everything; `ops` is the table of ops."""

    MOST_ELEMENTS = 120
    # What a program prints of an exception; PyTorch's TypeErrors list the signatures of its C++ functions.
    telling = "type(error).__name__, '' if isinstance(error, TypeError) else error"

    def __init__(self, rng, ops):
        self.rng, self.ops, self.lines = rng, ops, []
        self.scope = new_scope()
        self.names = (f"{letter}{number or ''}" for number in itertools.count() for letter in "abcdefgh")

    # ---- choices ----

    def chance(self, probability):
        return self.rng.random() < probability

    def one_of(self, choices):
        return self.rng.choice(tuple(choices))

    def weighted(self, weights):
        return self.rng.choices(tuple(weights), tuple(weights.values()))[0]

    # ---- statements ----

    def runs(self, line):
        try:
            with quietly(io.StringIO()):
                exec(line, self.scope)
        except SyntaxError:
            raise
        except Exception as error:
            if isinstance(error, RuntimeError) and "INTERNAL ASSERT" in str(error):  # a bug of PyTorch's own
                raise TooMuch from error
            return False
        return True

    def do(self, line):
        """Adds a statement; one that raises says so in the program. Tells whether it ran."""
        memory = Memory(self.scope)
        try:
            with quietly(io.StringIO()):
                exemption = exempted(line, self.scope)
            if exemption and not exemption.if_it_runs:
                return False
            done = self.runs(line)
        except (TooMuch, SyntaxError):
            memory.restore()
            return False
        if (exemption and done) or (not done and memory.is_changed()):
            memory.restore()
            return False
        if done or self.chance(0.05):  # now and then the program ends by its exception
            self.lines.append(line)
        else:
            body = line.replace("\n", "\n    ")
            with quietly(io.StringIO()):  # it looks at values of the line's expressions
                telling = self.telling if self.tells_text(line) else "type(error).__name__"
            self.lines.append(f"try:\n    {body}\nexcept Exception as error:\n    print({telling})")
        return done

    def tells_text(self, line):
        """Not of writes in place and of tensors of narrow types, which no notebook has in such calls."""
        tree = ast.parse(line)
        is_in_place = any(isinstance(node, ast.AugAssign) for node in ast.walk(tree))
        return has_exact_text(line) and not is_in_place and not any(x.dtype in NARROW for x in views(tree, self.scope))

    def bind(self, expression):
        """`name = expression`: the name, or None when that raised."""
        name = next(self.names)
        return name if self.do(f"{name} = {expression}") else None

    def program(self):
        return "\n".join(self.lines) + "\n"

    # ---- tensors ----

    def tensors(self, fits=lambda tensor: True):
        """Names of the tensors so far, those that fit."""
        return [name for name, value in self.scope.items()
                if isinstance(value, torch.Tensor) and value.numel() <= 4 * self.MOST_ELEMENTS and fits(value)]

    def size(self):
        return self.weighted({0: 2, 1: 14, 2: 28, 3: 28, 4: 16, 5: 8, 6: 4})

    def shape(self, rank=None):
        rank = self.weighted({0: 8, 1: 24, 2: 34, 3: 24, 4: 10}) if rank is None else rank
        shape = [self.size() for _ in range(rank)]
        while torch.Size(shape).numel() > self.MOST_ELEMENTS:
            shape[shape.index(max(shape))] = 2
        return tuple(shape)

    def broadcastable(self, shape):
        """A shape that broadcasts with this one."""
        keep = self.rng.randint(0, len(shape))
        return tuple(1 if self.chance(0.25) else size for size in shape[len(shape) - keep:])

    def dtype(self):
        return self.weighted(DTYPES)

    def number(self, dtype="float32"):
        if dtype == "bool":
            return self.one_of(("True", "False"))
        if not dtype.startswith(("float", "bfloat")):
            low, high = {"uint8": (0, 255), "int8": (-128, 127)}.get(dtype, (-9, 9))
            return str(self.rng.randint(low, high) if self.chance(0.3) else self.rng.randint(0, 9))
        if self.chance(0.12):
            return self.one_of(FLOATS)
        return repr(round(self.rng.uniform(-3, 3), self.rng.randint(0, 4)))

    def scalar(self):
        """A Python number."""
        return self.weighted({self.one_of(INTS): 5, self.number(): 5, "True": 1})

    def nested(self, shape, dtype):
        if not shape:
            return self.number(dtype)
        return "[" + ", ".join(self.nested(shape[1:], dtype) for _ in range(shape[0])) + "]"

    def new_tensor(self, shape=None, dtype=None):
        """An expression for a tensor."""
        shape = self.shape() if shape is None else tuple(shape)
        dtype = dtype or self.dtype()
        sizes, typed = ", ".join(map(str, shape)), f"dtype=torch.{dtype}"
        count = torch.Size(shape).numel()
        if count <= 24 and self.chance(0.5):
            return f"torch.tensor({self.nested(shape, dtype)}, {typed})"
        if dtype in ("float32", "float64"):
            how = self.weighted({"randn": 6, "rand": 2, "arange": 2, "linspace": 1, "ones": 1})
        else:
            how = self.weighted({"randint": 6, "arange": 3, "ones": 1})
        if how == "randint":
            high = {"bool": 2}.get(dtype, self.rng.randint(1, 10))
            return f"torch.randint(0, {high}, {shape}).to(torch.{dtype})"
        if how == "arange":
            return f"torch.arange({count}).view({shape}).to(torch.{dtype})"
        if how == "linspace":
            return f"torch.linspace({self.number('int64')}, {self.rng.randint(1, 9)}, {count}, {typed}).view({shape})"
        return f"torch.{how}({sizes or '()'}, {typed})"

    def tensor(self, shape=None, dtype=None):
        """An expression for a tensor of about that shape and type: one that is there, or a new one."""
        def fits(value):
            return (shape is None or tuple(value.shape) == tuple(shape)) and (
                dtype is None or value.dtype == getattr(torch, dtype))
        there = self.tensors(fits)
        return self.one_of(there) if there and self.chance(0.6) else self.new_tensor(shape, dtype)

    def any_tensor_name(self):
        """The name of a tensor, which is made when there is none."""
        there = self.tensors()
        return self.one_of(there) if there and self.chance(0.85) else self.bind(self.new_tensor())

    # ---- looking ----

    def show(self, name):
        """Prints what is bound to a name, in one of several ways."""
        value = self.scope.get(name)
        ways = {f"print({name})": 10}
        if isinstance(value, torch.Tensor):
            ways |= {f"print({name}.shape, {name}.dtype)": 2, f"print({name}.tolist())": 3,
                     f"print([{name}, 1])": 0.5, f"print({{'x': {name}}})": 0.5,
                     f"print(f'{{{name}}} {{{name}.shape}} {{len({name}.shape)}}')": 0.5}
            if value.numel() > 0:  # of no elements the strides follow from how it was made, and mean nothing
                ways |= {f"print({name}.is_contiguous(), {name}.shape)": 1, f"print({name}.view(-1).shape)": 1}
            if value.numel() == 1:
                ways |= {f"print({name}.item())": 6, f"print(f'{{{name}.item():.3f}}')": 3,
                         f"print(f'{{{name}:.2f}}')": 1,
                         f"print(float({name}), int({name} != 0), bool({name}))": 1}
        self.do(self.weighted(ways))
