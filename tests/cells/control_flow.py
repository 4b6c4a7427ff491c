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

# case: match
match 5:  # expect error[unsupported]: 'match' is not supported
    case 5:
        print("five")

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
