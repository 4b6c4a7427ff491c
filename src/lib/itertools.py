"""What itertools has beside the functions of small_modules.cpp, whose loops run often."""
from collections import deque


def chained(iterables):
    for iterable in iterables:
        yield from iterable


class chain:
    def __init__(self, *iterables):
        self.rest = chained(iterables)

    def from_iterable(iterable):
        made = chain()
        made.rest = chained(iterable)
        return made

    def __iter__(self):
        return self.rest

    def __next__(self):
        return next(self.rest)


def groupby(iterable, key=None):
    """All groups share one pass over the items: a group ends when the next one is asked for."""
    ranked = ((item if key is None else key(item), item) for item in iterable)
    heads = []  # the first of the next group, once it is known
    for head in ranked:
        heads.append(head)
        break

    def rest_of(rank, item):
        yield item
        for head in ranked:
            if head[0] != rank:
                heads.append(head)
                return
            yield head[1]

    while heads:
        rank, item = heads.pop()
        group = rest_of(rank, item)
        yield rank, group
        for _ in group:
            pass


def zip_longest(*iterables, fillvalue=None):
    sources, missing = [iter(iterable) for iterable in iterables], []
    while True:
        row = [next(source, missing) for source in sources]
        if all(item is missing for item in row):
            return
        yield tuple([fillvalue if item is missing else item for item in row])


def starmap(function, iterable):
    for items in iterable:
        yield function(*items)


def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropwhile(predicate, iterable):
    drops = True
    for item in iterable:
        drops = drops and predicate(item)
        if not drops:
            yield item


def filterfalse(predicate, iterable):
    for item in iterable:
        if not (predicate(item) if predicate else item):
            yield item


def compress(data, selectors):
    for item, is_kept in zip(data, selectors):
        if is_kept:
            yield item


def pairwise(iterable):
    for i, item in enumerate(iterable):
        if i:
            yield before, item
        before = item


def tee(iterable, n=2):
    if n < 0:
        raise ValueError('n must be >= 0')
    source, queues = iter(iterable), [deque() for _ in range(n)]

    def read(queue):
        while True:
            if not queue:
                try:
                    item = next(source)
                except StopIteration:
                    return
                for other in queues:
                    other.append(item)
            yield queue.popleft()

    return tuple(read(queue) for queue in queues)
