# if, for, while, comprehensions and generator expressions, walrus, match.
import torch

# case: if, elif, else
def sign(x):
    if x > 0:
        return "+"
    elif x < 0:
        return "-"
    else:
        return "0"
print(sign(5), sign(-5), sign(0))  # expect: + - 0

# case: conditional expression
x = 5
print("big" if x > 3 else "small", [i if i % 2 else -i for i in range(4)], 1 if 0 else 2 if 0 else 3)
# expect: big [0, 1, -2, 3] 3

# case: and, or, not
print(1 and 2, 0 and 2, 1 or 2, 0 or "" or None, not 1 and 2, not (1 and 0), [] or {}, None or "default", 0 or 0.0)
# expect: 2 0 1 None False True {} default 0.0

# case: operands that are not evaluated
def loud(x):
    print("loud", x)
    return x
print(loud(0) and loud(1), loud(1) or loud(2))
# expect: loud 0
# expect: loud 1
# expect: 0 1

# case: for with else
for i in range(3):
    if i == 5:
        break
else:
    print("no break")
# expect: no break
for i in range(3):
    if i == 1:
        break
else:
    print("not printed")
print(i)  # expect: 1

# case: while with else
n = 3
while n:
    n -= 1
    if n == 1:
        continue
    print(n)
else:
    print("done")
# expect: 2
# expect: 0
# expect: done

# case: break and continue
out = []
for i in range(10):
    if i % 2:
        continue
    if i > 6:
        break
    out.append(i)
print(out, i)  # expect: [0, 2, 4, 6] 8

# case: nested loops
for i in range(3):
    for j in range(3):
        if j == i:
            break
        print(i, j)
# expect: 1 0
# expect: 2 0
# expect: 2 1

# case: the loop variable stays
for i in range(3): pass
print(i)  # expect: 2
for x in []: pass
print(x)  # expect error[NameError]: name 'x' is not defined

# case: loop over several names
for a, b in [(1, 2), (3, 4)]: print(a + b)
# expect: 3
# expect: 7
for (a, b), *c in [((1, 2), 3, 4)]: print(a, b, c)  # expect: 1 2 [3, 4]
for i, d["k"] in enumerate("ab") if False else []: pass

# case: loop target that is an item
d = {}
for d["k"] in range(3): pass
print(d)  # expect: {'k': 2}

# case: for over a number
for x in 5:  # expect error[TypeError]: 'int' object is not iterable
    pass

# case: for over None
for x in None:  # expect error[TypeError]: 'NoneType' object is not iterable
    pass

# case: loop over a tensor
for row in torch.tensor([[1, 2], [3, 4]]):
    print(row, row.sum().item())
# expect: tensor([1, 2]) 3
# expect: tensor([3, 4]) 7

# case: loop over a scalar tensor
for x in torch.tensor(5):  # expect error[TypeError]: iteration over a 0-d tensor
    pass

# case: big loop
total = 0
for i in range(20000):
    total += i * i % 7
print(total)  # expect: 39998

# case: while with a big counter
n, steps = 27, 0
while n != 1:
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    steps += 1
print(steps)  # expect: 111

# case: comprehensions
print([x * x for x in range(5)], [x for x in range(10) if x % 3 == 0], [(x, y) for x in range(2) for y in "ab"], [[j for j in range(i)] for i in range(3)])
# expect: [0, 1, 4, 9, 16] [0, 3, 6, 9] [(0, 'a'), (0, 'b'), (1, 'a'), (1, 'b')] [[], [0], [0, 1]]
print({x: x + 1 for x in range(3)}, {len(w) for w in ["a", "bb", "c"]}, [x for row in [[1, 2], [3]] for x in row], [x for x in range(20) if x % 2 if x % 3])
# expect: {0: 1, 1: 2, 2: 3} {1, 2} [1, 2, 3] [1, 5, 7, 11, 13, 17, 19]

# case: scope of a comprehension
x = "outer"
print([x for x in range(3)], x)  # expect: [0, 1, 2] outer
y = 2
print([y * v for v in range(3)])  # expect: [0, 2, 4]

# case: comprehension variable is gone
[q for q in range(3)]
print(q)  # expect error[NameError]: name 'q' is not defined

# case: comprehension in a class body
class A:
    n = 3
    squares = [i * i for i in range(n)]
