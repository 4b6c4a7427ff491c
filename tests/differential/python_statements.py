"""Templates of statements without tensors. The names in braces are filled by python_programs.Python."""

CHANGES = (  # of a list {list}, of a dict {dict}, of a set {set}
    "{list}.append({item})", "{list}.insert({n}, {item})", "print({list}.pop({n}))", "{list}[{n}] = {item}",
    "{list}[{slice}] = {ints}", "del {list}[{n}]", "{list}.sort(key=str)", "{list}.reverse()", "{list}.extend({ints})",
    "{list}.remove({item})", "print({list}.index({item}))", "{list} += {ints}", "{dict}[{plain}] = {item}",
    "print({dict}.get({plain}, {item}))", "print({dict}.pop({plain}))", "print({dict}[{plain}])",
    "print(list({dict}.keys()), list({dict}.values()))", "{dict}.update(x={item})",
    "print({dict}.setdefault('s', {item}))", "del {dict}['a']", "print({item}, {n}, sep='-', end='!\\n')",
    "print(*{list}, sep=', ')", "print('a' in {dict})",
    "{list}.sort()", "{list}.sort(reverse=True, key=str)", "{list} *= {k}", "del {list}[{slice}]", "{list}[{slice}] = {str}",
    "{list}.clear()", "print({list}.pop())", "print({list}.index({item}, {n}))", "{list}[{item}] = {item}",
    "{list}[{n}] += {number}", "{list}.extend({item})", "del {list}[{item}]", "{list}.append({list})",
    "print({dict}.popitem())", "{dict} |= {{{plain}: {item}}}", "{dict}.clear()", "{dict}[{item}] = {item}",
    "{dict}.update({dict}, y={int})", "{dict}.update([({plain}, {item})])", "print({dict}.pop({plain}, {item}))",
    "{dict}[{plain}] += {number}", "{dict}.setdefault({plain}, []).append({item})", "{dict}.update({item})",
    "{set}.add({int})", "{set}.discard({int})", "{set}.remove({int})", "{set} |= set({ints})", "{set} &= set({ints})",
    "{set} -= set({ints})", "{set} ^= set({ints})", "{set}.update({ints}, {ints})", "{set}.add({item})",
    "print({set} < set({ints}), {set}.issubset({ints}), {set}.issuperset({ints}))", "{set}.clear()",
    "print({item}, {item}, sep={text})", "print(end={text})", "print(sep={item})", "{set}.intersection_update({ints})",
    "{list}[(print('at'), {n})[1]] += (print('what'), {number})[1]",
    "{dict}[(print('at'), {plain})[1]] = (print('what'), {item})[1]",
    "{dict}[(print('at'), {plain})[1]] *= (print('what'), {number})[1]",
    "{list}[(print('at'), {n})[1]], {dict}[(print('key'), {plain})[1]] = (print('what'), {ints})[1]",
    "print(sorted({dict}.keys() & {ints}, key=str), sorted({dict}.keys() - {list}, key=str))",
    "print({dict}.keys().isdisjoint({list}), {dict}.keys() == {set}, {dict}.items() == {dict}.items())",
    "{dict} |= [({plain}, {item})]")

