"""Reductions of numpy that begin with a number, or take only some elements."""
import numpy as np


def runs(chosen):
    """Where each run of True begins and ends."""
    ends = np.flatnonzero(np.diff(np.concatenate(([False], chosen, [False])).astype(np.int64))).tolist()
    return list(zip(ends[::2], ends[1::2]))


def summed_runs(row, chosen):
    """numpy adds up each run, and adds the sums."""
    total = row[:0].sum()
    for start, end in runs(chosen):
        total = total + row[start:end].sum()
    return total


def masked_sum(a, axis, keepdims, where):
    where = np.broadcast_to(where, a.shape)
    if a.dtype == np.int64 or (isinstance(axis, int) and axis % a.ndim != a.ndim - 1):
        return np.sum(np.where(where, a, np.zeros(1, dtype=a.dtype)), axis=axis, keepdims=keepdims)
    if isinstance(axis, tuple):
        refuse("unsupported.parameter", 'function', 'sum', 'keyword', 'where')
    shape = np.sum(a, axis=axis, keepdims=keepdims).shape
    width = a.size if axis is None else a.shape[-1]
    rows = zip(a.reshape(-1, width), where.reshape(-1, width))
    found = np.array([summed_runs(row, chosen) for row, chosen in rows], dtype=a.dtype).reshape(shape)
    return found if shape else found[()]


def extreme(name, a, axis, keepdims, initial, where):
    best, fold = (np.maximum, np.max) if name in ('max', 'amax') else (np.minimum, np.min)
    if initial is None:
        raise ValueError(f"reduction operation '{best.__name__}' does not have an identity, so to use a where mask one "
                         "has to specify 'initial'")
    start = np.asarray(initial).astype(a.dtype)
    if start != initial and initial == initial:
        refuse("unsupported.parameter", 'function', name, 'keyword', 'initial')
    if where is not None:
        a = np.where(where, a, start)
    empty = np.sum(a, axis=axis, keepdims=keepdims)
    if a.size == 0:
        return np.full(empty.shape, start) if empty.shape else start[()]
    return best(fold(a, axis=axis, keepdims=keepdims), start)


def reduced(name, a, axis, keepdims, initial, where):
    where = None if where is True else where
    if name not in ('sum', 'mean', 'prod'):
        return extreme(name, a, axis, keepdims, initial, where)
    settings = {'axis': axis, 'keepdims': keepdims}
    if initial is not None and (a.dtype != np.int64 or not isinstance(initial, (int, np.int64))):
        refuse("unsupported.parameter", 'function', name, 'keyword', 'initial')
    if name == 'prod':
        product = np.prod(a if where is None else np.where(where, a, np.ones(1, dtype=a.dtype)), **settings)
        return product if initial is None else product * initial
    total = np.sum(a, **settings) if where is None else masked_sum(a, axis, keepdims, where)
    if name == 'sum':
        return total if initial is None else total + initial
    count = np.sum(np.broadcast_to(True if where is None else where, a.shape), **settings)
    return total / count.astype(total.dtype)
