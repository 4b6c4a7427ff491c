"""Runs the code of a lesson under PyTorch and compares what it bound with the tensors of a safetensors file.

python3 verify.py CODE.py TENSORS.safetensors: prints a line of JSON for each tensor; exit code 77 without PyTorch.
The code says _keep(key, value) after each statement that binds one. It runs twice: in float32, and with the same draws in
float64, which tells how far rounding alone can move a number.
"""
import contextlib
import io
import json
import os
import sys
import warnings

try:
    import torch
except ImportError:
    sys.exit(77)

from read_safetensors import read_safetensors

ATOL, RTOL, SPREADS = 1e-7, 1e-6, 4


@contextlib.contextmanager
def in_float64():
    """Inside, float32 means float64, but random numbers are drawn and files are read in float32 and then widened.

    Dropout needs no care: its mask takes the same words of the generator for both types.
    """
    narrow, saved = torch.float32, []

    def replace(owner, name, new):
        saved.append((owner, name, getattr(owner, name)))
        setattr(owner, name, new)

    def source(draw):
        def widened(*args, requires_grad=False, **options):
            options["dtype"] = narrow
            return draw(*args, **options).double().requires_grad_(requires_grad)
        return widened

    def fill(draw):
        return lambda self, *args, **options: self.copy_(draw(torch.empty(self.shape, dtype=narrow), *args, **options))

    def read(*args, frombuffer=torch.frombuffer, **options):
        numbers = frombuffer(*args, **options)
        return numbers.double() if numbers.dtype is narrow else numbers

    replace(torch, "frombuffer", read)
    for name in ("rand", "randn", "rand_like", "randn_like"):
        replace(torch, name, source(getattr(torch, name)))
    for name in ("uniform_", "normal_"):
        replace(torch.Tensor, name, fill(getattr(torch.Tensor, name)))
    for owner in (torch, torch.Tensor):
        replace(owner, "bernoulli", lambda p, *rest, draw=owner.bernoulli: draw(p.to(narrow), *rest).double())
    replace(torch.Tensor, "float", torch.Tensor.double)
    for name in ("float32", "float"):
        replace(torch, name, torch.float64)
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(narrow)
        for owner, name, old in reversed(saved):
            setattr(owner, name, old)


def run(code):
    kept = {}

    def keep(key, value):
        if isinstance(value, torch.Tensor):
            kept[key] = value.detach().clone()
        elif hasattr(value, "__array__"):
            kept[key] = torch.tensor(value)

    here = os.getcwd()  # code with files leaves it
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, {"__name__": "__main__", "_keep": keep})
    os.chdir(here)
    return kept


def largest(numbers):
    return numbers.max().item() if numbers.numel() else 0.0


def compared(ours, theirs, wide):
    """Of two tensors of one shape: the largest differences, what is allowed, and whether each element is within it."""
    if not theirs.is_floating_point():
        different = ours.ne(theirs)
        return {"absolute": float(different.any()), "relative": 0.0, "allowed": 0.0, "fine": not different.any().item()}
    a, b = ours.double(), theirs.double()
    both = torch.isfinite(a) & torch.isfinite(b)
    same = (a == b) | (torch.isnan(a) & torch.isnan(b))
    gap = torch.where(both & ~same, (a - b).abs(), torch.zeros_like(a))
    spread = 0.0
    if wide is not None and wide.shape == theirs.shape:
        spread = largest(torch.where(torch.isfinite(wide) & torch.isfinite(b), (wide.double() - b).abs(), torch.zeros_like(b)))
    allowed = torch.clamp(ATOL + RTOL * b.abs(), min=SPREADS * spread)
    fine = (same | (both & (gap <= allowed))).all().item()
    nothing = torch.zeros_like(b)  # instead of what NaN and infinities would give
    return {"absolute": largest(gap), "relative": largest(torch.where(both, gap / b.abs().clamp(min=1e-30), nothing)),
            "allowed": largest(torch.where(both, allowed, nothing)), "fine": fine}


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with open(sys.argv[1], encoding="utf-8") as file:
        code = compile(file.read(), sys.argv[1], "exec")
    with open(sys.argv[2], "rb") as file:
        ours = read_safetensors(file.read())
    theirs = run(code)
    with in_float64():
        wide = run(code)
    print(json.dumps({"torch": torch.__version__}))
    for key in ours:
        row = {"key": key, "shape": list(theirs[key].shape) if key in theirs else None}
        if row["shape"] == list(ours[key].shape):
            row.update(compared(ours[key], theirs[key], wide.get(key)))
        print(json.dumps(row, allow_nan=False))


if __name__ == "__main__":
    main()
