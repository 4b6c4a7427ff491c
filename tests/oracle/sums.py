#!/usr/bin/python3
"""Random sums and means, here and under PyTorch on one thread: they must have the same bits.

    tests/oracle/sums.py                          # 4000 cases of seed 0
    tests/oracle/sums.py --seed 7 --count 100
"""

import argparse
import contextlib
import io
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
EDGES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024,
         1025, 4095, 4096, 4097, 5000]
MOST_ELEMENTS = 1 << 17
START = "import torch\nf32, f64 = torch.float32, torch.float64\n" \
        "def numbers(*shape, dtype=f32):\n" \
        "    x = torch.rand(*shape, dtype=dtype) - 0.5\n    return x * x * x\n"


def sizes(draw):
    """Of 1 to 4 axes, more of them near the borders of vectors and runs than anywhere else."""
    shape, left = [], draw.choice([64, 1024, MOST_ELEMENTS, MOST_ELEMENTS])
    for _ in range(draw.choice([1, 2, 2, 3, 3, 4])):
        size = draw.choice([size for size in EDGES if size <= left]) if draw.random() < 0.7 else draw.randint(1, left)
        size = 0 if draw.random() < 0.01 else min(size, 5000)
        shape.append(size)
        left = max(left // max(size, 1), 1)
    draw.shuffle(shape)
    return shape


def view_of(draw, shape):
    """An expression for numbers of that shape (a view of a larger tensor, perhaps), and the shape of the view."""
    dtype = draw.choice(["f32", "f32", "f32", "f64"])
    text = f"numbers({', '.join(map(str, shape))}, dtype={dtype})"
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


def case(draw):
    text, shape = view_of(draw, sizes(draw))
    count = draw.randint(0, len(shape))
    dims = sorted(draw.sample(range(len(shape)), count))
    arguments = [] if not dims else [str(dims)] + ["keepdim=True"] * draw.randint(0, 1)
    if draw.random() < 0.1:
        arguments.append(f"dtype={draw.choice(['f32', 'f64'])}")
    elements = 1
    for size in shape:
        elements *= size
    return f"print({text}.{draw.choice(['sum', 'sum', 'mean'])}({', '.join(arguments)}).tolist())", elements


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
    if done.stderr:
        print(done.stderr, file=sys.stderr)
    return done.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=4000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    draw = random.Random(options.seed)
    cases = [case(draw) for _ in range(options.count)]
    different = 0
    for first in range(0, len(cases), 100):
        part = [text for text, _ in cases[first:first + 100]]
        code = START + f"torch.manual_seed({options.seed + first})\n" + "\n".join(part) + "\n"
        theirs, ours = under_torch(code), here(code)
        for number, text in enumerate(part):
            if number >= len(ours) or ours[number] != theirs[number]:
                different += 1
                print(f"different: {text}")
    print(f"{len(cases)} cases, {sum(elements for _, elements in cases)} elements, {different} different")
    return different > 0


if __name__ == "__main__":
    sys.exit(main())
