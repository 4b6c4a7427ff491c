#!/usr/bin/env python3
"""Writes or checks the oracle's fixtures: what real PyTorch gives for the lessons, for cases/*.py and for the notebooks.

See README.md.

    make.py             write all fixtures
    make.py --check     run everything again and compare with the fixtures that are checked in; and every case of
                        tests/cells/*.py, which has its expectations in itself; and data/names.txt
    make.py NAME...     only those: 03-batch, reduce, control_flow, names
"""

import argparse
import json
import re
import sys
from pathlib import Path

import torch

import cell_cases
from names import names_text
from run_cells import ROOT, case_fixture, lesson_fixture
from run_notebook import printed_by

HERE = Path(__file__).resolve().parent
CELLS = HERE.parent / "cells"
KINDS = (  # source folder, pattern, fixture folder, maker, nesting up to which the JSON is broken into lines
    (ROOT / "lessons", "*.md", HERE / "lessons", lesson_fixture, 4),
    (HERE / "cases", "*.py", HERE / "cases", case_fixture, 2),
)
NOTEBOOKS = ROOT / "tests" / "notebooks"
NAMES = ROOT / "data" / "names.txt"
TEXTS = {"printed", "repr", "text"}  # compared number by number
NUMBERS = {"values", "mean", "std"}
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?")

BLANKS = re.compile(r"\s+(?=#)|(?<=\s)\s+")  # their width follows the sign and the width of the numbers


