"""Runs exported notebooks and scripts under PyTorch. Of notebooks, run from top to bottom as Jupyter would, it compares
what their cells print and show with their outputs; scripts hold their own assertions.

python3 run_exports.py A.ipynb B.py ...: prints each difference; exit code 1 when there is one.
Printed numbers may differ by one unit in their last place, with an exponent by two, and by a millionth of the largest
number beside them: sums in another order differ by that. How far PyTorch and the tutor agree is what verify measures.
"""
import ast
import contextlib
import io
import itertools
import json
import os
import re
import runpy
import sys
import traceback
import warnings
from decimal import Decimal

ADDRESS = re.compile(r" at 0x[0-9a-f]+")
NUMBER = re.compile(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?")


def run_cell(code, names):
    """What the cell prints, and the repr of the expression that ends it (None without one)."""
    body = ast.parse(code).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) and not code.rstrip().endswith(";") else None
    out, value = io.StringIO(), None
    with contextlib.redirect_stdout(out):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return out.getvalue(), None if value is None else ADDRESS.sub("", repr(value))


def allowed(number):
    return Decimal(1 + ("e" in number)).scaleb(Decimal(number).as_tuple().exponent)


def same(expected, got):
    if expected == got:
        return True
    if expected is None or got is None or NUMBER.sub("#", expected) != NUMBER.sub("#", got):
        return False
    ours, theirs = ([text.rstrip(".") for text in NUMBER.findall(side)] for side in (expected, got))
    margin = max(abs(Decimal(text)) for text in ours) / 1000000
    return all(abs(Decimal(a) - Decimal(b)) <= max(allowed(a), margin) for a, b in zip(ours, theirs))


def first_difference(expected, got):
    for a, b in itertools.zip_longest(str(expected).splitlines(), str(got).splitlines()):
        if not same(a, b):
            return f"  notebook: {a}\n  PyTorch:  {b}"
    return "  in numbers far from one another"


def recorded(cell):
    printed, shown = "", None
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            printed += "".join(output["text"])
        elif output["output_type"] == "execute_result":
            shown = "".join(output["data"]["text/plain"])
    return printed, shown


def check(path):
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    names, differences = {"__name__": "__main__"}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        expected, got = recorded(cell), run_cell("".join(cell["source"]), names)
        for what, a, b in zip(("prints", "shows"), expected, got):
            if not same(a, b):
                differences += 1
                print(f"{path}: {cell['id']} {what}\n{first_difference(a, b)}")
    return differences


def run(path):
    """Whether all is well."""
    if not path.endswith(".py"):
        return check(path) == 0
    with contextlib.redirect_stdout(io.StringIO()):
        runpy.run_path(path, run_name="__main__")
    return True


def main():
    """Each file runs in a process of its own, which does not have to import torch once more."""
    warnings.simplefilter("ignore")
    import torch  # noqa: F401
    failed = []
    for path in sys.argv[1:]:
        child = os.fork()
        if child == 0:
            try:
                fine = run(path)
            except BaseException:
                traceback.print_exc()
                fine = False
            sys.stdout.flush()
            os._exit(0 if fine else 1)
        if os.waitpid(child, 0)[1] != 0:
            failed.append(path)
    print("failed:", *failed)
    sys.exit(1 if failed else 0)


main()
