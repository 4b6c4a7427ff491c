"""Operators as functions."""

add, sub, mul, truediv = lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b
floordiv, mod, pow, matmul = lambda a, b: a // b, lambda a, b: a % b, lambda a, b: a ** b, lambda a, b: a @ b
eq, ne, lt, le = lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a <= b
gt, ge, is_, is_not = lambda a, b: a > b, lambda a, b: a >= b, lambda a, b: a is b, lambda a, b: a is not b
and_, or_, xor, neg = lambda a, b: a & b, lambda a, b: a | b, lambda a, b: a ^ b, lambda a: -a
pos, not_, truth, contains = lambda a: +a, lambda a: not a, bool, lambda a, b: b in a
getitem, concat = lambda a, b: a[b], add


def setitem(a, b, c):
    a[b] = c


def itemgetter(item, *items):
    if not items:
        return lambda obj: obj[item]
    return lambda obj: tuple(obj[i] for i in (item, *items))


def attrgetter(attr, *attrs):
    def get(obj, path):
        for name in path.split('.'):
            obj = getattr(obj, name)
        return obj
    if not attrs:
        return lambda obj: get(obj, attr)
    return lambda obj: tuple(get(obj, path) for path in (attr, *attrs))


def methodcaller(name, *args, **kwargs):
    return lambda obj: getattr(obj, name)(*args, **kwargs)


# ---- str.maketrans and str.translate ----

def maketrans(x, y=None, z=''):
    if y is None:
        return {ord(key) if isinstance(key, str) else key: value for key, value in x.items()}
    if len(x) != len(y):
        raise ValueError('the first two maketrans arguments must have equal length')
    return {**{ord(a): ord(b) for a, b in zip(x, y)}, **{ord(a): None for a in z}}


def translate(text, table):
    changed = [table.get(ord(letter), letter) for letter in text]
    return ''.join([chr(to) if isinstance(to, int) else to for to in changed if to is not None])
