"""numpy's functions that choose: sets of numbers, masks, conditions, pieces turned and laid side by side."""
import numpy as np
import torch


# ---- sets ----

def once(ar, are_unique):
    return np.asarray(ar).ravel() if are_unique else np.unique(ar)


def intersect1d(ar1, ar2, assume_unique=False):
    joined = np.sort(np.concatenate((once(ar1, assume_unique), once(ar2, assume_unique))))
    return joined[:-1][joined[1:] == joined[:-1]]


def union1d(ar1, ar2):
    return np.unique(np.concatenate((np.asarray(ar1).ravel(), np.asarray(ar2).ravel())))


def setdiff1d(ar1, ar2, assume_unique=False):
    first = once(ar1, assume_unique)
    return first[~np.isin(first, ar2)]


def setxor1d(ar1, ar2, assume_unique=False):
    first, second = once(ar1, assume_unique), once(ar2, assume_unique)
    return np.sort(np.concatenate((first[~np.isin(first, second)], second[~np.isin(second, first)])))


# ---- conditions ----

def extract(condition, arr):
    return np.ravel(arr)[np.ravel(condition).astype(bool)]


def compress(condition, a, axis=None):
    a = np.asarray(a)
    a, axis = (a.ravel(), 0) if axis is None else (a, axis)
    return np.take(a, np.flatnonzero(condition), axis)


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError('list of cases must be same length as list of conditions')
    if len(condlist) == 0:
        raise ValueError('select with an empty condition list is not possible')
    chosen = np.asarray(default)
    for condition, choice in zip(condlist[::-1], choicelist[::-1]):
        chosen = np.where(condition, choice, chosen)
    return chosen


def putmask(a, mask, values):
    values = np.resize(values, a.shape)
    a[...] = np.where(mask, values, a).astype(a.dtype)


def place(arr, mask, vals):
    mask = np.asarray(mask).astype(bool)
    count = int(mask.sum())
    if count and not len(np.ravel(vals)):
        raise ValueError('Cannot insert from an empty array!')
    if count:
        arr[mask] = np.resize(vals, (count,)).astype(arr.dtype)


def copyto(dst, src, where=True):
    dst[...] = np.where(where, src, dst).astype(dst.dtype)


def trim_zeros(filt, trim='fb'):
    kept = np.flatnonzero(np.asarray(filt) != 0)
    if len(kept) == 0:
        return filt[:0]
    first = int(kept[0]) if 'f' in trim.lower() else 0
    return filt[first:int(kept[-1]) + 1 if 'b' in trim.lower() else len(filt)]


def ix_(*args):
    rows = [np.flatnonzero(arg) if np.asarray(arg).dtype == bool else np.asarray(arg) for arg in args]
    return tuple(row.reshape([-1 if i == k else 1 for k in range(len(args))]) for i, row in enumerate(rows))


# ---- pieces ----

def ascontiguousarray(a, dtype=None):
    a = np.atleast_1d(np.asarray(a, dtype))
    return a if a.flags['C_CONTIGUOUS'] else np.array(a, order='C')


def asanyarray(a, dtype=None):
    return np.asarray(a, dtype)


def atleast_3d(ary):
    ary = np.asarray(ary)
    if ary.ndim >= 3:
        return ary
    return ary[:, :, None] if ary.ndim == 2 else np.atleast_1d(ary)[None, :, None]


def dstack(tup):
    return np.concatenate([atleast_3d(each) for each in tup], 2)


def rot90(m, k=1, axes=(0, 1)):
    m, k = np.asarray(m), k % 4
    if k == 0:
        return m[:]
    if k == 2:
        return np.flip(m, axes)
    order = list(range(m.ndim))
    order[axes[0]], order[axes[1]] = order[axes[1]], order[axes[0]]
    return np.transpose(np.flip(m, axes[1]), order) if k == 1 else np.flip(np.transpose(m, order), axes[1])


def rollaxis(a, axis, start=0):
    axis, start = axis % a.ndim, start + a.ndim if start < 0 else start
    return np.moveaxis(a, axis, start - 1 if axis < start else start)


def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim


def tril_indices_from(arr, k=0):
    return np.tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    return np.triu_indices(arr.shape[-2], k, arr.shape[-1])


def isscalar(element):
    if isinstance(element, (int, float, str, bytes)):
        return True
    return hasattr(element, 'dtype') and not isinstance(element, (np.ndarray, torch.Tensor))