print(A.squares)  # expect: [0, 1, 4]

# case: comprehension in a class body does not see the class
class A:
    n = 3
    values = [n for i in range(2)]  # expect error[NameError]: name 'n' is not defined

# case: generator expressions
g = (x * x for x in range(4))
print(next(g), list(g), list(g), sum(x for x in range(4)), max(len(w) for w in ["a", "bbb"]), tuple(c for c in "ab"), dict((i, i) for i in range(2)))
# expect: 0 [1, 4, 9] [] 6 3 ('a', 'b') {0: 0, 1: 1}
print(" ".join(str(i) for i in range(3)), sorted(-x for x in [1, 2]), any(x == 2 for x in [1, 2]), set(x % 2 for x in range(5)), type(g).__name__)
# expect: 0 1 2 [-2, -1] True {0, 1} generator

# case: generator expressions are lazy
def loud(x):
    print("computing", x)
    return x
g = (loud(x) for x in range(3))
print("made")  # expect: made
print(next(g))
# expect: computing 0
# expect: 0
for v in g:
    print("got", v)
# expect: computing 1
# expect: got 1
# expect: computing 2
# expect: got 2

# case: generator sees later changes
n = 1
g = (n + x for x in [10, 20])
n = 5
print(list(g))  # expect: [15, 25]

# case: match: literals, names, guards
def what(x):
    match x:
        case 0 | -1:
            return "small"
        case 1.5:
            return "real"
        case "a" 'b' | b"c":
            return "text"
        case None:
            return "none"
        case True:
            return "yes"
        case int(n) | float(n) if n > 100:
            return f"large {n}"
        # the rest
        case n:
            return f"other {n!r}"
print([what(x) for x in [0, -1, 1.5, "ab", b"c", None, True, 1, 1.0, False, 200, 200.5, [], "a"]])
# expect: ['small', 'small', 'real', 'text', 'text', 'none', 'yes', 'other 1', 'other 1.0', 'small', 'large 200', 'large 200.5', 'other []', "other 'a'"]

# case: match: sequences
def parts(x):
    match x:
        case []: return "empty"
        case [one]: return one, "alone"
        case 1, 2: return "1 and 2"
        case (a, [b, *c], *_): return a, b, c
        case [first, *middle, last]: return first, middle, last
    return "nothing"
print(parts([]), parts((5,)), parts([1, 2]), parts([1, [2]]), parts((1, (2, 3, 4), 5)), parts(range(4)), parts([1, "ab", 2]))
print(parts("ab"), parts({1: 2}), parts({1, 2}), parts(None), parts(b"ab"), parts(torch.zeros(3)), parts(torch.zeros(2, 3).shape), parts(iter([1])))
match 1, *[2, 3]:
    case x, *rest:
        print(x, rest)
from collections import deque
match deque([1, 2]):
    case [a, b]: print(a, b)
# expect: empty (5, 'alone') 1 and 2 (1, 2, []) (1, 2, [3, 4]) (0, [1, 2], 3) (1, ['ab'], 2)
# expect: nothing nothing nothing nothing nothing nothing (2, [], 3) nothing
# expect: 1 [2, 3]
# expect: 1 2

# case: match: mappings
from collections import OrderedDict, defaultdict
def option(x):
    match x:
        case {"lr": float(lr), "name": "sgd" | "adam" as name, **rest}: return lr, name, rest
        case {"lr": lr, "momentum": None}: return "none", lr
        case {1: {-2: deep}}: return deep
        case {"lr": _, **rest}: return rest
        case {}: return "any dict"
    return "no dict"
print(option({"lr": 0.1, "name": "adam", "b": 2}), option({"lr": 1, "momentum": None, "c": 3}), option({True: {-2: [0]}}))
print(option({"lr": 1, "x": 2}), option({}), option(OrderedDict(lr=1.0, name="sgd")), option([("lr", 1)]), option(defaultdict(int)))
d = defaultdict(list)
match d:
    case {"k": v}: print("made", v)
    case _: print("not made", dict(d))
# expect: (0.1, 'adam', {'b': 2}) ('none', 1) [0]
# expect: {'x': 2} any dict (1.0, 'sgd', {}) no dict any dict
# expect: not made {}

# case: match: values
import math
from enum import Enum
class Color(Enum):
    RED = 1
    BLUE = 2