def to_json(value, depth):
    """JSON with sorted keys, one line per item down to `depth`; what holds no further container stays on one line."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if depth == 0 or not any(isinstance(item, (dict, list)) for item in items):
        return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}:{to_json(value[key], depth - 1)}" for key in sorted(value)]
        return "{" + ",\n".join(lines) + "}"
    return "[\n" + ",\n".join(to_json(item, depth - 1) for item in value) + "\n]"


def close(a, b, spread):
    """Whether PyTorch says the same on this processor: with AVX-512 and without, a temperature of lesson 18 differs by 6e-5."""
    if isinstance(a, str) or isinstance(b, str):  # nan, inf
        return a == b
    return abs(a - b) <= max(1e-7 + 1e-4 * abs(a), 4 * spread)


def last_place(text):
    """The worth of one unit in the last printed place: 0.01 for 3.14, 1e-7 for 1.5e-06; 0 for an integer."""
    mantissa, _, exponent = text.partition("e")
    if "." not in mantissa and not exponent:
        return 0.0
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def same_text(a, b, spread):
    """Equal but for the width of blanks and for numbers that agree within `close` or a unit of the last place."""
    if a == b:
        return True
    if BLANKS.sub("", NUMBER.sub("#", a)) != BLANKS.sub("", NUMBER.sub("#", b)):
        return False
    for left, right in zip(NUMBER.findall(a), NUMBER.findall(b)):
        places = last_place(left), last_place(right)
        if left != right and (max(places) == 0 or not (
                close(float(left), float(right), spread)
                or abs(float(left) - float(right)) <= 1.001 * min(place for place in places if place))):
            return False
    return True


def differences(old, new, path="", spread=0.0, key=""):
    """What differs beyond the bounds, as lines of text."""
    if isinstance(old, dict) and isinstance(new, dict):
        spread = old.get("spread", 0.0)
        for name in sorted((old.keys() | new.keys()) - {"spread"}):
            if name not in old or name not in new:
                yield f"{path}.{name}: only in the {'fixture' if name in old else 'new run'}"
            else:
                yield from differences(old[name], new[name], f"{path}.{name}", spread, name)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (left, right) in enumerate(zip(old, new)):
            yield from differences(left, right, f"{path}[{index}]", spread, key)
    elif key in NUMBERS and not isinstance(old, list) and not isinstance(new, list):
        if not close(old, new, spread):
            yield f"{path}: {old} became {new}"
    elif key in TEXTS and isinstance(old, str) and isinstance(new, str):
        if not same_text(old, new, spread):
            yield f"{path}: {old!r} became {new!r}"
    elif old != new:
        yield f"{path}: {short(old)} became {short(new)}"


def short(value):
    text = json.dumps(value)
    return text if len(text) < 100 else text[:97] + "..."


def sources(names):
    """(source, fixture, maker, depth) of everything asked for."""
    return [(path, folder / f"{path.stem}.json", maker, depth)
            for source, pattern, folder, maker, depth in KINDS
            for path in sorted(source.glob(pattern))
            if "." not in path.stem  # a translation, 03-batch.ko.md, has the cells of 03-batch.md
            and (not names or path.stem in names)]


def check(path, fixture_path, fixture):
    if not fixture_path.exists():
        return ["has no fixture"]
    return list(differences(json.loads(fixture_path.read_text(encoding="utf-8")), json.loads(to_json(fixture, 0))))


# What PyTorch's own products of float32 differ by from one kind of processor to another, in numbers near 1.
ANOTHER_PROCESSOR = 1e-7


def notebooks(names):
    """(notebook or script, text that it prints) of everything asked for."""
    return [(path, NOTEBOOKS / "expected" / f"{path.stem}.txt")
            for path in sorted(NOTEBOOKS.glob("*.*")) if path.suffix in {".ipynb", ".py"}
            and (not names or path.stem in names)]


def make_names(is_check):
    """Writes or checks data/names.txt; gives the findings."""
    if not is_check:
        NAMES.write_text(names_text(), encoding="utf-8")
    return [] if NAMES.read_text(encoding="utf-8") == names_text() else ["lists other names than there are"]


def make_notebook(path, text_path, is_check):
    """Writes or checks the text of a notebook; gives the findings."""
    text, findings = printed_by(path)
    if not is_check:
        text_path.parent.mkdir(exist_ok=True)
        text_path.write_text(text, encoding="utf-8")
    elif not text_path.exists():
        findings.append("has no text in expected/")
    elif not same_text(text_path.read_text(encoding="utf-8"), text, ANOTHER_PROCESSOR):
        findings.append("prints another text than the one in expected/")
    return findings


def orphans():
    known = {fixture for _, fixture, _, _ in sources(())}
    texts = {text for _, text in notebooks(())}
    return ([path for *_, folder, _, _ in KINDS for path in sorted(folder.glob("*.json")) if path not in known]
            + [path for path in sorted((NOTEBOOKS / "expected").glob("*")) if path not in texts])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not torch.__version__.startswith("1.13."):
        print(f"note: the reference is PyTorch 1.13, this is {torch.__version__}", file=sys.stderr)
    asked = sources(options.names)
    asked_notebooks = notebooks(options.names)
    cells = [path for path in sorted(CELLS.glob("*.py")) if not options.names or path.stem in options.names]
    missing = set(options.names) - {NAMES.stem} - {path.stem for path, *_ in asked + asked_notebooks} - {path.stem for path in cells}
    problems = [f"{name}: neither a lesson nor a file of cases nor a notebook" for name in sorted(missing)]
    if options.check:  # first, while torch is as it was imported
        problems += [f"tests/cells/{path.name}:{finding}" for path in cells for finding in cell_cases.findings(path)]
    for path, fixture_path, maker, depth in asked:
        fixture, findings = maker(path)
        if options.check:
            findings = findings + check(path, fixture_path, fixture)
        else:
            fixture_path.parent.mkdir(exist_ok=True)
            fixture_path.write_text(to_json(fixture, depth) + "\n", encoding="utf-8")
        problems += [f"{path.name}: {finding}" for finding in findings]
    for path, text_path in asked_notebooks:
        problems += [f"{path.name}: {finding}" for finding in make_notebook(path, text_path, options.check)]
    if not options.names or NAMES.stem in options.names:
        problems += [f"{NAMES.name}: {finding}" for finding in make_names(options.check)]
    if not options.names:
        problems += [f"{path.name}: a fixture without a source" for path in orphans()]
    print("\n".join(problems) or ("no differences" if options.check else f"{len(asked) + len(asked_notebooks)} fixtures written"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
