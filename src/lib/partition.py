"""np.partition and np.argpartition: which of the elements left and right of the kth comes where follows from the steps of
the introselect of numpy, so they are taken one by one."""
import numpy as np


def selected(values, kth, are_floats):
    """The places of the values, so moved that the kth is where sorting would put it."""
    places, low, high = list(range(len(values))), 0, len(values) - 1
    is_less = lambda i, j: before(values[places[i]], values[places[j]])

    def swap(i, j):
        places[i], places[j] = places[j], places[i]

    if kth < 3:
        for i in range(kth + 1):
            least = i
            for k in range(i + 1, len(values)):
                if is_less(k, least):
                    least = k
            swap(i, least)
        return places
    if are_floats and kth == high:
        most = 0
        for k in range(1, len(values)):
            if not is_less(k, most):
                most = k
        swap(kth, most)
        return places
    while low + 1 < high:
        middle = low + (high - low) // 2
        if is_less(high, middle):
            swap(high, middle)
        if is_less(high, low):
            swap(high, low)
        if is_less(low, middle):
            swap(low, middle)
        swap(middle, low + 1)
        left, right = low + 1, high
        while True:
            left, right = left + 1, right - 1
            while is_less(left, low):
                left += 1
            while is_less(low, right):
                right -= 1
            if right < left:
                break
            swap(left, right)
        swap(low, right)
        if right >= kth:
            high = right - 1
        if right <= kth:
            low = left
    if high == low + 1 and is_less(high, low):
        swap(high, low)
    return places


def before(a, b):
    """nan comes last."""
    return a < b or (b != b and a == a)


def argpartition(a, kth, axis=-1):
    if not isinstance(kth, int):
        refuse("unsupported.numpy.kth")
    a = np.asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    if not -a.ndim <= axis < a.ndim:
        raise np.AxisError(f'axis {axis} is out of bounds for array of dimension {a.ndim}')
    rows = np.moveaxis(a, axis, -1)
    size = rows.shape[-1]
    if not -size <= kth < size:
        raise ValueError(f'kth(={kth % size if kth < 0 else kth}) out of bounds ({size})')
    places = [selected(row, kth % size, a.dtype in (np.float32, np.float64)) for row in rows.reshape(-1, size).tolist()]
    return np.moveaxis(np.array(places, dtype=np.int64).reshape(rows.shape), -1, axis)


def partition(a, kth, axis=-1):
    a = np.asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    return np.take_along_axis(a, argpartition(a, kth, axis), axis)
