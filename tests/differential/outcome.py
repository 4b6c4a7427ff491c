"""What a program did, under PyTorch and here, and whether the two are the same by the bounds of the oracle."""

import contextlib
import io
import json
import math
import re
import resource
import signal
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "data"), str(ROOT / "tests/oracle")]
import newer_torch  # noqa: E402, F401
from exact_texts import has_exact_text  # noqa: E402, F401
from verify import in_float64  # noqa: E402

IMPORTS = "import torch, math\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?(?![\w])")
RAISED = re.compile(r"\w+(?:Error|Exception)")  # what a program prints of an exception that it catches
ADDRESS = re.compile(r" at 0x[0-9a-f]+(?=>)")  # ours have none
BLANKS = re.compile(r"\s+(?=[#\]]|nan|-?inf)|(?<=\s)\s+")
LAST_WORDS = re.compile(r"\s+(?=(?:dtype|grad_fn|requires_grad|size)=)")  # on a line of their own behind a long one
RULE_OF_ELEMENTS = 1e-7, 1e-6, 4  # absolute, relative, times the spread
EXACT = "exact "  # what begins like this must be the same to the last digit
MOST_BY_CHANCE = 1e-6  # of a spread: what last bits move further took another way, as in floor()


@dataclass
class Outcome:
    printed: str
    error: "str | None" = None  # Python's class, "unsupported", "limit" or "crash"
    text: str = ""


class TooMuch(BaseException):
    """A line took more memory or time than a program of these should."""


def stop(*_):
    raise TooMuch


