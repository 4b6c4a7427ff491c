# Methods with two underscores on each side: what operators and built-in functions ask of an object.

# case: arithmetic
class V:
    def __init__(self, *v): self.v = v
    def __repr__(self): return f"V{self.v}"
    def __add__(self, o): return V(*(a + b for a, b in zip(self.v, o.v)))
    def __sub__(self, o): return V(*(a - b for a, b in zip(self.v, o.v)))
    def __mul__(self, k): return V(*(a * k for a in self.v))
    def __rmul__(self, k): return self * k
    def __truediv__(self, k): return V(*(a / k for a in self.v))
    def __floordiv__(self, k): return V(*(a // k for a in self.v))
    def __mod__(self, k): return V(*(a % k for a in self.v))
    def __pow__(self, k): return V(*(a ** k for a in self.v))
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.v, o.v))
    def __neg__(self): return V(*(-a for a in self.v))
    def __pos__(self): return self
    def __abs__(self): return sum(a * a for a in self.v) ** 0.5
    def __invert__(self): return "inverted"
    def __radd__(self, o): return self if o == 0 else NotImplemented
a, b = V(3, 4), V(1, 2)
print(a + b, a - b, a * 2, 2 * a, a / 2, a // 2, a % 2, a ** 2, a @ b, -a, +a, abs(a), ~a)
# expect: V(4, 6) V(2, 2) V(6, 8) V(6, 8) V(1.5, 2.0) V(1, 2) V(1, 0) V(9, 16) 11 V(-3, -4) V(3, 4) 5.0 inverted
print(sum([a, b]))  # expect: V(4, 6)
a += b
print(a)  # expect: V(4, 6)

# case: in-place operators
class Acc:
    def __init__(self): self.log = []
    def __iadd__(self, x): self.log.append(x); return self
    def __isub__(self, x): self.log.append(-x); return self
a = b = Acc()
a += 1
a -= 2
print(a is b, b.log)  # expect: True [1, -2]

# case: bit operators
class B:
    def __and__(self, o): return "and"
    def __or__(self, o): return "or"
    def __xor__(self, o): return "xor"
    def __lshift__(self, o): return "shl"
    def __rshift__(self, o): return "shr"
    def __ror__(self, o): return "ror"
b = B()
print(b & 1, b | 1, b ^ 1, b << 1, b >> 1, 1 | b)  # expect: and or xor shl shr ror

# case: operators that are missing
class A: pass
A() + 1  # expect error[TypeError]: unsupported operand type(s) for +: 'A' and 'int'

# case: operators that are missing on the right
class A: pass
1 - A()  # expect error[TypeError]: unsupported operand type(s) for -: 'int' and 'A'

# case: NotImplemented on both sides
class A:
    def __add__(self, o): return NotImplemented
A() + 1  # expect error[TypeError]: unsupported operand type(s) for +: 'A' and 'int'

# case: reflected after NotImplemented
class A:
    def __add__(self, o): return NotImplemented
class B:
    def __radd__(self, o): return "B took it"
print(A() + B())  # expect: B took it

# case: comparison
class N:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return isinstance(o, N) and self.n == o.n
    def __lt__(self, o): return self.n < o.n
    def __le__(self, o): return self.n <= o.n
    def __repr__(self): return f"N({self.n})"
print(N(1) == N(1), N(1) != N(1), N(1) == 1, N(1) < N(2), N(2) > N(1), N(1) <= N(1), N(2) >= N(3), sorted([N(3), N(1)]), max(N(1), N(5)))
# expect: True False False True True True False [N(1), N(3)] N(5)
print(N(1) in [N(2), N(1)], [N(1)].index(N(1)), [N(1), N(2)] == [N(1), N(2)], (N(1),) < (N(2),))
# expect: True 0 True True

# case: comparison that is missing
class A: pass
A() < A()  # expect error[TypeError]: '<' not supported between instances of 'A' and 'A'

# case: equality by identity
class A: pass
a, b = A(), A()
print(a == a, a == b, a != b, a in [b, a], [a].count(b), a == None)  # expect: True False True True 0 False

# case: equality without a hash
class A:
    def __eq__(self, o): return True
{A(): 1}  # expect error[TypeError]: unhashable type: 'A'

# case: hash
class K:
    def __init__(self, k): self.k = k
    def __eq__(self, o): return self.k == o.k
    def __hash__(self): return hash(self.k)
d = {K(1): "one"}
print(d[K(1)], K(2) in d, len({K(1), K(1), K(2)}), hash(K(5)))  # expect: one False 2 5

# case: objects as keys by identity
class A: pass
a, b = A(), A()
d = {a: 1, b: 2}
print(d[a], d[b], len({a, b, a}))  # expect: 1 2 2

# case: containers
class Box:
    def __init__(self): self.d = {}
    def __len__(self): return len(self.d)
    def __getitem__(self, k): return self.d[k]  # expect error[KeyError]: 'missing'
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __contains__(self, k): return k in self.d
    def __iter__(self): return iter(self.d)
b = Box()
b["x"] = 1; b["y"] = 2; b["x"] += 5
print(len(b), b["x"], "y" in b, "z" in b, list(b), bool(b), bool(Box()), sorted(b))
# expect: 2 6 True False ['x', 'y'] True False ['x', 'y']
del b["x"]
print(len(b), [k for k in b])  # expect: 1 ['y']
b["missing"]

# case: slices reach __getitem__
class S:
    def __getitem__(self, i): return i
s = S()
print(s[1], s[1:2], s[1, 2], s[..., None], s[::2], s["a"], s[-1:])
# expect: 1 slice(1, 2, None) (1, 2) (Ellipsis, None) slice(None, None, 2) a slice(-1, None, None)

# case: iteration by __getitem__
class Squares:
    def __getitem__(self, i):
        if i >= 4: raise IndexError
        return i * i
print(list(Squares()), 9 in Squares(), max(Squares()), [*Squares()])  # expect: [0, 1, 4, 9] True 9 [0, 1, 4, 9]

# case: iterator
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return self.n + 1
print(list(Countdown(3)), sum(Countdown(4)), [x for x in Countdown(2)])  # expect: [3, 2, 1] 10 [2, 1]
for x in Countdown(2): print(x)
# expect: 2
# expect: 1
it = iter(Countdown(2))
print(next(it), next(it), next(it, "end"), dict(zip("ab", Countdown(5))), list(enumerate(Countdown(2))))
# expect: 2 1 end {'a': 5, 'b': 4} [(0, 2), (1, 1)]
a, b = Countdown(2)
print(a, b, *Countdown(3))  # expect: 2 1 3 2 1

# case: reversed
class R:
    def __len__(self): return 3
    def __getitem__(self, i): return i * 10
    def __reversed__(self): return iter("own")
class P:
    def __len__(self): return 3
    def __getitem__(self, i): return i * 10
print(list(reversed(R())), list(reversed(P())))  # expect: ['o', 'w', 'n'] [20, 10, 0]

# case: call
class Adder:
    def __init__(self, n): self.n = n
    def __call__(self, x, *, scale=1): return (x + self.n) * scale
add = Adder(5)
print(add(1), add(1, scale=2), callable(add), list(map(add, [1, 2])))  # expect: 6 12 True [6, 7]

# case: not callable
class A: pass
A()()  # expect error[TypeError]: 'A' object is not callable

# case: bool and len
class T:
    def __bool__(self): return False
class L:
    def __len__(self): return 0
print(bool(T()), bool(L()), not T(), "x" if L() else "y", T() or "or")  # expect: False False True y or

# case: conversions
class N:
    def __int__(self): return 5
    def __float__(self): return 2.5
    def __index__(self): return 2
    def __round__(self, n=None): return "rounded"
print(int(N()), float(N()), [10, 20, 30][N()], range(5)[N()], round(N()), list(range(N())), hex(N()))
# expect: 5 2.5 30 2 rounded [0, 1] 0x2

# case: context manager
class Timer:
    def __enter__(self):
        print("enter")
        return self
    def __exit__(self, kind, value, trace):
        print("exit", kind.__name__ if kind else None, value)
        return kind is ValueError
with Timer() as t:
    print("body", isinstance(t, Timer))
# expect: enter
# expect: body True
# expect: exit None None
with Timer():
    raise ValueError("swallowed")
# expect: enter
# expect: exit ValueError swallowed
with Timer() as a, Timer() as b:
    print(a is b)
# expect: enter
# expect: enter
# expect: False
# expect: exit None None
# expect: exit None None
with Timer():
    raise KeyError("k")  # expect error[KeyError]: 'k'
# expect: enter
# expect: exit KeyError 'k'

# case: with something else
with 5:  # expect error[TypeError]: 'int' object does not support the context manager protocol
    pass

# case: unhashable in a set by __eq__
class A:
    def __eq__(self, o): return True
    def __hash__(self): return 1
print(len({A(), A()}))  # expect: 1

# case: len that is missing
class A: pass
len(A())  # expect error[TypeError]: object of type 'A' has no len()

# case: iteration that is missing
class A: pass
for x in A(): pass  # expect error[TypeError]: 'A' object is not iterable

# case: subscript that is missing
class A: pass
A()[0]  # expect error[TypeError]: 'A' object is not subscriptable

# case: item assignment that is missing
class A: pass
A()[0] = 1  # expect error[TypeError]: 'A' object does not support item assignment

# case: item deletion that is missing
class A: pass
a = A()
del a[0]  # expect error[TypeError]: 'A' object doesn't support item deletion

# case: membership that is missing
class A: pass
1 in A()  # expect error[TypeError]: argument of type 'A' is not iterable

# case: repr that is no string
class A:
    def __repr__(self): return 5
repr(A())  # expect error[TypeError]: __repr__ returned non-string (type int)

# case: __len__ that is negative
class A:
    def __len__(self): return -1
len(A())  # expect error[ValueError]: __len__() should return >= 0

# case: __class_getitem__ and generic annotations
def f(x: list[int], y: dict[str, int] = {}) -> tuple[int, ...]:
    return (len(x), len(y))
print(f([1, 2]))  # expect: (2, 0)

# case: __init__ that returns
class A:
    def __init__(self): return 5
A()  # expect error[TypeError]: __init__() should return None, not 'int'

# case: __eq__ of another type on the right
class Any:
    def __eq__(self, o): return True
print(1 == Any(), "a" == Any(), Any() == 5, [1] == Any(), 3 in [Any()], 1 != Any())
# expect: True True True True True False

# case: a hash that is no int
class A:
    def __hash__(self):
        return 1.5
{A(): 1}  # expect error[TypeError]: __hash__ method should return an integer

# case: what a method has to give
class Gives:
    def __init__(self, value): self.value = value
    def __bool__(self): return self.value
    def __len__(self): return self.value
    def __hash__(self): return self.value
    def __index__(self): return self.value
    def __int__(self): return self.value
    def __float__(self): return self.value
    def __str__(self): return self.value
    def __format__(self, spec): return self.value
for ask in (bool, len, hash, int, float, str, format, [1, 2].__getitem__):
    told = []
    for value in (True, -1, 2.5, 'text', None):
        try: told.append(ask(Gives(value)))
        except (TypeError, ValueError, IndexError) as error: told.append(type(error).__name__)
    print(*told)
# expect: True TypeError TypeError TypeError TypeError
# expect: 1 ValueError TypeError TypeError TypeError
# expect: 1 -2 TypeError TypeError TypeError
# expect: 1 -1 TypeError TypeError TypeError
# expect: TypeError TypeError 2.5 TypeError TypeError
# expect: TypeError TypeError TypeError text TypeError
# expect: TypeError TypeError TypeError text TypeError
# expect: 2 2 TypeError TypeError TypeError
if Gives(1): pass  # expect error[TypeError]

# case: what `with` asks of an object
class OnlyEnters:
    def __enter__(self): print('never')
class OnlyLeaves:
    def __exit__(self, *error): pass
for opened in (OnlyEnters(), OnlyLeaves(), 3):
    try:
        with opened: pass
    except TypeError as error: print(error)
# expect: 'OnlyEnters' object does not support the context manager protocol (missed __exit__ method)
# expect: 'OnlyLeaves' object does not support the context manager protocol
# expect: 'int' object does not support the context manager protocol
class Splits:
    def __divmod__(self, other): return 'divided by', other
print(divmod(Splits(), 3))  # expect: ('divided by', 3)

# case: subclasses of list and str that give themselves
class Counted(list):
    def __iter__(self):
        self.at = 0
        return self
    def __next__(self):
        if self.at == len(self):
            raise StopIteration
        self.at += 1
        return self[self.at - 1] * 10
print([x for x in Counted([1, 2])], list(zip(Counted([3]), 'a')), sum(Counted([1, 2])))  # expect: [10, 20] [(30, 'a')] 30
class Itself(list):
    def __iter__(self): return self
for walk in lambda: [x for x in Itself([1])], lambda: list(Itself([1])), lambda: iter(Itself([1])):
    try:
        walk()
    except TypeError as error:
        print(error)
# expect: iter() returned non-iterator of type 'Itself'
# expect: iter() returned non-iterator of type 'Itself'
# expect: iter() returned non-iterator of type 'Itself'
class Text(str):
    def __str__(self): return self
print(str(Text('ab')), f"{Text('c')}", '%s' % Text('d'))  # expect: ab c d

# case: the places of a slice in a sequence
class Numbers:
    def __len__(self): return 6
    def __getitem__(self, index):
        if isinstance(index, slice): return [self[i] for i in range(*index.indices(len(self)))]
        return index * index
print(Numbers()[1:4], Numbers()[::-2], Numbers()[-2:100])  # expect: [1, 4, 9] [25, 9, 1] [16, 25]
print(slice(None, None, -1).indices(5), slice(8, 1).indices(3))  # expect: (4, -1, -1) (3, 1, 1)
slice(1).indices(-1)  # expect error[ValueError]: length should not be negative

# case: the names of a program, asked for by way of the library
from functools import partial
def outer():
    inner = 1
    return sorted(partial(locals)())
print("partial" in partial(globals)(), outer())  # expect: True ['inner']

# case: a pattern for what has another number of items than it gives
class Empty(tuple):
    def __iter__(self): return iter(())
def matched(value):
    try:
        match value:
            case [first, *rest]: return rest
    except ValueError: pass
    return "no match"
print(matched(Empty((1, 2))), matched((1, 2)))  # expect: no match [2]

