"""collections.deque, and what a Counter can do."""
from collections import Counter


class deque:
    """Two lists, of which `front` stands in reverse: either end costs the same however long it is."""

    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None and maxlen < 0:
            raise ValueError('maxlen must be non-negative')
        self.maxlen = maxlen
        self.front, self.back = [], []
        self.extend(iterable)

    @property
    def items(self):
        """All in one list, to look at or to change."""
        if self.front:
            self.front, self.back = [], self.front[::-1] + self.back
        return self.back

    def append(self, x):
        self.back.append(x)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.popleft()

    def appendleft(self, x):
        self.front.append(x)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.pop()

    def extend(self, iterable):
        for x in list(iterable) if iterable is self else iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in list(iterable) if iterable is self else iterable:
            self.appendleft(x)

    def pop(self):
        if not self.back:
            if not self.front:
                raise IndexError('pop from an empty deque')
            half = len(self.front) // 2
            self.front, self.back = self.front[half + 1:], self.front[half::-1]
        return self.back.pop()

    def popleft(self):
        if not self.front:
            if not self.back:
                raise IndexError('pop from an empty deque')
            half = len(self.back) // 2
            self.front, self.back = self.back[half::-1], self.back[half + 1:]
        return self.front.pop()

    def clear(self):
        self.items.clear()

    def copy(self):
        return deque(self.items, self.maxlen)

    __copy__ = copy

    def count(self, x):
        return self.items.count(x)

    def index(self, x, *bounds):
        if x not in self.items:
            raise ValueError(f'{x!r} is not in deque')
        return self.items.index(x, *bounds)

    def insert(self, i, x):
        if self.maxlen is not None and len(self.items) >= self.maxlen:
            raise IndexError('deque already at its maximum size')
        self.items.insert(i, x)

    def remove(self, value):
        if value not in self.items:
            raise ValueError('deque.remove(x): x not in deque')
        self.items.remove(value)

    def reverse(self):
        self.items.reverse()

    def rotate(self, n=1):
        if not self:
            return
        n %= len(self)
        if n < 10:
            for _ in range(n):
                self.appendleft(self.pop())
        elif n > len(self) - 10:
            for _ in range(len(self) - n):
                self.append(self.popleft())
        else:
            self.back = self.items[len(self) - n:] + self.items[:len(self) - n]

    def check(self, index):
        if isinstance(index, int) and not -len(self) <= index < len(self):
            raise IndexError('deque index out of range')
        if not isinstance(index, int):
            raise TypeError(f"sequence index must be integer, not '{type(index).__name__}'")

    def __getitem__(self, index):
        self.check(index)
        place = index % len(self) - len(self.front)
        return self.back[place] if place >= 0 else self.front[-1 - place - len(self.front)]

    def __setitem__(self, index, value):
        self.check(index)
        self.items[index] = value

    def __delitem__(self, index):
        self.check(index)
        del self.items[index]

    def __len__(self):
        return len(self.front) + len(self.back)

    def __iter__(self):
        items = self.items
        size = len(items)
        for item in items:
            yield item
            if items is not self.back or len(items) != size:
                raise RuntimeError('deque mutated during iteration')

    def __reversed__(self):
        return reversed(self.items)

    def __contains__(self, x):
        return x in self.items

    def __eq__(self, other):
        return self.items == other.items if isinstance(other, deque) else NotImplemented

    def __add__(self, other):
        return deque(self.items + list(other), self.maxlen)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __repr__(self):
        return f'deque({self.items!r})' if self.maxlen is None else f'deque({self.items!r}, maxlen={self.maxlen})'


# ---- Counter ----

def counted(keys, count):
    """A Counter of what occurs at all."""
    made = Counter()
    for key in keys:
        number = count(key)
        if number > 0:
            made[key] = number
    return made


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for one in self.maps:
            if key in one:
                return one[key]
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        del self.maps[0][key]

    def __contains__(self, key):
        return any(key in one for one in self.maps)

    def __iter__(self):
        return iter({key: None for one in reversed(self.maps) for key in one})

    def __len__(self):
        return len(list(iter(self)))

    def __repr__(self):
        return f"ChainMap({', '.join([repr(one) for one in self.maps])})"

    def get(self, key, default=None):
        return self[key] if key in self else default

    def keys(self):
        return list(iter(self))

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def new_child(self, m=None):
        return ChainMap({} if m is None else m, *self.maps)


def counter_sum(a, b):
    return counted([*a, *[key for key in b if key not in a]], lambda key: a[key] + b[key])


def counter_difference(a, b):
    return counted([*a, *[key for key in b if key not in a]], lambda key: a[key] - b[key])


def counter_union(a, b):
    return counted([*a, *[key for key in b if key not in a]], lambda key: max(a[key], b[key]))


def counter_intersection(a, b):
    return counted(list(a), lambda key: min(a[key], b[key]))


def move_to_end(ordered, key, last=True):
    own = key
    if isinstance(key, (bool, float)):
        own = next((one for one in ordered if one == key), key)  # 1 and not True
    value = ordered.pop(key)
    rest = [] if last else list(ordered.items())
    if not last:
        ordered.clear()
    ordered[own] = value
    ordered.update(rest)


def counter_elements(counter):
    return iter([key for key, number in counter.items() for _ in range(number)])


def counter_subtract(counter, iterable=()):
    for key, number in Counter(iterable).items():
        counter[key] -= number


def counter_total(counter):
    return sum(counter.values())
