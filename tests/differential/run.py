#!/usr/bin/env python3
"""Random programs of the cell language, here and under PyTorch. See README.md.

    run.py --count 2000                 programs 0 to 1999 of seed 0
    run.py --seed 7 --start 500         programs from number 500 on
    run.py --only 1234                  one program: what it is and what both sides did
    run.py --code FILE                  a program of one's own
    run.py --record                     each ends by the first exception that it would catch, and is recorded here
"""

import argparse
import collections
import random
import re
import sys
import textwrap
import time
import warnings
from pathlib import Path

import torch

from loop_programs import loop_program
from maker import Maker
from outcome import DIFFERENT, REFUSED, ROOT, bound_resources, run_ours, run_torch, verdict
from shrink import shrunk
from table import read_table
from python_programs import python_program
from tensor_programs import gradient_program, tensor_program, view_program

BATCH = 500
KINDS = {"tensors": tensor_program, "gradients": gradient_program, "views": view_program, "python": python_program,
         "loops": loop_program}
WEIGHTS = {"tensors": 4, "gradients": 1, "views": 0.5, "python": 1, "loops": 1}


CAUGHT = re.compile(r"^try:\n((?:    .*\n|\n)+)except Exception as error:\n    print\(.*\n", re.MULTILINE)


def make_program(options, number, ops):
    maker = Maker(random.Random(f"{options.seed}/{number}"), ops)
    KINDS[options.kind or maker.weighted(WEIGHTS)](maker)
    code = maker.program()
    caught = CAUGHT.search(code) if options.record else None
    return code[:caught.start()] + textwrap.dedent(caught[1]) if caught else code


def report(title, code, ours, theirs):
    def did(outcome):
        return outcome.printed + (f"{outcome.error}: {outcome.text[:300]}\n" if outcome.error else "")
    print(f"\n==== {title}\n{code}---- PyTorch\n{did(theirs)}---- attn-tutor\n{did(ours)}", flush=True)


def compare(options, codes):
    """(verdict, ours, theirs) of each code."""
    for code, ours in zip(codes, run_ours([options.program] + ["--record"] * options.record, codes)):
        theirs = run_torch(code)
        yield verdict(code, ours, theirs), ours, theirs


def judge(options, code):
    return next(compare(options, [code]))


def shrink_and_report(options, title, code):
    def still_differs(shorter):
        return judge(options, shorter)[0] == DIFFERENT
    code = shrunk(code, still_differs)
    report(title, code, *judge(options, code)[1:])


def run(options):
    counts, refusals = collections.Counter(), collections.Counter()
    ops, started = read_table(options.program), time.time()
    end = options.start + options.count
    for first in range(options.start, end, BATCH):
        numbers = range(first, min(first + BATCH, end))
        codes = [make_program(options, number, ops) for number in numbers]
        for number, code, (found, ours, theirs) in zip(numbers, codes, compare(options, codes)):
            counts[found] += 1
            counts["raised"] += theirs.error is not None
            if found == REFUSED:
                refusals[ours.text] += 1
            if found == DIFFERENT and counts[DIFFERENT] <= options.show:
                shrink_and_report(options, f"seed {options.seed}, program {number}", code)
    for text, count in refusals.most_common(options.refusals):
        print(f"{count:6} refused: {text}")
    print(f"seed {options.seed}, {options.count} programs from {options.start}: {counts['same']} the same, "
          f"{counts[REFUSED]} refused ({100 * counts[REFUSED] / options.count:.1f} %), {counts[DIFFERENT]} different; "
          f"{time.time() - started:.0f} s")
    return 1 if counts[DIFFERENT] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--kind", choices=KINDS, help="programs of this kind only")
    parser.add_argument("--record", action="store_true", help="recorded, linted, explained and drawn here")
    parser.add_argument("--code", type=Path)
    parser.add_argument("--show", type=int, default=20, help="disagreements that are shrunk and shown")
    parser.add_argument("--refusals", type=int, default=20, help="kinds of refusals that are shown")
    parser.add_argument("--program", default=str(ROOT / "build/release/tests/run_programs"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    bound_resources()
    warnings.simplefilter("ignore")
    if options.code or options.only is not None:
        code = (options.code.read_text() if options.code
                else make_program(options, options.only, read_table(options.program)))
        found, ours, theirs = judge(options, code)
        report(found, code, ours, theirs)
        return 1 if found == DIFFERENT else 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
