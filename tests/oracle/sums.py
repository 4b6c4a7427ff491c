#!/usr/bin/python3
"""Random sums, means, norms, losses and softmaxes, here and under PyTorch on one thread: they must have the same bits.

    tests/oracle/sums.py                          # 4000 cases of seed 0
    tests/oracle/sums.py --seed 7 --count 100
    tests/oracle/sums.py --write                  # tests/tensor/sums.txt, which the tests read
"""

import argparse
import contextlib
import io
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch.nn import functional as F

ROOT = Path(__file__).resolve().parents[2]
FIXTURE = ROOT / "tests/tensor/sums.txt"
EDGES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024,
         1025, 4095, 4096, 4097, 5000]
# Of what has an order of its own; the last four need two axes.
FORMS = ["F.layer_norm({x}, {last})", "{x}.norm()", "{x}.norm(dim=0)", "{x}.norm(dim=-1, keepdim=True)",
         "F.nll_loss({x}.abs().neg().reshape(-1, 1), torch.zeros({numel}, dtype=torch.long), reduction='sum')",
         "F.nll_loss({x}.abs().neg().reshape(-1, 1), -100 * (torch.arange({numel}) % 3 == 0).long())", "F.normalize({x}, dim=-1)",
         "F.batch_norm({x}, None, None, training=True)", "F.group_norm({x}, 1)", "F.cosine_similarity({x}, {x}, dim=0)"]


