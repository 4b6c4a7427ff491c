"""How arrays of numpy lie in memory, walks through their elements, and methods that are no functions of numpy."""
import numpy as np
import torch


def refuse_member(name):
    refuse("unsupported.name", 'name', 'numpy.ndarray.' + name)


def layout(a):
    """Elements from one to the next on each axis. A slice with a negative step is a copy here, which has others."""
    if a.ndim == 0:
        return ()
    try:
        return steps_of(a)
    except ValueError:
        refuse_member('strides of a slice with a negative step')


def is_dense(shape, steps):
    """Whether elements are next to one another, those of the last axis first."""
    expected = 1
    for size, step in zip(reversed(shape), reversed(steps)):
        if size not in (1, step and size) or (size != 1 and step != expected):
            return False
        expected *= size
    return True


class Flags:
    def __init__(self, a):
        shape, steps = a.shape, layout(a)
        self.c_contiguous = self.contiguous = 0 in shape or is_dense(shape, steps)
        self.f_contiguous = self.fortran = 0 in shape or is_dense(shape[::-1], steps[::-1])
        self.fnc, self.forc = self.f_contiguous and not self.c_contiguous, self.f_contiguous or self.c_contiguous
        self.aligned, self.writebackifcopy = True, False
        self.can_write = all(step or size == 1 for size, step in zip(shape, steps))

    @property
    def writeable(self):
        return self.can_write

    @writeable.setter
    def writeable(self, value):
        refuse_member('flags.writeable that is written to')

    @property
    def owndata(self):
        refuse_member('flags.owndata')

    def __getitem__(self, key):
        short = {'C': 'C_CONTIGUOUS', 'F': 'F_CONTIGUOUS', 'W': 'WRITEABLE', 'A': 'ALIGNED', 'O': 'OWNDATA'}
        name = short.get(key, key).lower()
        if name not in ('owndata', 'writeable') and not hasattr(self, name):
            raise KeyError('Unknown flag')
        return getattr(self, name)

    def __setitem__(self, key, value):
        refuse_member('flags that are written to')

    def __repr__(self):
        refuse_member('flags.owndata')


class Flat:
    """a.flat: the elements in one row."""

    def __init__(self, base):
        self.base = base

    def __getitem__(self, key):
        found = np.ravel(self.base)[key]
        return found.copy() if np.ndim(found) else found

    def __setitem__(self, key, value):
        places = np.arange(self.base.size)[key]
        self.base[np.unravel_index(places, self.base.shape)] = np.resize(value, np.shape(places))

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return iter(np.ravel(self.base))

    def copy(self):
        return self.base.flatten()


class Array:
    """What an array has: each takes it first."""

    def flags(self):
        return Flags(self)

    def strides(self):
        if self.ndim > 1 and 1 in self.shape:
            refuse_member('strides of an axis of size 1')
        return tuple(step * self.itemsize for step in layout(self))

    def flat(self):
        return Flat(self)

    def real(self):
        return self

    def conj(self):
        return self

    def view(self, dtype=None, type=None):
        if type is not None or (dtype is not None and np.dtype(dtype) != self.dtype):
            refuse_member('view as another type')
        if self.ndim == 0:
            refuse_member('view of an array without axes')
        layout(self)
        return self[...]

    def tofile(self, fid, sep='', format='%s'):
        file = fid if hasattr(fid, 'write') else open(fid, 'w' if sep else 'wb')
        file.write(sep.join([format % item for item in self.ravel().tolist()]) if sep else self.tobytes())
        if file is not fid:
            file.close()

    def flush(self):
        """Of np.memmap: the file has what the array has."""

    def nonzero(self):
        return np.nonzero(self)

    def ptp(self, axis=None, out=None, keepdims=False):
        return np.subtract(np.max(self, axis=axis, keepdims=keepdims), np.min(self, axis=axis, keepdims=keepdims), out=out)

    def sort(self, axis=-1, kind=None, order=None):
        self[...] = np.sort(self, axis, kind, order)

    def searchsorted(self, v, side='left', sorter=None):
        return np.searchsorted(self, v, side, sorter)

    def take(self, indices, axis=None):
        return np.take(self, indices, axis)


class nditer:
    """The elements of one array in turn; its flags name what else the walk knows."""

    def __init__(self, op, flags=(), op_flags=(), op_dtypes=None, order='K'):
        array = np.asarray(op)
        known = {'multi_index', 'c_index', 'refs_ok', 'zerosize_ok'}
        memory = Flags(array)
        by_columns = order == 'F' or (order in ('A', 'K') and memory.fnc)
        if isinstance(op, (list, tuple)) and any(isinstance(part, np.ndarray) for part in op):
            refuse("unsupported.name", 'name', 'numpy.nditer of several arrays')
        if op_dtypes is not None or not set(flags) <= known:
            refuse("unsupported.name", 'name', f'numpy.nditer(flags={list(flags)})')
        if (order == 'K' and not memory.forc) or (by_columns and 'c_index' in flags):
            refuse("unsupported.name", 'name', 'numpy.nditer in the order of memory')
        if array.size == 0 and 'zerosize_ok' not in flags:
            raise ValueError('Iteration of zero-sized operands is not enabled')
        self.operands, self.flags = (array,), flags
        self.can_write = any(name in str(op_flags) for name in ('readwrite', 'writeonly'))
        if by_columns:
            self.places = [place[::-1] for place in np.ndindex(*array.shape[::-1])]
        else:
            self.places = list(np.ndindex(*array.shape))
        self.reset()

    def reset(self):
        self.at, self.is_asked = 0, False

    @property
    def finished(self):
        return self.at >= len(self.places)

    def place(self):
        if self.finished:
            raise ValueError('Iterator is past the end')
        return self.places[self.at]

    @property
    def multi_index(self):
        if 'multi_index' not in self.flags:
            raise ValueError('Iterator is not tracking a multi-index')
        return self.place()

    @property
    def index(self):
        if 'c_index' not in self.flags:
            raise ValueError('Iterator does not have an index')
        self.place()
        return self.at

    @property
    def value(self):
        whole = self.operands[0]
        element = whole[(*self.place(), ...)]
        return element if self.can_write else element.copy()

    @property
    def itersize(self):
        return len(self.places)

    def iternext(self):
        self.at += 1
        return not self.finished

    def __iter__(self):
        return self

    def __next__(self):
        if self.is_asked:
            self.at += 1
        self.is_asked = True
        if self.finished:
            raise StopIteration
        return self.value

    def __getitem__(self, key):
        if key != 0:
            raise IndexError(f'Iterator operand index {key} is out of bounds')
        return self.value

    def __setitem__(self, key, value):
        if not self.can_write:
            raise ValueError('output array is read-only')
        self.value[...] = value

    def __len__(self):
        return 1

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        return None


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    x = np.asarray(x)
    shape = x.shape if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    steps = layout(x)
    if strides is not None:
        strides = (strides,) if isinstance(strides, int) else tuple(strides)
        if any(step % x.itemsize or step < 0 for step in strides):
            refuse("unsupported.name", 'name', 'numpy.lib.stride_tricks.as_strided with such strides')
        steps = [step // x.itemsize for step in strides]
    return torch.as_strided(tensor_of(x), shape, steps).numpy()