BLOCKS = (
    """
from collections import Counter
counts = same = Counter({ints})
counts += Counter({ints})
print(counts, counts is same, +counts, -counts, counts == Counter({ints}))
counts.subtract({ints})
counts |= Counter({ints})
counts -= Counter({ints})
counts &= same
print(counts, counts == same)""", """
from collections import OrderedDict, defaultdict
print(defaultdict(list, {a_dict}) | {a_dict}, {a_dict} | OrderedDict({a_dict}))""", """
for i, x in enumerate({a_list}):
    if x:
        print(i, x)
    else:
        continue""", """
total = {number}
for x in {a_list}:
    total += x
print(total)""", """
n = {m}
while n > 1:
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    print(n, end=' ')
else:
    print('end')""", """
for k, v in {a_dict}.items():
    print(k, '->', v)""", """
for i in range({an_int} % 7):
    if i == 4:
        break
    print(i)
else:
    print('all')""", """
first, *rest = {a_list}
print(first, rest)""", """
p, q = {a_list}
print(p, q)""", """
def f(x, y={number}, *rest, **named):
    return x * y, rest, named
print(f({plain}, 2, {plain}, k={plain}))
print(f({plain}))""", """
def g(n):
    return 1 if n < 2 else n * g(n - 1)
print(g({m} % 16))""", """
h = lambda x, k={number}: x + k
print(h({plain}), h(1, k={number}))""", """
try:
    print({item})
    assert {a_bool}, {a_str}
except (ValueError, AssertionError) as e:
    print('caught', type(e).__name__)
finally:
    print('finally')""", """
try:
    raise {exception}({plain})
except Exception as e:
    print(repr(e), str(e), e.args)""", """
print({{x % 3 for x in range({m} % 9)}}, sorted(set({ints})))""", """
gen = (x * 2 for x in {a_list})
print(next(gen), list(gen))""", """
class C:
    def __init__(self, v):
        self.v = v
    def __repr__(self):
        return f'C({{self.v}})'
    def __add__(self, other):
        return C(self.v + other.v)
print([C({plain})], C({number}) + C({number}))""", """
def outer(n):
    count = {int}
    def step(by=n):
        nonlocal count
        count += by
        return count
    return step
step = outer({number})
print(step(), step({number}), step(by={item}))""", """
def f(a, /, b, *, c={plain}, d=None):
    return a, b, c, d
print(f({plain}, {plain}), f({plain}, b={plain}, d={item}))
print(f({plain}))""", """
def f(a, b={plain}):
    return [a, b]
print(f(*{list}))""", """
def f(*args, **kwargs):
    return args, kwargs
print(f(*{list}, **{dict}))""", """
def f(x, *, key):
    return x
print(f({plain}, {plain}))""", """
def f(x, y=1):
    return x
print(f({plain}, z={plain}))""", """
a, (b, *c), d = {item}, {list}, {item}
print(a, b, c, d)""", """
a, *b, c = {str}
print(a, b, c)""", """
a = b = {item}
a, b = b, a
print(a, b, a is b)""", """
x = {number}
x += {number}; x -= {number}; x *= {number}
print(x)
x //= {number}
print(x)
x %= {number}
print(x)
x **= 2
print(x)
x /= {number}
print(x)""", """
x = {int}
x <<= 2; x |= {int}; x ^= {int}; x &= {int}; x >>= 1
print(x)""", """
try:
    try:
        print({item} / {item})
    except ZeroDivisionError as e:
        raise ValueError({text}) from e
except ValueError as e:
    print(repr(e), repr(e.__cause__))
else:
    print('fine')
finally:
    print('done')""", """
class E(ValueError):
    pass
try:
    raise E({plain}, {plain})
except ValueError as e:
    print(type(e).__name__, e, e.args, isinstance(e, E))""", """
class M:
    def __enter__(self):
        print('in')
        return {item}
    def __exit__(self, kind, error, trace):
        print('out', kind is None, kind and kind.__name__)
        return {a_bool}
with M() as m:
    print(m)
    print({item} + {item})
print('after')""", """
def f(n):
    for i in range(n):
        try:
            if i == {k}:
                return 'at', i
            continue
        finally:
            print('f', i)
print(f({k}))""", """
i = 0
while True:
    i += 1
    if i % 2:
        continue
    if i > {m} % 10:
        break
    print(i, end={text})
print()""", """
for a, b in zip({list}, {list}):
    print(a, b, a == b)
else:
    print('end')""", """
for i, (k, v) in enumerate({dict}.items(), {n}):
    print(i, k, v, sep='|')""", """
for c in {str}:
    print(repr(c), c.isalnum(), end=';')
print()""", """
for k in {dict}:
    {dict}[k] = {item}
print({dict})""", """
class P:
    kind = {plain}
    def __init__(self, x, y={plain}):
        self.x, self.y = x, y
    @property
    def both(self):
        return self.x, self.y
    def __eq__(self, other):
        return self.both == other.both
    def __lt__(self, other):
        return self.x < other.x
    def __len__(self):
        return {k}
    def __getitem__(self, i):
        return [self.x, self.y][i]
    def __contains__(self, v):
        return v in self.both
    def __str__(self):
        return f'P<{{self.x}}>'
    def __call__(self, z):
        return self.x, z
p = P({plain})
print(p, p.both, p == P({plain}), bool(p), len(p), p[{n}], {plain} in p, p({plain}), P.kind)
print(sorted([P(2), P(1)])[0].x, max(P(1), P(3)).x, [*p])""", """
class A:
    def who(self):
        return 'A'
    def show(self):
        return self.who() + {text}
class B(A):
    def who(self):
        return super().who() + 'B'
print(B().show(), isinstance(B(), A), issubclass(B, A), type(B()).__name__)""", """
class V:
    def __init__(self, v): self.v = v
    def __repr__(self): return f'V({{self.v!r}})'
    def __radd__(self, o): return V(o + self.v)
    def __mul__(self, o): return V(self.v * o)
    def __neg__(self): return V(-self.v)
    def __bool__(self): return bool(self.v)
    def __iter__(self): return iter({list})
    def __hash__(self): return {int}
    def __format__(self, spec): return spec + '!'
print(-V({number}), {number} + V({number}), V({plain}) * {k}, not V({plain}), list(V(1)), f'{{V(1):abc}}', {{V(1): 2}})""", """
from collections import Counter, defaultdict, OrderedDict, namedtuple
c = Counter({str})
print(c.most_common({k}), c['a'], sum(c.values()), c)
d = defaultdict(list)
d[{plain}].append({item})
print(d, dict(d), OrderedDict(a={item}))
Q = namedtuple('Q', 'x y')
q = Q({plain}, y={item})
print(q, q.x, q[1], q._asdict(), q._replace(x={plain}), [*q])""", """
import itertools, functools
print(list(itertools.product({ints}, repeat=2))[:5], list(itertools.chain({list}, {str})))
print(list(itertools.combinations({list}, 2)), list(itertools.accumulate({ints})), list(itertools.islice({str}, {k})))
print(functools.reduce(lambda a, b: a + b, {ints}, {int}), functools.partial(max, {int})({int}))""", """
from dataclasses import dataclass, field
@dataclass
class D:
    x: int
    y: float = {float}
    z: list = field(default_factory=list)
d = D({item})
d.z.append({item})
print(d, d == D({item}), D(x={item}, y={item}))
print(D())""", """
print((lambda *a, **k: (a, k))({item}, {item}, k={item}))
print((lambda: {item})(), [f(3) for f in [lambda x: x + {n}, lambda x: [x] * {k}]])""", """
if (n := len({str})) > {k}:
    print('long', n)
elif n == {k}:
    print('same')
else:
    print('short', n)""", """
print([y := {int}, y ** 2], y)""", """
it = iter({list})
print(next(it, 'none'), next(it, 'none'))
print(list(it), next(it, None))
print(next(it))""", """
print(repr({a_str}), ascii({a_str}), str({a_str}), len({a_str}), {a_str}.upper(), {a_str}.lower(), {a_str}.title())""", """
assert {item}, {item}
print('held')""", """
global_name = {item}
def f():
    global global_name
    global_name = {item}
    return undefined_name
print(global_name)
print(f())""", """
def f():
    print(late)
    late = 1
f()""", """
x = {item}
print(x.missing)""", """
x = {item}
del x
print(x)""", """
x = {list}
y = x
y += {ints}
print(x, y, x is y, x[:] is x)""", """
m = [[0] * 2 for _ in range(2)]
m[{n}][{n}] = {item}
print(m, [row[0] for row in m], [list(r) for r in zip(*m)], sum(m, []))""", """
print({item}.__class__.__name__, isinstance({item}, (int, str)), callable(print), type({item}) == int)""", """
raise {exception}""", """
raise {item}""", """
def f(x):
    if x <= 0:
        raise {exception}(f'bad {{x}}')
    return f(x - 2)
print(f({k}))""", """
s = slice({n}, {k}, {n})
print({list}[s], {str}[s], s.start, s.stop, s.step, s)""", """
print(round({float}, {n}), round({float}), round({int}, {n}), int({float}), divmod({number}, {number}))""", """
print({float}, {float}, {float} * {float}, {float} + {int}, str({float}), [{float}], ({float},), {{'k': {float}}})""")
