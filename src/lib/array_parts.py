"""Arrays of numpy with parts put at their edges, put in or left out."""
import numpy as np


def sources(size, before, after, mode):
    """The places from which an axis is filled."""
    places = np.arange(-before, size + after)
    if mode == 'edge' or size == 1:
        return np.clip(places, 0, size - 1)
    if mode == 'wrap':
        if max(before, after) > size:
            refuse("unsupported.numpy.pad")
        return places % size
    period = 2 * size - 2 if mode == 'reflect' else 2 * size
    return np.minimum(places % period, (-places if mode == 'reflect' else -1 - places) % period)


def pad(array, pad_width, mode='constant', constant_values=0):
    x = np.asarray(array)
    widths = np.broadcast_to(np.asarray(pad_width), (x.ndim, 2)).tolist()  # before and after each axis
    if any(width < 0 for pair in widths for width in pair):
        raise ValueError("index can't contain negative values")
    if mode in ('edge', 'reflect', 'symmetric', 'wrap'):
        for axis, (before, after) in enumerate(widths):
            if x.shape[axis] == 0 and before + after:
                raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
            x = np.take(x, sources(x.shape[axis], before, after, mode), axis=axis) if x.shape[axis] else x
        return x
    if mode != 'constant':
        refuse("unsupported.numpy.pad")
    out = np.full([size + sum(width) for size, width in zip(x.shape, widths)], constant_values).astype(x.dtype)
    out[tuple(slice(before, before + size) for size, (before, after) in zip(x.shape, widths))] = x
    return out


def take(a, indices, axis=None):
    a = np.asarray(a)
    if axis is None:
        a, axis = np.ravel(a), 0
    return a[on_axis(axis % a.ndim, indices)]


def resize(a, new_shape):
    """The elements in turn, again and again, until the shape is full."""
    flat = np.ravel(a)
    places = np.arange(np.zeros(new_shape).size)
    return flat[places % len(flat)].reshape(new_shape) if len(flat) else np.zeros(new_shape, dtype=flat.dtype)


def on_axis(axis, key):
    """The index that picks by `key` on that axis."""
    return (*[slice(None)] * axis, key)


def laid_out(arr, axis):
    """Without an axis, the elements in one row."""
    arr = np.asarray(arr)
    return (np.ravel(arr), 0) if axis is None else (arr, axis % arr.ndim)


def chosen_places(obj, size, axis):
    """The places that an int, a slice, a list or a mask means."""
    if not isinstance(obj, slice):
        obj = np.asarray(obj)
        obj = obj if obj.size or obj.dtype == np.bool_ else obj.astype(np.int64)
        for place in np.ravel(obj).tolist() if obj.dtype != np.bool_ else []:
            if not -size <= place < size:
                raise IndexError(f'index {place} is out of bounds for axis {axis} with size {size}')
        if obj.dtype == np.bool_ and obj.shape != (size,):
            raise ValueError('boolean array argument obj to delete must be one dimensional and match the axis length '
                             f'of {size}')
    return np.arange(size)[obj]


def delete(arr, obj, axis=None):
    arr, axis = laid_out(arr, axis)
    keeps = np.ones(arr.shape[axis], dtype=bool)
    keeps[chosen_places(obj, arr.shape[axis], axis)] = False
    return arr[on_axis(axis, keeps)]


def insert(arr, obj, values, axis=None):
    arr, axis = laid_out(arr, axis)
    size = arr.shape[axis]
    places = np.arange(size)[obj] if isinstance(obj, slice) else np.asarray(obj)
    if places.dtype == np.bool_:
        refuse("unsupported.name", 'name', 'numpy.insert where a mask is True')
    flat = np.ravel(places).astype(np.int64).tolist()
    for place in flat:
        if not -size <= place <= size:
            raise IndexError(f'index {place} is out of bounds for axis {axis} with size {size}')
    values = np.array(values, dtype=arr.dtype, ndmin=arr.ndim)
    if places.ndim == 0:
        values = np.moveaxis(values, 0, axis)
    count = values.shape[axis] if len(flat) == 1 else len(flat)
    flat = [place + size if place < 0 else place for place in flat]
    flat = [flat[0] + i for i in range(count)] if len(flat) == 1 else flat
    order = sorted(range(count), key=lambda i: flat[i]) if places.size != 1 else []  # stable
    for rank, i in enumerate(order):
        flat[i] += rank
    shape = list(arr.shape)
    shape[axis] += count
    out, is_old = np.zeros(shape, dtype=arr.dtype), np.ones(shape[axis], dtype=bool)
    places = np.array(flat, dtype=np.int64)
    is_old[places] = False
    out[on_axis(axis, places)] = values
    out[on_axis(axis, is_old)] = arr
    return out
