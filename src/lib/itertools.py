"""itertools: each makes all of its values at once. What never ends (count, cycle, repeat) is C++."""


def product(*iterables, repeat=1):
    rows = [()]
    for pool in [list(iterable) for iterable in iterables] * repeat:
        rows = [row + (item,) for row in rows for item in pool]
    return iterator('product', rows)


def chain(*iterables):
    return iterator('chain', [item for iterable in iterables for item in iterable])


def combinations(iterable, r):
    rows = [((), tuple(iterable))]
    for left in range(r, 0, -1):
        rows = [(row + (rest[i],), rest[i + 1:]) for row, rest in rows for i in range(len(rest) - left + 1)]
    return iterator('combinations', [row for row, _ in rows])


def permutations(iterable, r=None):
    rows = [((), tuple(iterable))]
    for _ in range(len(rows[0][1]) if r is None else r):
        rows = [(row + (rest[i],), rest[:i] + rest[i + 1:]) for row, rest in rows for i in range(len(rest))]
    return iterator('permutations', [row for row, _ in rows])


def islice(iterable, *limits):
    start, stop, step = (None, *limits, None) if len(limits) == 1 else (*limits, None)[:3]
    start, step = 0 if start is None else start, 1 if step is None else step
    if start < 0 or step < 1 or (stop is not None and stop < 0):
        raise ValueError('Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.')
    chosen, items = [], iter(iterable)
    for at, item in enumerate(items if stop != 0 else []):
        if at >= start and (at - start) % step == 0:
            chosen.append(item)
        if at + 1 == stop:
            break
    return iterator('islice', chosen)


def accumulate(iterable, func=None, initial=None):
    sums = [] if initial is None else [initial]
    for item in iterable:
        if sums:
            item = sums[-1] + item if func is None else func(sums[-1], item)
        sums.append(item)
    return iterator('accumulate', sums)
