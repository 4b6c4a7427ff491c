"""Runs cells statement by statement under real PyTorch and records what each did: lessons and op cases."""

import ast
import contextlib
import io
import math
import sys
import warnings
from pathlib import Path

import torch

from describe import Describer
from exact_texts import has_exact_text
from lesson_file import Cell, read_lesson

ROOT = Path(__file__).resolve().parents[2]

# What exported programs carry with them serves here too.
sys.path.insert(0, str(ROOT / "data"))
import newer_torch  # noqa: E402, F401
import read_safetensors  # noqa: E402
from verify import in_float64  # noqa: E402

sys.modules["safetensors.torch"].load_file = lambda name: read_safetensors.load_file(ROOT / "data" / name)


class RecordingScope(dict):
    """The local names of one statement: reads and writes go to `scope`; notes which names were written."""

    def __init__(self, scope):
        super().__init__()
        self.scope, self.bound = scope, {}

    def __getitem__(self, name):
        return self.scope[name]  # a KeyError makes Python look among the builtins

    def __setitem__(self, name, value):
        self.scope[name] = self.bound[name] = value

    def __delitem__(self, name):
        self.bound.pop(name, None)
        del self.scope[name]


class Run:
    """One run of cells. `wide` is the finished float64 run of the same cells, or None if this is that run."""

    def __init__(self, wide=None):
        self.wide, self.leaves, self.diverged = wide, {}, []
        torch.manual_seed(0)
        torch.set_printoptions(profile="default")

    def describe(self, key, value):
        describer = Describer(self.wide.leaves.get(key) if self.wide else None)
        result = describer.describe(value)
        self.leaves[key] = describer.leaves
        if describer.diverged:
            self.diverged.append(key)
        return result

    def statement(self, key, node, code, scope):
        """Executes one top-level statement; what it bound, printed, changed in place, its value or its exception."""
        versions, names = tensor_versions(scope), RecordingScope(scope)
        value, error = None, None
        with contextlib.redirect_stdout(io.StringIO()) as out:
            try:
                if isinstance(node, ast.Expr):
                    value = eval(compile(ast.Expression(node.value), "<cell>", "eval"), scope, names)
                else:
                    exec(compile(ast.Module([node], []), "<cell>", "exec"), scope, names)
            except Exception as exception:
                error = exception
        record = {"code": code}
        if out.getvalue():
            record["printed"] = out.getvalue()
        if value is not None:
            record["value"] = self.describe((*key, ""), value)
        if error is not None:
            record["error"] = {"type": type(error).__name__, "text": str(error)}
        described = {name: self.describe((*key, name), item) for name, item in names.bound.items() if name in scope}
        if described:
            record["bound"] = described
        changed = [name for name, version in versions.items()
                   if name not in names.bound and name in scope and scope[name]._version != version]
        if changed:
            record["changed"] = {name: self.describe((*key, name), scope[name]) for name in changed}
        return record, value

    def statements(self, key, code, scope):
        """All statements of a cell up to the first that raises."""
        records, value = [], None
        for index, node in enumerate(ast.parse(code).body):
            record, value = self.statement((*key, index), node, ast.get_source_segment(code, node), scope)
            records.append(record)
            if "error" in record:
                break
        return records, value


def tensor_versions(scope):
    return {name: value._version for name, value in scope.items() if isinstance(value, torch.Tensor)}


def with_data(code, file):
    """`name = ...` with the literal of data/FILE in the place of the dots; a file of tensors the code reads itself."""
    if file.endswith(".safetensors"):
        return code
    return code.replace("...", (ROOT / "data" / file).read_text(encoding="utf-8").strip(), 1)


def run_lesson(path, wide=None):
    """(fixture, findings) of a lesson; the findings are breaches of docs/lesson-format.md."""
    run, scope, shown = Run(wide), {"__name__": "__main__"}, None
    cells, prose, findings = [], [], []
    for part in read_lesson(path):
        if not isinstance(part, Cell):
            for expression in part.fields:
                text = rendered(expression, scope if shown is None else shown)
                prose.append({"after_cells": len(cells), "expression": expression, **text})
            continue
        wrong, where = part.value("wrong"), f"cell {len(cells)}"
        before = (torch.get_rng_state(), tensor_versions(scope))
        shown = dict(scope) if wrong else None
        code = with_data(part.code, part.value("data")) if part.value("data") else part.code
        records, _ = run.statements((len(cells),), code, scope if shown is None else shown)
        if part.value("data"):
            records[0]["code"] = part.code.strip()
        if wrong and wrong not in scope:
            findings.append(f"{where}: wrong={wrong}, but there is no such name")
        if wrong and not torch.equal(before[0], torch.get_rng_state()):
            findings.append(f"{where}: a wrong cell drew random numbers")
        if wrong and tensor_versions(scope) != before[1]:
            findings.append(f"{where}: a wrong cell wrote in place")
        raised = records[-1].get("error", {}).get("type") if records else None
        if raised != part.value("raises"):
            expected = part.value("raises") or "no exception"
            findings.append(f"{where}: {records[-1].get('error', 'nothing')} was raised, {expected} was expected")
        cells.append({"words": part.words, "statements": records})
    findings += [f"{entry['expression']}: {entry['error']}" for entry in prose if "error" in entry]
    return {"cells": cells, "prose": prose}, findings, run


def rendered(expression, scope):
    """The text of a {{ }} field, which is written like a field of an f-string."""
    try:
        return {"text": eval('f"""{ ' + expression + '}"""', scope)}
    except Exception as exception:
        return {"error": {"type": type(exception).__name__, "text": str(exception)}}


def lesson_fixture(path):
    with in_float64():
        *_, wide = run_lesson(path)
    fixture, findings, run = run_lesson(path, wide)
    return fixture, findings + [f"the float64 run goes another way at {key}" for key in run.diverged]


def read_cases(text):
    """Every line is a case, except in a paragraph that begins with a comment: that is one case of several lines."""
    for paragraph in text.strip().split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        if not lines[0].startswith("#"):
            yield from lines
        elif not all(line.startswith("#") for line in lines):
            yield "\n".join(line for line in lines if not line.startswith("#"))


def run_case(code, wide=None):
    run, scope = Run(wide), {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math}
    records, value = run.statements((), code, scope)
    case = {"code": code}
    printed = "".join(record.get("printed", "") for record in records)
    if printed:
        case["printed"] = printed
    if "error" in records[-1]:
        case["error"] = records[-1]["error"]
        if not has_exact_text(code):
            del case["error"]["text"]
    elif value is not None:
        case["value"] = {**records[-1]["value"], "repr": repr(value)}
    return case, run


def case_fixture(path):
    cases, findings = [], []
    for code in read_cases(path.read_text(encoding="utf-8")):
        with in_float64():
            _, wide = run_case(code)
        case, run = run_case(code, wide)
        if not {"printed", "value", "error"} & case.keys():
            findings.append(f"shows nothing: {code}")
        cases.append(case)
    return {"cases": cases}, findings


warnings.simplefilter("ignore")
torch.set_num_threads(1)