class Config:
    sizes = {"hidden": 4}
    class Inner:
        heads = 8
def look(x):
    match x:
        case Color.RED: return "red"
        case Color(): return "another color"
        case Config.Inner.heads: return "heads"
        case math.pi: return "pi"
        case {Color.BLUE: y}: return y
print(look(Color.RED), look(Color.BLUE), look(8), look(8.0), look(math.pi), look({Color.BLUE: 3}), look(1))
# expect: red another color heads heads pi 3 None

# case: match: classes
from collections import namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple
@dataclass
class Point:
    x: int
    y: int = 0
    kind: str = field(default="p", init=False)
@dataclass
class Point3(Point):
    z: int = 0
Pair = namedtuple("Pair", "left right")
class Named(NamedTuple):
    a: int
    b: int = 1
class Own:
    __match_args__ = ("w",)
    def __init__(self, w): self.w = w
    @property
    def double(self): return 2 * self.w
def shape(x):
    match x:
        case Point3(x=1, z=z): return "Point3", z
        case Point(0, 0): return "origin"
        case Point(x, y=0): return "on x", x
        case Point(kind="p", y=y, missing=_): return "never"
        case Point() as p: return p
        case Pair(1, r): return "pair", r
        case Named(a, b): return "named", a, b
        case Own(w, double=d): return w, d
        case str(s) | list(s) | dict(s) | tuple(s) | set(s) | bool(s) | int(s) | float(s): return type(s).__name__
        case torch.nn.Linear(in_features=n, bias=None): return "linear", n
        case torch.Tensor(shape=[rows, _], requires_grad=False): return "matrix", rows
        case ValueError(args=(text,)): return text
        case range(): return "range"
        case type(): return "type"
print(Point.__match_args__, Point3.__match_args__, Pair.__match_args__, Named.__match_args__)
print(shape(Point(0)), shape(Point(5)), shape(Point(1, 2)), shape(Point3(1, 2, 3)), shape(Point3(2, 0, 1)), shape(Pair(1, 2)), shape(Pair(3, 4)), shape(Named(5)), shape(Own(7)))
print([shape(x) for x in ["s", [1], {}, (1,), {1}, True, 3, 2.5, ValueError("bad"), range(3), int, None, frozenset()]])
print(shape(torch.nn.Linear(2, 3, bias=False)), shape(torch.zeros(4, 5)), shape(torch.zeros(4)), shape(torch.zeros(2).shape))
class Words(list): pass
match Words("ab"):
    case Words([a, b] as all): print(a, b, all)
# expect: ('x', 'y') ('x', 'y', 'z') ('left', 'right') ('a', 'b')
# expect: origin ('on x', 5) Point(x=1, y=2, kind='p') ('Point3', 3) ('on x', 2) ('pair', 2) Pair ('named', 5, 1) (7, 14)
# expect: ['str', 'list', 'dict', 'tuple', 'set', 'bool', 'int', 'float', 'bad', 'range', 'type', None, None]
# expect: ('linear', 2) ('matrix', 4) None Size
# expect: a b ['a', 'b']

# case: match: nested alternatives, as, parentheses
def tree(t):
    match t:
        case ("+" | "-" as op, (int() | float()) as a, b) | [a, "+" | "-" as op, b]:
            return op, a, b
        case (([x] | {"x": x})): return "x", x
        case (1 | 2) as n, _: return n
        case {"op": ["mul", *args]}: return args
print(tree(("+", 1, 2)), tree([1, "-", [3]]), tree([7]), tree({"x": 8, "y": 0}), tree((2, 3)), tree({"op": ["mul", 1, 2]}), tree(["+", "a", 1]))
# expect: ('+', 1, 2) ('-', 1, [3]) ('x', 7) ('x', 8) 2 [1, 2] None

# case: match: what is bound, and when
def f(p):
    try:
        match p:
            case [a, b] if a > b: return "down"
            case [a, 0]: return "zero", a
            case {"c": c}: pass
        return a, b
    except UnboundLocalError as error:
        return str(error)
print(f([2, 1]), f([1, 0]), f([1, 2]), f([1]))
n = 0
def count():
    global n
    match 5:
        case n: pass
    class A:
        match "inside":
            case member: pass
    return A.member
print(count(), n)
total = 0
for step in [("add", 2), ("skip",), ("add", 3), ("stop",), ("add", 100)]:
    match step:
        case "add", amount: total += amount
        case ["skip"]: continue
        case ["stop"]: break
