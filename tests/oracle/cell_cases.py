"""Runs the cases of tests/cells/*.py under Python and PyTorch and compares with what their comments expect."""

import io
import os
import pickle
import re
import sys
import traceback
import types
import warnings
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CASE = "# case: "
EXPECT = re.compile(r"# expect(?:(?: error\[(?P<type>\w+)\])?:(?: (?P<text>.*))?| error\[(?P<alone>\w+)\])$")


def stand_in_for_einops():
    """einops is not one of the packages to test with: our own file of it runs on PyTorch, beside which cases compare."""
    module, layers = types.ModuleType("einops"), types.ModuleType("einops.layers")
    module.named = lambda size, name: size
    sys.modules.update({"einops": module, "einops.layers": layers, "einops.layers.torch": module})
    module.layers, layers.torch = layers, module
    exec(compile((ROOT / "src/lib/einops.py").read_text(encoding="utf-8"), "einops", "exec"), module.__dict__)


if not find_spec("einops"):
    stand_in_for_einops()


def cases(path):
    """(name, line, code): the lines above the first case and those of the case at their places, the others empty."""
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith(CASE)] + [len(lines)]
    for begin, end in zip(starts, starts[1:]):
        kept = (line if at < starts[0] or begin <= at < end else "" for at, line in enumerate(lines))
        yield lines[begin][len(CASE):], begin + 1, "\n".join(kept)


def expected(code):
    """What the comments say: the printed lines, and the error as (line, type, text) or None; no text counts as any."""
    printed, error = [], None
    for number, line in enumerate(code.split("\n"), 1):
        match = EXPECT.search(line[max(line.rfind("# expect"), 0):])
        if match and match["type"]:
            error = number, match["type"], match["text"] or ""
        elif match and match["alone"]:
            error = number, match["alone"], None
        elif match:
            printed.append(match["text"] or "")
    return printed, error


def run(name, code):
    """What Python does: the same two things."""
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    output, error = io.StringIO(), None
    with redirect_stdout(output):
        try:
            exec(compile(code, name, "exec"), main.__dict__)
        except SyntaxError as raised:
            error = raised.lineno, "SyntaxError", raised.msg
        except BaseException as raised:
            lines = [frame.lineno for frame in traceback.extract_tb(raised.__traceback__) if frame.filename == name]
            error = lines[-1], type(raised).__name__, str(raised)
    return output.getvalue().splitlines(), error


def in_a_process_of_its_own(name, code):
    """The interpreter of a case is fresh: it is forked from this one, which has imported torch."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "wb") as out:
            pickle.dump(run(name, code), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as data:
        outcome = pickle.loads(data.read() or pickle.dumps(([], (0, "crash", ""))))
    os.waitpid(child, 0)
    return outcome


def findings(path):
    """Where Python does something else than the file says, as lines of text. What we refuse has to be valid Python."""
    warnings.simplefilter("ignore")
    for name, line, code in cases(path):
        printed, error = expected(code)
        if error and error[1] == "unsupported":
            try:
                compile(code, path.name, "exec")
            except SyntaxError as invalid:
                yield f"{invalid.lineno}: {name}: {invalid.msg}"
            continue
        real_printed, real_error = in_a_process_of_its_own(path.name, code)
        if printed != real_printed:
            yield f"{line}: {name}: Python prints {real_printed}"
        if error and real_error and error[2] is None:
            real_error = *real_error[:2], None
        if error != real_error:
            yield f"{line}: {name}: Python gives {real_error}, not {error}"