def bound_resources():
    """Of this process: 1 GiB more than it has now, and two seconds of the processor's time for what runs quietly()."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30),) * 2)
    signal.signal(signal.SIGPROF, stop)


@contextlib.contextmanager
def quietly(out):
    """Prints go to `out`, warnings nowhere; TooMuch when it lasts too long or runs out of memory."""
    signal.setitimer(signal.ITIMER_PROF, 2)
    try:
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except MemoryError:
        stop()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def new_scope():
    scope = {"__name__": "__main__"}
    exec(IMPORTS, scope)
    return scope


def run_torch(code):
    out = io.StringIO()
    torch.set_printoptions(profile="default")
    scope = new_scope()
    try:
        with quietly(out):
            exec(compile(code, "<program>", "exec"), scope)
    except Exception as exception:
        return Outcome(ADDRESS.sub("", out.getvalue()), type(exception).__name__, ADDRESS.sub("", str(exception)))
    return Outcome(ADDRESS.sub("", out.getvalue()))


def run_ours(command, codes):
    """An Outcome for each code. A process that dies is started again behind the program that killed it."""
    outcomes = []
    while len(outcomes) < len(codes):
        rest = codes[len(outcomes):]
        text = "".join(json.dumps({"code": IMPORTS + code}) + "\n" for code in rest)
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        for line in done.stdout.split("\n")[:-1]:
            fields = json.loads(line)
            outcomes.append(Outcome(fields["printed"], fields.get("error"), fields.get("text", "")))
        if done.returncode != 0 and len(outcomes) < len(codes):
            outcomes.append(Outcome("", "crash", f"exit code {done.returncode}: {done.stderr[-500:]}"))
    return outcomes


# ---- comparison ----

def last_place(text):
    """One unit in the last printed place: 0.01 for 3.14, 1e-7 for 1.5e-06; 0 for an integer."""
    mantissa, _, exponent = text.partition("e")
    if "." not in mantissa and not exponent:
        return 0.0
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def has_exponent(number):
    return "e" in number


def may_differ_in_notation(pairs, spread):
    """PyTorch prints a tensor with exponents when one number is tiny. Whether it is may be a matter of rounding only
    where that number could as well be 0."""
    noise = max(RULE_OF_ELEMENTS[0], RULE_OF_ELEMENTS[2] * spread)
    return any(0 < abs(float(number)) <= noise for pair in pairs for number in pair if has_exponent(number))


def close_numbers(ours, theirs, spread):
    if ours == theirs:
        return True
    places = last_place(ours), last_place(theirs)
    if max(places) == 0:
        return False
    absolute, relative, times = RULE_OF_ELEMENTS
    place = min(p for p in places if p)
    if has_exponent(ours) != has_exponent(theirs):  # each is rounded in its own last place; "1." is not rounded at all
        place = sum(p for p in places if p < 1) / 2
    bound = max(absolute + relative * abs(float(theirs)), times * spread, 1.001 * place)
    return math.isinf(bound) or abs(float(ours) - float(theirs)) <= bound


def without_numbers(text):
    return BLANKS.sub("", LAST_WORDS.sub(" ", NUMBER.sub("#", text)))


def same_text(ours, theirs, spread=0.0):
    if ours == theirs:
        return True
    if theirs.startswith(EXACT):
        return False
    if without_numbers(ours) != without_numbers(theirs):
        return False
    pairs = list(zip(NUMBER.findall(ours), NUMBER.findall(theirs)))
    if any(has_exponent(a) != has_exponent(b) for a, b in pairs) and not may_differ_in_notation(pairs, spread):
        return False
    return all(close_numbers(a, b, spread) for a, b in pairs)


def blocks(text):
    """The printed values: lines, joined as long as a bracket is open."""
    block, depth = [], 0
    for line in text.splitlines():
        block.append(line)
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if depth <= 0:
            yield "\n".join(block)
            block, depth = [], 0
    if block:
        yield "\n".join(block)


def spread_of(narrow, wide):
    """How far rounding alone moves the numbers of a block: between float32 and float64."""
    narrow, wide = NUMBER.findall(narrow), NUMBER.findall(wide)
    if len(narrow) != len(wide):
        return 0.0
    differences = (abs(float(a) - float(b)) for a, b in zip(narrow, wide))
    return max((difference for difference in differences if math.isfinite(difference)), default=0.0)


def same_blocks(ours, theirs):
    ours, theirs = list(blocks(ours)), list(blocks(theirs))
    return len(ours) == len(theirs) and all(map(same_text, ours, theirs))


class LastBitsByChance(TorchDispatchMode):
    """Moves every number that an op gives by one unit in its last place, up, down or not at all (Monte Carlo
    arithmetic): whoever rounds otherwise gets results that are as far away."""

    def __init__(self, seed):
        super().__init__()
        self.chance = torch.Generator().manual_seed(seed)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if any(returned.alias_info for returned in func._schema.returns):  # a view, or written in place
            return result
        return tree_map(self.moved, result)

    def moved(self, x):
        if not isinstance(x, torch.Tensor) or x.dtype not in (torch.float32, torch.float64):
            return x
        steps = torch.randint(-1, 2, x.shape, generator=self.chance)
        return torch.where(steps == 0, x, torch.nextafter(x, steps * math.inf))


def in_float64_run(code):
    with in_float64():
        return run_torch(code).printed.replace("torch.float64", "torch.float32")


def by_chance_runs(code):
    for seed in range(4):
        with LastBitsByChance(seed):
            yield run_torch(code).printed


def same_within_rounding(code, ours, theirs):
    """The comparison for programs whose numbers differ by more than the fixed bounds: with the spread of each value,
    which is how far the float64 run moves it. That may be nothing by chance; then last bits by chance decide."""
    if without_numbers(ours) != without_numbers(theirs) or "bernoulli_(" in code:  # which float64 draws otherwise
        return False
    return same_within_spread(ours, theirs, in_float64_run(code)) or any(
        same_within_spread(ours, theirs, other, MOST_BY_CHANCE) for other in by_chance_runs(code))


def same_within_spread(ours, theirs, other, most=math.inf):
    # A statement that two types refuse may run where both are float64.
    parts = [[block for block in blocks(text) if not RAISED.fullmatch(block)] for text in (ours, theirs, other)]
    if len({len(part) for part in parts}) != 1:
        return False
    return all(same_text(ours, theirs, min(most, spread_of(theirs, other))) for ours, theirs, other in zip(*parts))


def is_refusal(outcome):
    return outcome.error in ("unsupported", "limit")


SAME, REFUSED, DIFFERENT = "same", "refused", "different"


def verdict(code, ours, theirs):
    """SAME, DIFFERENT, or REFUSED: we do not know the code, but what we printed before that is right."""
    printed = theirs.printed
    if is_refusal(ours):
        printed = "".join(line + "\n" for line in printed.split("\n")[:ours.printed.count("\n")])
    elif ours.error != theirs.error:
        return DIFFERENT
    if "torch" not in code and ours.printed != printed:  # numbers of Python's are the same to the last digit
        return DIFFERENT
    if not same_blocks(ours.printed, printed) and not same_within_rounding(code, ours.printed, printed):
        return DIFFERENT
    return REFUSED if is_refusal(ours) else SAME