print(total, amount)
def numbers(xs):
    for x in xs:
        match x:
            case int(): yield x
            case [*more]: yield from numbers(more)
print(list(numbers([1, [2, [3]], "4"])))
# expect: down down (1, 2) cannot access local variable 'a' where it is not associated with a value
# expect: inside 5
# expect: 5 3
# expect: [1, 2, 3]

# case: match, case and _ are names elsewhere
import re
match = re.match("a+", "aab")
print(match.group(), match[0], match [0], match is not None)
match: int = 3
case, _ = 1, 2
print(match + case - _, match * -case, [match for match in range(2)])
match = lambda x: x * 10
print(match(2), match (3) , match(-1) + 1, match(*[4]))
match (case):
    case 1: print("one")
match -case:
    case -1: print("minus one")
match [case, _]:
    case [1, _]: print("a list", _)
match not case:
    case False: print("not")
match match:
    case case: print(case is match)
match = {"a": 1}
match["a"] = match["a"] + 1
match {**match}:
    case {"a": 2, **case}: print(case)
match x := 3:
    case 3: print(x)
match (
    x,
    4,
):
    case (
        3,
        4 as y,
    ): print(y)
# expect: aa aa aa True
# expect: 2 -3 [0, 1]
# expect: 20 30 -9 40
# expect: one
# expect: minus one
# expect: a list 2
# expect: not
# expect: True
# expect: {}
# expect: 3
# expect: 4

# case: match: the order in which things are asked
class Loud:
    def __init__(self, name): self.name = name
    def __eq__(self, other):
        print(self.name, "==", other)
        return False
def subject():
    print("subject")
    return Loud("it")
def guard(x):
    print("guard")
    return x
match subject():
    case 1 | 2: pass
    case None: pass
    case _ if guard(False): pass
    case (3): pass
    case x if guard(True): print(x.name)
# expect: subject
# expect: it == 1
# expect: it == 2
# expect: guard
# expect: it == 3
# expect: guard
# expect: it

# case: match: tensors are compared element by element
match torch.tensor([3]):
    case 3: print("one element")
match torch.tensor([[1, 2]]).tolist():
    case [[a, b]]: print(a + b)
# expect: one element
# expect: 3

# case: match: a tensor of several elements equals no number
match torch.zeros(2):
    case 0: pass  # expect error[RuntimeError]: Boolean value of Tensor with more than one value is ambiguous

# case: match: too many positional patterns
match 3:
    case str(a, b): pass
    case int(a, b): pass  # expect error[TypeError]: int() accepts 1 positional sub-pattern (2 given)

# case: match: no positional patterns
class A: pass
match A():
    case A(1): pass  # expect error[TypeError]: A() accepts 0 positional sub-patterns (1 given)

# case: match: one attribute twice
from dataclasses import dataclass
@dataclass
class P:
    x: int
match P(1):
    case P(y, x=1): pass  # expect error[TypeError]: P() got multiple sub-patterns for attribute 'x'

# case: match: no class
match 1:
    case print(): pass  # expect error[TypeError]: called match pattern must be a type

# case: match: names that are no text
class A:
    __match_args__ = "x"
match A():
    case A(1): pass  # expect error[TypeError]: A.__match_args__ must be a tuple (got str)

# case: match: one key twice
class K:
    a = b = "k"
match {"k": 1, "l": 2}:
    case {K.a: 1, K.b: 1}: pass  # expect error[ValueError]: mapping pattern checks duplicate key ('k')

# case: match: unknown value
match 1:
    case math.pi: pass  # expect error[NameError]: name 'math' is not defined

# case: pass and ellipsis as bodies
def f(): ...
class C: pass
if True: pass
for _ in []: ...
print(f(), C.__name__)  # expect: None C

# case: semicolons
x = 1; y = 2; print(x + y); print("z")
# expect: 3
# expect: z

# case: line continuation
total = 1 + \
    2 + \
    3
values = [
    1,
    2,  # a comment
]
print(total, values, (1 +
                      2))
# expect: 6 [1, 2] 3

# case: comments everywhere
# a comment
x = 1  # another
print(x)  # expect: 1

# case: del
x = 5
del x
try:
    x
except NameError as error:
    print(error)