def sizes(draw, most):
    """Of 1 to 4 axes, more of them near the borders of vectors and runs than anywhere else."""
    shape, left = [], draw.choice([min(64, most), min(1024, most), most, most])
    for _ in range(draw.choice([1, 2, 2, 3, 3, 4])):
        size = draw.choice([size for size in EDGES if size <= left]) if draw.random() < 0.7 else draw.randint(1, left)
        shape.append(0 if draw.random() < 0.01 else min(size, EDGES[-1]))
        left = max(left // max(shape[-1], 1), 1)
    draw.shuffle(shape)
    return shape


def changed(draw, text, shape):
    """The text of a view of the tensor `text`, and its shape."""
    shape = list(shape)
    for change in draw.sample(["permute", "slice", "expand", "add_axis"], draw.choice([0, 1, 1, 2, 3])):
        axis = draw.randrange(len(shape))
        if change == "permute":
            order = draw.sample(range(len(shape)), len(shape))
            text += f".permute({order})"
            shape = [shape[i] for i in order]
        elif change == "slice" and shape[axis] > 1:
            start, step = draw.choice([(0, 1), (1, 1), (0, 2), (1, 3)])
            text += f"[{':, ' * axis}{start}::{step}]"
            shape[axis] = len(range(start, shape[axis], step))
        elif change == "expand" and 1 in shape:
            shape = [draw.choice([2, 3, 9, 33]) if size == 1 and draw.random() < 0.7 else size for size in shape]
            text += f".expand({shape})"
        elif change == "add_axis" and len(shape) < 4:
            text += f".unsqueeze({axis})"
            shape.insert(axis, 1)
    return text, shape


def sum_of(draw, most):
    """An expression: drawn numbers, added in one of the orders that PyTorch has."""
    shape = sizes(draw, most)
    dtype = draw.choice(["float32", "float32", "float32", "float64"])
    text, shape = changed(draw, f"torch.rand({shape}, dtype=torch.{dtype}).sub(0.5)", shape)
    if dtype == "float32" and draw.random() < 0.25:
        return f"{text}.mul({draw.choice([1, 8, 300])}).{draw.choice(['softmax(-1)', 'exp()'])}", math.prod(shape)
    if draw.random() < 0.25 and min(shape) > 1 and math.prod(shape) <= 1 << 15:
        form = draw.choice(FORMS if len(shape) > 1 else FORMS[:6])
        numbers = f"{text}.mul({draw.choice([1, 30])}).add({draw.choice([0, 5])})"
        return form.format(x=numbers, last=shape[-1:], numel=math.prod(shape)), math.prod(shape)
    dims = sorted(draw.sample(range(len(shape)), draw.randint(0, len(shape))))
    arguments = [] if not dims else [str(dims)] + ["keepdim=True"] * draw.randint(0, 1)
    if draw.random() < 0.1:
        arguments.append(f"dtype=torch.{draw.choice(['float32', 'float64'])}")
    return f"{text}.{draw.choice(['sum', 'sum', 'mean'])}({', '.join(arguments)})", math.prod(shape)


def under_torch(code):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    return out.getvalue().splitlines()


def here(code):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(code)
        file.flush()
        program = os.environ.get("ATTN_TUTOR", str(ROOT / "build/release/attn-tutor"))
        done = subprocess.run([program, "run", "--plain", file.name], capture_output=True, text=True)
    print(done.stderr, file=sys.stderr, end="")
    return done.stdout.splitlines()


def compare(seed, count):
    draw = random.Random(seed)
    elements = different = 0
    for first in range(0, count, 100):
        texts, numels = zip(*(sum_of(draw, 1 << 17) for _ in range(first, min(first + 100, count))))
        code = f"import torch\nimport torch.nn.functional as F\ntorch.manual_seed({seed + first})\n" + "".join(f"print({x}.tolist())\n" for x in texts)
        theirs, ours = under_torch(code), here(code)
        wrong = [x for i, x in enumerate(texts) if ours[i:i + 1] != theirs[i:i + 1]]
        for text in wrong:
            print(f"different: {text}")
        different += len(wrong)
        elements += sum(numels)
    print(f"{count} cases, {elements} elements, {different} different")
    return different > 0


def fnv(data):
    """The hash of tests/tensor/hash.h."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % (1 << 64)
    return value


def counted(numel, dtype):
    """The numbers of the fixture, which need no generator."""
    return ((torch.arange(numel) * 7919 % 1009 - 504).to(dtype) / 997).to(dtype)


def result_of(op, x, dims, keepdim):
    if op == "softmax":
        return x.softmax(-1)
    if op == "layer_norm":
        return F.layer_norm(x, x.shape[-1:])
    if op == "losses":
        return F.nll_loss(-x.reshape(-1, 1), torch.zeros(x.numel(), dtype=torch.long), reduction="sum")
    return getattr(x, op)(dim=dims, keepdim=keepdim)


def write():
    """Each line: type, op, keepdim, elements of the storage, hash of the result | sizes | strides | offset | dims."""
    draw = random.Random(0)
    lines = []
    while len(lines) < 300:
        shape = sizes(draw, 1 << draw.choice([6, 10, 14]))
        dtype = draw.choice(["float32", "float32", "float64"])
        storage = counted(math.prod(shape), getattr(torch, dtype))
        text, shape = changed(draw, f"storage.view({shape})", shape)
        x = eval(text)
        dims = sorted(draw.sample(range(x.dim()), draw.randint(1, x.dim())))
        op, keepdim = draw.choice(["sum", "mean", "softmax", "norm", "layer_norm", "losses"]), draw.random() < 0.5
        if math.prod(shape) > 1 << 16 or x.numel() == 0 or (op == "softmax" and dtype == "float64"):
            continue
        dims = {"softmax": [x.dim() - 1], "norm": dims[:1]}.get(op, dims)  # of two axes PyTorch takes a matrix norm
        result = result_of(op, x, dims, keepdim).contiguous()
        lists = (" ".join(map(str, numbers)) for numbers in (x.shape, x.stride(), [x.storage_offset()], dims))
        lines.append(f"{dtype} {op} {int(keepdim)} {storage.numel()} {fnv(result.numpy().tobytes())} | "
                     f"{' | '.join(lists)}\n")
    FIXTURE.write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    return write() if options.write else compare(options.seed, options.count)


if __name__ == "__main__":
    sys.exit(main())
