"""Heaps in lists, each place as Python has it, since programs print them."""


def rise(heap, place, top=0):
    """The item at `place` goes up to where its parent is not larger, at most to `top`."""
    item = heap[place]
    while place > top and item < heap[(place - 1) // 2]:
        heap[place] = heap[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place] = item


def sink(heap, place):
    """The smaller child goes up each time until there is none; from there the item rises again."""
    top, item = place, heap[place]
    while 2 * place + 1 < len(heap):
        child = 2 * place + 1
        if child + 1 < len(heap) and not heap[child] < heap[child + 1]:
            child += 1
        heap[place] = heap[child]
        place = child
    heap[place] = item
    rise(heap, place, top)


def heappush(heap, item):
    heap.append(item)
    rise(heap, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    return heapreplace(heap, last) if heap else last


def heapreplace(heap, item):
    least, heap[0] = heap[0], item
    sink(heap, 0)
    return least


def heappushpop(heap, item):
    return heapreplace(heap, item) if heap and heap[0] < item else item


def heapify(x):
    for place in reversed(range(len(x) // 2)):
        sink(x, place)


def first_in_order(n, iterable, key, reverse):
    """Sorted now and then, so that no more than some of the items are kept."""
    kept, n = [], max(n, 0)
    for item in iterable:
        kept.append((item if key is None else key(item), item))
        if len(kept) > 2 * n + 1000:
            kept = sorted(kept, key=rank_of, reverse=reverse)[:n]
    return [item for _, item in sorted(kept, key=rank_of, reverse=reverse)[:n]]


def rank_of(pair):
    return pair[0]


def nlargest(n, iterable, key=None):
    return first_in_order(n, iterable, key, True)


def nsmallest(n, iterable, key=None):
    return first_in_order(n, iterable, key, False)


def merge(*iterables, key=None, reverse=False):
    """Of each only the first item is at hand, so that endless ones merge, too."""
    heads = []  # [rank, item, the iterator of what comes after it]
    for items in map(iter, iterables):
        for item in items:
            heads.append([item if key is None else key(item), item, items])
            break
    first_of = max if reverse else min
    while heads:
        place = first_of(range(len(heads)), key=lambda i: heads[i][0])
        _, item, items = heads[place]
        yield item
        for item in items:
            heads[place][:2] = item if key is None else key(item), item
            break
        else:
            del heads[place]


# ---- bisect ----

def bisect_left(a, x, lo=0, hi=None, *, key=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            hi = middle
        else:
            lo = middle + 1
    return lo


def insort_left(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


bisect, insort = bisect_right, insort_right