# expect: name 'x' is not defined
a = [1, 2, 3]; d = {"k": 1, "l": 2}
del a[0], d["k"]
print(a, d)  # expect: [2, 3] {'l': 2}
del (a, d)
print("a" in globals()) if False else print("gone")  # expect: gone

# case: del of an unknown name
del nothing  # expect error[NameError]: name 'nothing' is not defined

# case: name that is not defined
print(undefined_name)  # expect error[NameError]: name 'undefined_name' is not defined

# case: unreachable code is not run
def f():
    return 1
    print("never")
print(f())  # expect: 1

# case: break in try with finally
for i in range(3):
    try:
        if i == 1:
            break
        print("body", i)
    finally:
        print("finally", i)
# expect: body 0
# expect: finally 0
# expect: finally 1

# case: continue in finally order
for i in range(2):
    try:
        continue
    finally:
        print("cleanup", i)
# expect: cleanup 0
# expect: cleanup 1

# case: async def
async def f(): pass  # expect error[unsupported]: 'async' is not supported

# case: truth of tensors
print(bool(torch.tensor(0)), bool(torch.tensor([1.5])), "yes" if torch.tensor(1) else "no")  # expect: False True yes

# case: is with small values
a = None
print(a is None, a is not None, not a, a == None, type(a) is type(None))  # expect: True False True True True

# case: while true
n = 0
while True:
    n += 1
    if n == 5: break
print(n)  # expect: 5

# case: range with tensors
n = torch.tensor(3)
print(list(range(n)), [10, 20, 30, 40][n])  # expect: [0, 1, 2] 40

# case: assignment in nested scopes of loops
fs = []
for i in range(3):
    def f(i=i): return i
    fs.append(f)
print([f() for f in fs])  # expect: [0, 1, 2]

# case: walrus
if (n := 10) > 5:
    print(n)  # expect: 10
print([y := 3, y ** 2], y, len(m := [1, 2]), m)  # expect: [3, 9] 3 2 [1, 2]
while (k := n - 4) > 0:
    n = k
print(n, k)  # expect: 2 -2
print([last := i for i in range(4)], last, [z for i in range(3) if (z := i * 2)])  # expect: [0, 1, 2, 3] 3 [2, 4]

# case: walrus in a function
def f(values):
    total = 0
    partial = [total := total + v for v in values]
    if any((found := v) > 2 for v in values):
        return partial, found
    return total
print(f([1, 2]), f([1, 3, 4]))  # expect: 3 ([1, 4, 8], 3)
def g():
    print(later)  # expect error[UnboundLocalError]: cannot access local variable 'later' where it is not associated with a value
    (later := 1)
g()

# case: walrus of what is no name
(a.b := 1)  # expect error[SyntaxError]: cannot use assignment expressions with attribute

# case: __exit__ that raises is not called again
class M:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        print("exit", kind is None)
        raise ValueError("from exit")
try:
    with M():
        print("body")
except ValueError as error:
    print(error)
# expect: body
# expect: exit True
# expect: from exit

# case: nothing runs behind what is not known
try:
    2**100  # expect error[unsupported]: 2 ** 100 does not fit 64 bits
finally:
    print("never")

# case: what stands in front of += is evaluated once
n = 0
def f():
    global n
    n += 1
    return n - 1
class C:
    v = 1
c = C()
def g():
    print('g', end=' ')
    return c
l = [10, 20, 30]
l[f()] += 1
print(l, n)
g().v += 2
print(c.v)
m = [[0] * 3 for _ in range(4)]
m[f()][f()] += 5
s = [0, 1, 2]
l[s.pop()] *= 2
print(m, n, l, s)
import random
random.seed(1)
h = [0] * 10
for _ in range(100):
    h[random.randrange(10)] += 1
print(h, sum(h))
for call in (lambda: dict.fromkeys(), lambda: dict.fromkeys(iterable=[1])):
    try:
        call()
    except TypeError as error:
        print(error)
# expect: [11, 20, 30] 1
# expect: g 3
# expect: [[0, 0, 0], [0, 0, 5], [0, 0, 0], [0, 0, 0]] 3 [11, 20, 60] [0, 1]
# expect: [12, 8, 6, 12, 7, 7, 13, 13, 14, 8] 100
# expect: fromkeys expected at least 1 argument, got 0
# expect: dict.fromkeys() takes no keyword arguments
