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


def delitem(a, b):
    del a[b]


# ---- a.__len__ and its like of what is built in, by their names without underscores ----

SPECIAL = {'len': len, 'iter': iter, 'str': str, 'repr': repr, 'hash': hash, 'abs': abs, 'bool': bool, 'int': int,
           'float': float, 'round': round, 'next': next, 'call': lambda a, *args, **kwargs: a(*args, **kwargs),
           'and': and_, 'or': or_, 'invert': lambda a: ~a, 'divmod': divmod, 'reversed': reversed, 'format': format,
           'index': int, 'dir': dir,
           'radd': lambda a, b: b + a, 'rsub': lambda a, b: b - a, 'rmul': lambda a, b: b * a,
           'rtruediv': lambda a, b: b / a, 'rpow': lambda a, b: b ** a, 'rmatmul': lambda a, b: b @ a,
           'add': add, 'sub': sub, 'mul': mul, 'truediv': truediv, 'floordiv': floordiv, 'mod': mod, 'pow': pow,
           'matmul': matmul, 'eq': eq, 'ne': ne, 'lt': lt, 'le': le, 'gt': gt, 'ge': ge, 'xor': xor, 'neg': neg,
           'pos': pos, 'contains': contains, 'getitem': getitem, 'setitem': setitem, 'delitem': delitem}


def special(name):
    """The function that a.__NAME__ binds to a; None: there is none."""
    return SPECIAL.get(name)


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


# ---- maketrans and translate of str and bytes ----

def maketrans(x, y=None, z=''):
    if isinstance(x, bytes):
        changed = dict(zip(x, y))
        return bytes(changed.get(byte, byte) for byte in range(256))
    if y is None:
        return {ord(key) if isinstance(key, str) else key: value for key, value in x.items()}
    if len(x) != len(y):
        raise ValueError('the first two maketrans arguments must have equal length')
    return {**{ord(a): ord(b) for a, b in zip(x, y)}, **{ord(a): None for a in z}}


def translate(text, table):
    changed = [table.get(ord(letter), letter) for letter in text]
    return ''.join([chr(to) if isinstance(to, int) else to for to in changed if to is not None])


def translate_bytes(data, table, delete):
    if table is not None and len(table) != 256:
        raise ValueError('translation table must be 256 characters long')
    left_out = set(delete or b'')
    return bytes(table[byte] if table else byte for byte in data if byte not in left_out)


# ---- bytes.splitlines ----

def splitlines_bytes(data, keepends, _):
    lines = data.replace(b'\r\n', b'\n').replace(b'\r', b'\n').split(b'\n')
    if not lines[-1]:
        lines.pop()
    if not keepends:
        return lines
    kept, begin = [], 0
    for line in lines:
        end = begin + len(line)
        end += 2 if data[end:end + 2] == b'\r\n' else 1
        kept.append(data[begin:end])
        begin = end
    return kept


# ---- int.to_bytes, int.from_bytes and bytes.fromhex ----

def to_bytes(number, length=1, byteorder='big', *, signed=False):
    if number < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    parts, rest = [], number
    for _ in range(length):
        parts.append(rest & 255)
        rest >>= 8
    if rest != (-1 if number < 0 else 0) or (signed and length and (parts[-1] > 127) != (number < 0)):
        raise OverflowError('int too big to convert')
    return bytes(parts if byteorder == 'little' else reversed(parts))


def from_bytes(bytes, byteorder='big', *, signed=False):
    parts = list(reversed(bytes)) if byteorder == 'little' else list(bytes)
    number = parts[0] - 256 if signed and parts and parts[0] > 127 else sum(parts[:1])
    for part in parts[1:]:
        number = number * 256 + part
    return number


def fromhex(string):
    digits = ''.join(string.split())
    return bytes([int(digits[i:i + 2], 16) for i in range(0, len(digits), 2)])
