"""Runs notebooks and scripts as Jupyter and `python FILE` do, and keeps what they print."""

import ast
import contextlib
import io
import json
import re
import sys
import types

import numpy
import torch

ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def cells_of(path):
    """The code of every cell; a script is one cell."""
    if path.suffix == ".py":
        return [path.read_text(encoding="utf-8")]
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cell(code, scope, shows_value):
    """Executes a cell; `shows_value`: the repr of its last expression is printed, unless a semicolon ends it."""
    tree, last = ast.parse(code), None
    if shows_value and tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, "<cell>", "exec"), scope)
    value = eval(compile(last, "<cell>", "eval"), scope) if last else None
    if value is not None:
        print(repr(value))


def printed_by(path):
    """(text, findings). An exception that no cell catches is a finding. Addresses of objects are left out."""
    torch.manual_seed(0)
    torch.set_printoptions(profile="default")
    module, before = types.ModuleType("__main__"), sys.modules["__main__"]
    sys.modules["__main__"] = module  # where @dataclass looks for its class
    findings = []
    # Files lie beside it, and how numpy prints is its own affair.
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.chdir(path.parent), numpy.printoptions():
        try:
            for number, code in enumerate(cells_of(path), start=1):
                run_cell(code, module.__dict__, path.suffix == ".ipynb")
        except Exception as error:
            findings.append(f"cell {number}: {type(error).__name__}: {error}")
        finally:
            sys.modules["__main__"] = before
            torch.set_printoptions(profile="default")
    return ADDRESS.sub("", out.getvalue()), findings
