"""Numbers in files as they are in memory: np.fromfile, np.memmap, arr.tofile, np.frombuffer and np.fromiter. What is mapped to be written
is a part of the file itself (files.py), so whoever reads the file reads what the array holds by then."""
import math
from itertools import islice

import numpy as np


def read(file, dtype, offset, count):
    """Of an open file; without a read of the whole where it is on the disk."""
    if file.on_disk is not None:
        return numbers_in(file.on_disk, dtype, offset, count, 'numpy.fromfile')
    place = file.tell()
    file.seek(offset)
    data = file.read(count * dtype.itemsize)
    file.seek(place)
    return numbers_in(data, dtype, 0, count)


def size_of(file):
    place, size = file.tell(), file.seek(0, 2)
    file.seek(place)
    return size


def fromfile(file, dtype=float, count=-1, sep='', offset=0):
    dtype = np.dtype(dtype)
    opened = file if hasattr(file, 'read') else open(file, 'rb')
    if sep:
        words = opened.read()
        words = (words if isinstance(words, str) else words.decode()).split(sep.strip() or None)
        numbers = [float(word) if dtype.kind == 'f' else int(word) for word in words if word.strip()]
        return np.array(numbers[:count] if count >= 0 else numbers, dtype=dtype)
    start = opened.tell() + offset
    there = max(size_of(opened) - start, 0) // dtype.itemsize
    count = there if count < 0 else min(count, there)
    out = read(opened, dtype, start, count)
    opened.seek(start + count * dtype.itemsize)
    return out


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    dtype = np.dtype(dtype)
    if not isinstance(buffer, bytes) and not hasattr(buffer, 'tobytes'):
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
    buffer = buffer if isinstance(buffer, bytes) else buffer.tobytes()
    left = len(buffer) - offset
    if offset < 0 or left < 0:
        raise ValueError(f'offset must be non-negative and no greater than buffer length ({len(buffer)})')
    if count < 0 and left % dtype.itemsize:
        raise ValueError('buffer size must be a multiple of element size')
    if count * dtype.itemsize > left:
        raise ValueError('buffer is smaller than requested size')
    return numbers_in(buffer, dtype, offset, left // dtype.itemsize if count < 0 else count)


def fromiter(iter, dtype, count=-1):
    items = list(iter if count < 0 else islice(iter, count))
    if len(items) < count:
        raise ValueError(f'iterator too short: Expected {count} but iterator had only {len(items)} items.')
    return np.array(items, dtype=dtype)


MODES = {'r': 'r', 'c': 'c', 'r+': 'r+', 'w+': 'w+', 'readonly': 'r', 'copyonwrite': 'c', 'readwrite': 'r+', 'write': 'w+'}


def memmap(filename, dtype=np.uint8, mode='r+', offset=0, shape=None, order='C'):
    dtype = np.dtype(dtype)
    if mode not in MODES:
        raise ValueError(f'mode must be one of {list(MODES)!r} (got {mode!r})')
    if order != 'C':
        refuse("unsupported.parameter", 'function', 'numpy.memmap', 'keyword', 'order')
    mode, shape = MODES[mode], (shape,) if isinstance(shape, int) else shape
    if mode == 'w+':
        if shape is None:
            raise ValueError('shape must be given')
        out = np.zeros(shape, dtype=dtype)
        open(filename, 'wb').parts[:] = [bytes(offset), out]
        return out
    with open(filename, 'rb') as file:
        size = size_of(file)
        if shape is None and (size - offset) % dtype.itemsize:
            raise ValueError('Size of available data is not a multiple of the data-type size.')
        count = (size - offset) // dtype.itemsize if shape is None else math.prod(shape)
        end = offset + count * dtype.itemsize
        if mode != 'r+' and end > size:
            raise ValueError('mmap length is greater than file size')
        if end == 0:
            raise ValueError('cannot mmap an empty file')
        if mode != 'r+':
            out = read(file, dtype, offset, count)
            return out if shape is None else out.reshape(shape)
        whole = file.read() + bytes(max(end - size, 0))
    out = numbers_in(whole, dtype, offset, count).reshape((count,) if shape is None else shape)
    open(filename, 'wb').parts[:] = [whole[:offset], out, whole[end:]]
    return out
