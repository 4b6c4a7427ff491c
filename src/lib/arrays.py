"""numpy's functions that are made of others."""
import itertools
import math

import numpy as np
import torch


def wide(x):
    """Of a type that torch computes with."""
    x = np.asarray(x)
    return x.astype(np.int64) if x.dtype.kind in ('i', 'u') else x


def through_torch(function, x, *rest, **settings):
    """What the function of torch makes of arrays."""
    made = function(tensor_of(np.asarray(x)), *rest, **settings)
    return made.numpy() if made.dim() else made.numpy()[()]


def array_split(ary, indices_or_sections, axis=0):
    size = ary.shape[axis]
    if isinstance(indices_or_sections, int):
        count = indices_or_sections
        if count <= 0:
            raise ValueError('number sections must be larger than 0.')
        ends = [size // count * (i + 1) + min(i + 1, size % count) for i in range(count)]
    else:
        ends = [*indices_or_sections, size]
    before = (slice(None),) * (axis % ary.ndim)
    return [ary[(*before, slice(start, end))] for start, end in zip([0, *ends], ends)]


def split(ary, indices_or_sections, axis=0):
    ary = np.asarray(ary)
    if isinstance(indices_or_sections, int) and ary.shape[axis] % indices_or_sections:
        raise ValueError('array split does not result in an equal division')
    return array_split(ary, indices_or_sections, axis)


def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections)


def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 1 if np.asarray(ary).ndim > 1 else 0)


def norm(x, ord=None, axis=None, keepdims=False):
    x = np.asarray(x)
    if x.dtype not in (np.float32, np.float64):
        x = x.astype(np.float64)
    is_vector = x.ndim == 1 or isinstance(axis, int)
    if ord in (None, 'fro') or (ord == 2 and is_vector):
        return np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims))
    if not is_vector:
        refuse("unsupported.numpy.norm")
    if ord == np.inf:
        return np.max(np.abs(x), axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(np.abs(x), axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((x != 0).astype(x.dtype), axis=axis, keepdims=keepdims)
    total = np.sum(np.abs(x) ** ord, axis=axis, keepdims=keepdims)
    return total if ord == 1 else total ** (1 / ord)


def meshgrid(*xi, indexing='xy'):
    if indexing not in ('xy', 'ij'):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    rows, count = [np.ravel(np.asarray(x)) for x in xi], len(xi)
    axes = [1, 0, *range(2, count)] if indexing == 'xy' and count > 1 else list(range(count))
    shape = [len(rows[axis]) for axis in axes]
    return [np.broadcast_to(along(axis, count, row), shape).copy() for axis, row in zip(axes, rows)]


def along(axis, size, x):
    """A row on one of so many axes."""
    return x.reshape([-1 if i == axis else 1 for i in range(size)])


def indices(dimensions, dtype=np.int64, sparse=False):
    rows = [along(i, len(dimensions), np.arange(size).astype(dtype)) for i, size in enumerate(dimensions)]
    return tuple(rows) if sparse else np.stack([np.broadcast_to(row, dimensions) for row in rows])


class Grid:
    """np.mgrid and np.ogrid: the rows of slices, each on its axis."""

    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        if isinstance(key, slice):
            return np.arange(key.start or 0, key.stop, key.step or 1)
        starts, steps = [part.start or 0 for part in key], [part.step or 1 for part in key]
        sizes = [max(0, math.ceil((part.stop - start) / step)) for part, start, step in zip(key, starts, steps)]
        is_whole = all(isinstance(x, int) for x in [*starts, *steps, *[part.stop for part in key]])
        rows = indices(sizes, np.int64 if is_whole else np.float64, True)
        rows = [row * step + start for row, start, step in zip(rows, starts, steps)]
        return rows if self.sparse else np.stack([np.broadcast_to(row, sizes) for row in rows])


mgrid, ogrid = Grid(False), Grid(True)


def logical_and(x1, x2):
    return np.not_equal(x1, 0) & np.not_equal(x2, 0)


def logical_or(x1, x2):
    return np.not_equal(x1, 0) | np.not_equal(x2, 0)


def logical_xor(x1, x2):
    return np.not_equal(x1, 0) ^ np.not_equal(x2, 0)


def logical_not(x):
    return np.equal(x, 0)


def count_nonzero(a, axis=None, keepdims=False):
    counts = np.sum(np.not_equal(a, 0), axis=axis, keepdims=keepdims)
    return int(counts) if axis is None and not keepdims else counts


def flatnonzero(a):
    return np.nonzero(np.ravel(a))[0]


def nonzero(a):
    return tuple(places.numpy() for places in tensor_of(np.asarray(a)).nonzero(as_tuple=True))


def argwhere(a):
    return through_torch(torch.nonzero, a)


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    near = np.equal(a, b) | (np.abs(np.subtract(a, b)) <= atol + rtol * np.abs(b)) & ~np.isinf(b)
    return near | np.isnan(a) & np.isnan(b) if equal_nan else near


def roll(a, shift, axis=None):
    return through_torch(torch.roll, a, shift, axis)


def moveaxis(a, source, destination):
    dims = np.ndim(a)
    for name, axes in (('source', source), ('destination', destination)):
        for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
            if not -dims <= axis < dims:
                refuse_axis(axis, dims, name + ': ')
    return through_torch(torch.movedim, a, source, destination)


def append(arr, values, axis=None):
    if axis is None:
        arr, values, axis = np.ravel(np.asarray(arr)), np.ravel(np.asarray(values)), 0
    return np.concatenate((arr, values), axis=axis)


def column_stack(tup):
    columns = [np.asarray(column) for column in tup]
    return np.concatenate([c.reshape(-1, 1) if c.ndim < 2 else c for c in columns], axis=1)


def atleast_1d(ary):
    ary = np.asarray(ary)
    return ary if ary.ndim else ary.reshape(1)


def atleast_2d(ary):
    ary = np.asarray(ary)
    return ary if ary.ndim > 1 else ary.reshape(1, -1)


def diff(a, n=1, axis=-1):
    if n < 0:
        raise ValueError(f'order must be non-negative but got {n}')
    a = np.asarray(a)
    return through_torch(torch.diff, wide(a), n, axis).astype(a.dtype)


def bincount(x, weights=None, minlength=0):
    x = np.asarray(x)
    x = wide(x) if x.size else x.astype(np.int64)
    weights = None if weights is None else torch.from_numpy(np.asarray(weights, dtype=np.float64))
    return through_torch(torch.bincount, x, weights, minlength)


def vdot(a, b):
    return np.dot(np.ravel(a), np.ravel(b))


def inner(a, b):
    return np.dot(a, np.swapaxes(b, -1, -2) if np.asarray(b).ndim > 1 else b)


def einsum(subscripts, *operands, optimize=False):
    if optimize and len(operands) > 2:
        refuse("unsupported.parameter", 'function', 'einsum of three arrays', 'keyword', 'optimize')
    operands = [np.asarray(operand) for operand in operands]
    kind = sum([np.zeros(1, operand.dtype) for operand in operands[1:]], np.zeros(1, operands[0].dtype)).dtype
    try:
        made = torch.einsum(subscripts, *[tensor_of(operand.astype(kind)) for operand in operands]).numpy().astype(kind)
    except RuntimeError as error:
        raise ValueError(einsum_fault(subscripts.replace(' ', ''), operands) or str(error)) from None
    return made if made.ndim else made[()]


def einsum_fault(subscripts, operands):
    """What numpy says of arrays that do not fit; None: of an ellipsis, of a diagonal."""
    left, _, right = subscripts.partition('->')
    terms = left.split(',')
    if '.' in left or len(terms) != len(operands) or any(len(set(term)) < len(term) for term in terms):
        return None
    for i, (term, operand) in enumerate(zip(terms, operands)):
        if len(term) > operand.ndim:
            return f'einstein sum subscripts string contains too many subscripts for operand {i}'
        if len(term) < operand.ndim:
            return ("operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
                    'broadcast the extra dimensions.')
    letters = sorted(set(left) - {','})
    for letter in right:
        if letter not in letters:
            return f"einstein sum subscripts string included output subscript '{letter}' which never appeared in an input"
    shown = right if '->' in subscripts else [letter for letter in letters if left.count(letter) == 1]
    order = [*shown, *[letter for letter in letters if letter not in shown]]
    parts = []
    for term, operand in zip(terms, operands):
        sizes = [str(operand.shape[term.index(letter)]) if letter in term else 'newaxis' for letter in order]
        while sizes[0] == 'newaxis':
            sizes.pop(0)
        shape = str(operand.shape).replace(' ', '')
        parts.append(f'{shape}->({",".join(sizes)}{"," if len(sizes) == 1 else ""}) ')
    return 'operands could not be broadcast together with remapped shapes [original->remapped]: ' + ''.join(parts)


def average(a, axis=None, weights=None):
    if weights is None:
        return np.mean(a, axis=axis)
    a, weights = np.asarray(a), np.asarray(weights)
    if a.shape != weights.shape:
        weights = weights.reshape([-1 if i == axis % a.ndim else 1 for i in range(a.ndim)])
    return np.sum(a * weights, axis=axis) / np.sum(np.broadcast_to(weights, a.shape), axis=axis)


def in_order(a, axis):
    """Sorted along that axis, which comes first; None: all of them."""
    return np.sort(np.ravel(a)) if axis is None else np.swapaxes(np.sort(a, axis=axis), axis, 0)


def quantile(a, q, axis=None, method='linear', keepdims=False):
    if keepdims or method not in ('linear', 'lower', 'higher', 'nearest', 'midpoint'):
        refuse("unsupported.parameter", 'function', 'quantile', 'keyword', 'keepdims' if keepdims else 'method')
    if not isinstance(q, (int, float)):
        return np.array([quantile(a, float(part), axis, method) for part in q])
    if not 0 <= q <= 1:
        raise ValueError('Quantiles must be in the range [0, 1]')
    a = in_order(np.asarray(a), axis)
    place = q * (len(a) - 1)
    if method in ('lower', 'higher', 'nearest'):
        return a[{'lower': math.floor, 'higher': math.ceil, 'nearest': round}[method](place)]
    low, high = a[int(place)], a[min(int(place) + 1, len(a) - 1)]
    low, away = low.astype(np.float64), (high - low).astype(np.float64)  # of float32 the difference is rounded
    share = place % 1 if method == 'linear' else 0.5 * (place % 1 != 0)
    return low + away * share if share < 0.5 else high.astype(np.float64) - away * (1 - share)


def percentile(a, q, axis=None, method='linear', keepdims=False):
    parts = [q] if isinstance(q, (int, float)) else q
    if not all(0 <= part <= 100 for part in parts):
        raise ValueError('Percentiles must be in the range [0, 100]')
    q = q / 100 if isinstance(q, (int, float)) else [part / 100 for part in q]
    return quantile(a, q, axis, method, keepdims)


class AxisError(ValueError):  # and an IndexError in numpy
    pass


def refuse_axis(axis, dims, of=''):
    raise AxisError(f'{of}axis {axis} is out of bounds for array of dimension {dims}')


def median(a, axis=None):
    a = in_order(np.asarray(a), axis)
    middle = np.mean(a[(len(a) - 1) // 2:len(a) // 2 + 1], axis=0)
    if len(a) == 0 or a.dtype.kind != 'f' or not np.isnan(a[-1]).any():
        return middle
    return np.where(np.isnan(a[-1]), np.nan, middle)[()]


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    if axis is not None:
        return unique_slices(np.asarray(ar), axis, return_index, return_inverse, return_counts)
    flat = np.ravel(np.asarray(ar))
    values, inverse, counts = torch.unique(tensor_of(wide(flat)), return_inverse=True, return_counts=True)
    numbers = int((values == values).sum())
    if numbers < len(values):  # each nan is one of its own to torch; they come last
        inverse = inverse.clamp(max=numbers)
        values, counts = values[:numbers + 1], torch.cat([counts[:numbers], counts[numbers:].sum().view(1)])
    out = [values.numpy().astype(flat.dtype)]
    if return_index:
        places = torch.arange(len(flat)).flip(0)
        out.append(torch.zeros(len(values), dtype=torch.int64).scatter(0, inverse.flip(0), places).numpy())
    if return_inverse:
        out.append(inverse.numpy())
    if return_counts:
        out.append(counts.numpy())
    return out[0] if len(out) == 1 else tuple(out)


def unique_slices(x, axis, return_index, return_inverse, return_counts):
    slices = np.moveaxis(x, axis, 0)
    rows = [tuple(row) for row in slices.reshape(len(slices), -1).tolist()]
    order = sorted(range(len(rows)), key=lambda i: rows[i])  # stable: of equal ones the first comes first
    first = [i for place, i in enumerate(order) if place == 0 or rows[i] != rows[order[place - 1]]]
    places = {rows[i]: place for place, i in enumerate(first)}
    inverse = [places[row] for row in rows]
    out = [np.moveaxis(slices[np.array(first, dtype=np.int64)], 0, axis)]
    out += [np.array(first)] if return_index else []
    out += [np.array(inverse)] if return_inverse else []
    out += [np.bincount(np.array(inverse))] if return_counts else []
    return out[0] if len(out) == 1 else tuple(out)


def isneginf(x):
    return np.equal(x, -np.inf)


def isposinf(x):
    return np.equal(x, np.inf)


def ndindex(*shape):
    shape = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    return itertools.product(*map(range, shape))


def ndenumerate(arr):
    arr = np.asarray(arr)
    return ((place, arr[place]) for place in ndindex(*arr.shape))


def unravel_index(indices, shape):
    left, places = np.asarray(indices), []
    for size in reversed(shape):
        places.insert(0, left % size)
        left = left // size
    return tuple(places)


class LinAlgError(Exception):
    pass


def of_square(function, a, *rest):
    a = np.asarray(a, dtype=np.float64)
    if a.ndim < 2:
        raise LinAlgError(f'{a.ndim}-dimensional array given. Array must be at least two-dimensional')
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError('Last 2 dimensions of the array must be square')
    try:
        return through_torch(function, a, *rest)
    except torch.linalg.LinAlgError:
        raise LinAlgError('Singular matrix') from None


def inv(a):
    return of_square(torch.linalg.inv, a)


def det(a):
    return of_square(torch.linalg.det, a)


def pinv(a):
    return through_torch(torch.linalg.pinv, np.asarray(a, dtype=np.float64))


def matrix_rank(A):
    return through_torch(torch.linalg.matrix_rank, np.asarray(A, dtype=np.float64))


def solve(a, b):
    return of_square(torch.linalg.solve, a, torch.from_numpy(np.asarray(b, dtype=np.float64)))


def cholesky(a):
    try:
        return through_torch(torch.linalg.cholesky, np.asarray(a, dtype=np.float64))
    except torch.linalg.LinAlgError:
        raise LinAlgError('Matrix is not positive definite') from None


def slogdet(a):
    sign, logarithm = torch.linalg.slogdet(tensor_of(np.asarray(a, float)))
    return sign.numpy()[()], logarithm.numpy()[()]


def matrix_power(a, n):
    a = np.asarray(a)
    if n < 0:
        a, n = np.linalg.inv(a), -n
    made = np.eye(a.shape[-1], dtype=a.dtype)
    while n > 0:
        if n % 2:
            made = made @ a
        a, n = a @ a, n // 2
    return made


def multi_dot(arrays):
    made = arrays[0]
    for each in arrays[1:]:
        made = np.dot(made, each)
    return made


def qr(a):
    q, r = torch.linalg.qr(torch.from_numpy(np.asarray(a, dtype=np.float64)))
    return q.numpy(), r.numpy()


def svd(a, full_matrices=True, compute_uv=True):
    parts = torch.linalg.svd(torch.from_numpy(np.asarray(a, dtype=np.float64)), full_matrices)
    return tuple(part.numpy() for part in parts) if compute_uv else parts.S.numpy()


def eigh(a):
    return tuple(part.numpy() for part in torch.linalg.eigh(torch.from_numpy(np.asarray(a, dtype=np.float64))))


def eigvalsh(a):
    return through_torch(torch.linalg.eigvalsh, np.asarray(a, dtype=np.float64))


def with_rows(x, y):
    x = np.asarray(x, dtype=np.float64)
    return x if y is None else np.vstack([x, np.asarray(y, dtype=np.float64)])


def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    rows = np.atleast_2d(with_rows(m if rowvar or np.ndim(m) < 2 else np.transpose(m), y))
    spare = (0 if bias else 1) if ddof is None else ddof
    rows = rows - np.mean(rows, axis=1, keepdims=True)
    products = np.dot(rows, rows.T)
    return np.squeeze(products * np.divide(1.0, float(max(rows.shape[1] - spare, 0))))[()]


def corrcoef(x, y=None, rowvar=True):
    c = cov(x, y, rowvar)
    if np.ndim(c) == 0:
        return c / c
    spread = np.sqrt(np.diag(c))
    return np.clip(c / spread[:, None] / spread[None, :], -1, 1)


def fliplr(m):
    return np.flip(m, 1)


def flipud(m):
    return np.flip(m, 0)


# ---- counts, running products, functions of tables ----

builtin_range = range


def histogram(a, bins=10, range=None, density=None, weights=None):
    if weights is not None:
        refuse("unsupported.name", 'name', 'numpy.histogram(weights=...)')
    given = np.asarray(a)
    a = given.astype(np.float64).ravel()
    if isinstance(bins, int):
        if bins < 1:
            raise ValueError('`bins` must be positive, when an integer')
        low, high = range if range is not None else (a.min(), a.max()) if len(a) else (0., 1.)
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError(f'{"autodetected" if range is None else "supplied"} range of [{low}, {high}] is not finite')
        if low > high:
            raise ValueError('max must be larger than min in range parameter.')
        if low == high:
            low, high = low - 0.5, high + 0.5
        bins = np.linspace(low, high, bins + 1).astype(np.float32 if given.dtype == np.float32 else np.float64)
    edges = np.asarray(bins)
    if not (edges[:-1] <= edges[1:]).all():
        raise ValueError('`bins` must increase monotonically, when an array')
    below = [(a < edge).sum() for edge in edges[:-1]] + [(a <= edges[-1]).sum()]
    counts = np.array([int(below[i + 1] - below[i]) for i in builtin_range(len(edges) - 1)])
    return (counts / (edges[1:] - edges[:-1]) / counts.sum() if density else counts), edges


def convolve(a, v, mode='full'):
    a, v = np.asarray(a), np.asarray(v)
    if len(a) < len(v):
        a, v = v, a
    full = np.zeros(len(a) + len(v) - 1, dtype=(a[:1] * v[:1]).dtype)
    for i in builtin_range(len(v)):
        full[i:i + len(a)] += a * v[i]
    if mode == 'full':
        return full
    start = (len(v) - 1) // 2 if mode == 'same' else len(v) - 1
    return full[start:start + len(a)] if mode == 'same' else full[start:len(a)]


def interp(x, xp, fp, left=None, right=None):
    xp, fp = [float(value) for value in xp], [float(value) for value in fp]

    def at(value):
        if value <= xp[0] or len(xp) == 1:
            return fp[0] if left is None or value >= xp[0] else left
        if value >= xp[-1]:
            return fp[-1] if right is None or value <= xp[-1] else right
        i = max(place for place, edge in enumerate(xp) if edge <= value)
        return (fp[i + 1] - fp[i]) / (xp[i + 1] - xp[i]) * (value - xp[i]) + fp[i]

    if np.ndim(x) == 0:
        return np.float64(at(float(x)))
    x = np.asarray(x)
    return np.array([at(float(value)) for value in x.ravel()]).reshape(x.shape)


def tensordot(a, b, axes=2):
    a, b = np.asarray(a), np.asarray(b)
    if isinstance(axes, int):
        axes = list(builtin_range(a.ndim - axes, a.ndim)), list(builtin_range(axes))
    left, right = [[one] if isinstance(one, int) else list(one) for one in axes]
    left, right = [axis % a.ndim for axis in left], [axis % b.ndim for axis in right]
    rows = [axis for axis in builtin_range(a.ndim) if axis not in left]
    columns = [axis for axis in builtin_range(b.ndim) if axis not in right]
    depth = 1
    for axis in left:
        depth *= a.shape[axis]
    product = np.dot(a.transpose(rows + left).reshape(-1, depth), b.transpose(right + columns).reshape(depth, -1))
    return product.reshape([a.shape[axis] for axis in rows] + [b.shape[axis] for axis in columns])


class vectorize:
    def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self.pyfunc, self.otypes = pyfunc, otypes

    def __call__(self, *args):
        shape = torch.broadcast_shapes(*[np.shape(arg) for arg in args])
        args = [np.broadcast_to(np.asarray(arg), tuple(shape)) for arg in args]
        found = [self.pyfunc(*values) for values in zip(*[arg.ravel() for arg in args])]
        return np.array(found, dtype=self.otypes[0] if self.otypes else None).reshape(args[0].shape)


# ---- places ----

def tri(N, M=None, k=0, dtype=float):
    return np.tril(np.ones((max(N, 0), max(N if M is None else M, 0))), k).astype(dtype)



def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tril(np.ones((n, n if m is None else m)), k))


def triu_indices(n, k=0, m=None):
    return np.nonzero(np.triu(np.ones((n, n if m is None else m)), k))


def fill_diagonal(a, val, wrap=False):
    if wrap:
        refuse("unsupported.array.items", "type", "a diagonal that begins again")
    for i in builtin_range(min(a.shape)):
        a[(i,) * a.ndim] = val


def searchsorted(a, v, side='left', sorter=None):
    if sorter is not None:
        refuse("unsupported.searchsorted")
    found = torch.searchsorted(tensor_of(wide(a)), tensor_of(wide(v)), right=side == 'right')
    return found.numpy() if found.dim() else np.int64(found.item())


def digitize(x, bins, right=False):
    return searchsorted(bins, x, side='left' if right else 'right')


def take_along_axis(arr, indices, axis):
    return torch.take_along_dim(tensor_of(arr), tensor_of(indices), axis).numpy()


def isin(element, test_elements, assume_unique=False, invert=False):
    return torch.isin(tensor_of(wide(element)), tensor_of(wide(test_elements)),
                      invert=invert).numpy()


class Joined:
    """np.r_ and np.c_: what stands between the brackets, end to end or as columns."""

    def __init__(self, are_columns):
        self.are_columns = are_columns

    def __getitem__(self, key):
        parts = [np.arange(one.start or 0, one.stop, one.step or 1) if type(one).__name__ == 'slice' else np.atleast_1d(one)
                 for one in (key if isinstance(key, tuple) else (key,))]
        if self.are_columns:
            parts = [one[:, None] if one.ndim == 1 else one for one in parts]
        return np.concatenate(parts, axis=-1 if self.are_columns else 0)


r_, c_ = Joined(False), Joined(True)


# ---- without nan ----

def over_numbers(function, a, empty, axis, settings):
    a = np.asarray(a)
    if a.dtype not in (np.float32, np.float64):
        return function(a, axis=axis, **settings)
    return function(np.where(np.isnan(a), np.asarray(empty, dtype=a.dtype), a), axis=axis, **settings)


def nansum(a, axis=None, **settings):
    return over_numbers(np.sum, a, 0, axis, settings)


def extreme(function, a, empty, axis, settings):
    found = over_numbers(function, a, empty, axis, settings)
    has_none = np.all(np.isnan(np.asarray(a)), axis=axis, **settings)
    return np.where(has_none, np.nan, found) if np.any(has_none) else found


def nanmax(a, axis=None, **settings):
    return extreme(np.max, a, -np.inf, axis, settings)


def nanmin(a, axis=None, **settings):
    return extreme(np.min, a, np.inf, axis, settings)


def nanmean(a, axis=None, **settings):
    total = nansum(a, axis, **settings)
    count = np.sum(~np.isnan(np.asarray(a)), axis=axis, **settings)
    return total / (count.astype(total.dtype) if total.dtype == np.float32 else count)


def nanvar(a, axis=None):
    a = np.asarray(a)
    away = a - (nanmean(a) if axis is None else nanmean(a, axis, keepdims=True))
    return nanmean(away * away, axis)


def nanstd(a, axis=None):
    return np.sqrt(nanvar(a, axis))


# ---- curves ----

def gradient(f, dx=1.0):
    f = np.asarray(f)
    if f.ndim != 1 or np.ndim(dx):
        refuse("unsupported.array.items", "type", "several axes or places in np.gradient")
    f = f if f.dtype in (np.float32, np.float64) else f.astype(np.float64)
    return np.concatenate([(f[1:2] - f[:1]) / dx, (f[2:] - f[:-2]) / (2 * dx), (f[-1:] - f[-2:-1]) / dx])


def trapz(y, x=None, dx=1.0, axis=-1):
    y = np.asarray(y)
    steps = dx
    if x is not None:
        x = np.asarray(x)
        steps = along(axis % y.ndim, y.ndim, np.diff(x)) if x.ndim == 1 else np.diff(x, axis=axis)
    before = (slice(None),) * (axis % y.ndim)
    return (steps * (y[(*before, slice(1, None))] + y[(*before, slice(None, -1))]) / 2.0).sum(axis=axis)


def broadcast_shapes(*args):
    try:
        return tuple(torch.broadcast_shapes(*args))
    except RuntimeError:
        raise ValueError('shape mismatch: objects cannot be broadcast to a single shape.') from None


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """What the function makes of each row along that axis; a row that it gives takes the place of the axis."""
    arr = np.asarray(arr)
    rows = np.moveaxis(arr, axis, -1)
    if rows.size == 0:
        raise ValueError('Cannot apply_along_axis when any iteration dimensions are 0')
    found = [np.asarray(func1d(row, *args, **kwargs)) for row in rows.reshape(-1, rows.shape[-1])]
    out = np.stack(found).reshape(rows.shape[:-1] + found[0].shape)
    at, count = axis % arr.ndim, found[0].ndim
    order = [*builtin_range(at), *builtin_range(arr.ndim - 1, arr.ndim - 1 + count), *builtin_range(at, arr.ndim - 1)]
    return out.transpose(order) if count else out


def logspace(start, stop, num=50, endpoint=True, base=10.0):
    return np.power(base, np.linspace(start, stop, num, endpoint=endpoint))


def ptp(a, axis=None):
    return np.max(a, axis=axis) - np.min(a, axis=axis)


def kron(a, b):
    a, b = np.asarray(a), np.asarray(b)
    ndim = max(a.ndim, b.ndim)
    rows, columns = (1,) * (ndim - a.ndim) + a.shape, (1,) * (ndim - b.ndim) + b.shape
    product = a.reshape([size for n in rows for size in (n, 1)]) * b.reshape([size for n in columns for size in (1, n)])
    return product.reshape([n * m for n, m in zip(rows, columns)])


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not copy:
        refuse("unsupported.name", 'name', 'numpy.nan_to_num with copy=False')
    x = np.asarray(x)
    return through_torch(torch.nan_to_num, x, nan, posinf, neginf) if x.dtype in (np.float32, np.float64) else x.copy()


def sliding_window_view(x, window_shape, axis=None):
    x = np.asarray(x)
    sizes = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    if len(sizes) != len(axes):
        raise ValueError('Since axis is None, must provide window_shape for all dimensions of `x`; got '
                         f'{len(sizes)} window_shape elements and `x.ndim` is {x.ndim}.')
    windows = tensor_of(x)
    for place, size in zip(axes, sizes):
        if size > x.shape[place]:
            raise ValueError('window shape cannot be larger than input array shape')
        windows = windows.unfold(place, size, 1)
    return windows.numpy()


def lexsort(keys, axis=-1):
    order = None
    for key in keys:
        key = np.asarray(key)
        if key.ndim != 1:
            refuse("unsupported.name", 'name', 'numpy.lexsort of keys with several axes')
        order = np.argsort(key, kind='stable') if order is None else order[np.argsort(key[order], kind='stable')]
    return order


def lstsq(a, b, rcond=None):
    if rcond not in (None, -1):
        refuse("unsupported.name", 'name', 'numpy.linalg.lstsq with rcond')
    a, b = np.asarray(a).astype(np.float64), np.asarray(b).astype(np.float64)
    rest, rank = b - a @ (x := np.linalg.pinv(a) @ b), np.linalg.matrix_rank(a)
    is_whole = rank == a.shape[1] and a.shape[0] > a.shape[1]
    sums = np.atleast_1d(np.sum(rest * rest, axis=0)) if is_whole else np.array([])
    return x, sums, rank, np.linalg.svd(a, compute_uv=False)


def logaddexp(x1, x2):
    """log(exp(x1) + exp(x2)), from the larger of them on."""
    x1, x2 = np.asarray(x1), np.asarray(x2)
    same = np.equal(x1, x2)
    away = np.where(same, 0.0, x1) - np.where(same, 0.0, x2)
    sums = np.where(away > 0, x1, x2) + np.log1p(np.exp(-np.abs(away)))
    found = np.where(same, x1 + math.log(2), sums)
    return found if found.ndim else found[()]


def polyfit(x, y, deg):
    x = np.asarray(x).astype(np.float64)
    powers = np.stack([x ** (deg - i) for i in range(deg + 1)], axis=-1)
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    return (lstsq(powers / scale, y)[0].T / scale).T


def polyval(p, x):
    x = np.asarray(x)
    total = x * 0
    for factor in p:
        total = total * x + factor
    return total


# ---- ufuncs: what a function of two arrays does along an axis ----

def rank(dtype):
    """Numbers are written into types of the same rank, or a higher one, without being asked to."""
    return 2 if dtype.name.startswith('float') else 0 if dtype.name == 'bool' else 1


def written(name, found, out, where):
    """In the array that the caller named, where the mask is True."""
    out = out[0] if isinstance(out, tuple) else out
    if rank(found.dtype) > rank(out.dtype):
        raise TypeError(f"Cannot cast ufunc '{name}' output from {found.dtype!r} to {out.dtype!r} with casting rule "
                        "'same_kind'")
    out[...] = found if where is None else np.where(where, found, out)
    return out


class Ufunc:
    def __init__(self, name, function, fold, running):
        self.__name__, self.function, self.fold, self.running = name, function, fold, running

    def __call__(self, x1, x2, out=None, where=None):
        found = self.function(x1, x2)
        if out is None and where not in (None, True):
            refuse("unsupported.parameter", 'function', self.__name__, 'keyword', 'where')
        return found if out is None else written(self.__name__, found, out, where)

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def outer(self, A, B):
        A, B = np.asarray(A), np.asarray(B)
        return self.function(A.reshape(A.shape + (1,) * B.ndim), B)

    def reduce(self, array, axis=0):
        return self.fold(np.asarray(array), axis=axis)

    def accumulate(self, array, axis=0):
        return self.running(np.asarray(array), axis)

    def at(self, a, indices, b):
        """Where an index stands several times, it counts as often."""
        places = np.arange(a.size).reshape(a.shape)[indices]
        values = np.broadcast_to(np.asarray(b), places.shape)
        if rank(values.dtype) < rank(a.dtype):
            values = values.astype(a.dtype)
        if self.__name__ in ('add', 'subtract') and a.dtype in (np.int64, np.float64, np.float32) and values.dtype == a.dtype:
            signed = values if self.__name__ == 'add' else -values
            whole = torch.from_numpy(np.ravel(a)).index_add(0, torch.from_numpy(np.ravel(places)),
                                                            torch.from_numpy(np.ravel(signed)))
            a[...] = whole.numpy().reshape(a.shape)
            return
        for place, value in zip(np.ravel(places).tolist(), np.ravel(values)):
            where = np.unravel_index(place, a.shape)
            a[where] = self.function(a[where], value)


def running_difference(x, axis):
    rows = np.moveaxis(x, axis, 0)
    return np.moveaxis(np.cumsum(np.concatenate((rows[:1], -rows[1:])), axis=0), 0, axis)


add = Ufunc('add', lambda a, b: np.asarray(a) + b, np.sum, lambda x, axis: np.cumsum(x, axis=axis))
subtract = Ufunc('subtract', lambda a, b: np.asarray(a) - b, lambda x, axis: np.take(running_difference(x, axis), -1, axis),
                 running_difference)
multiply = Ufunc('multiply', lambda a, b: np.asarray(a) * b, np.prod, lambda x, axis: np.cumprod(x, axis=axis))


def running_best(better):
    def running(x, axis):
        rows = list(np.moveaxis(x, axis, 0))
        for i in builtin_range(1, len(rows)):
            rows[i] = better(rows[i - 1], rows[i])
        return np.moveaxis(np.stack(rows), 0, axis) if rows else x.copy()

    return running


def ufunc_method(name, method):
    """np.maximum.accumulate and its like: np.maximum itself is no object of Ufunc."""
    if name not in ('maximum', 'minimum'):
        return None
    function, fold = (np.maximum, np.max) if name == 'maximum' else (np.minimum, np.min)
    return getattr(Ufunc(name, function, fold, running_best(function)), method)


# ---- limits of types, and how arrays are printed ----

class finfo:
    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        number = {'float16': np.float16, 'float32': np.float32, 'float64': np.float64}[self.dtype.name]
        limits = torch.finfo(getattr(torch, self.dtype.name))
        self.bits, self.resolution = limits.bits, number(limits.resolution)
        self.min, self.max, self.eps = number(limits.min), number(limits.max), number(limits.eps)
        self.tiny = self.smallest_normal = number(limits.tiny)


class iinfo:
    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        if self.dtype.kind not in ('i', 'u'):
            raise ValueError(f'Invalid integer data type {self.dtype.kind!r}.')
        self.bits = 8 * self.dtype.itemsize
        digits = self.bits - (self.dtype.kind == 'i')
        self.max = 2 * (2 ** (digits - 1) - 1) + 1
        self.min = -self.max - 1 if self.dtype.kind == 'i' else 0


class printoptions:
    def __init__(self, **settings):
        self.settings = settings

    def __enter__(self):
        self.before = np.get_printoptions()
        np.set_printoptions(**self.settings)

    def __exit__(self, *excinfo):
        np.set_printoptions(**self.before)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    settings = {'linewidth': max_line_width, 'precision': precision, 'suppress': suppress_small}
    with printoptions(**{name: value for name, value in settings.items() if value is not None}):
        return str(np.asarray(a))


class errstate:
    """Which warnings are written; none of numpy's are here."""

    def __init__(self, **settings):
        pass

    def __enter__(self):
        return None

    def __exit__(self, *excinfo):
        return False


def seterr(**settings):
    return {}


# ---- older names ----

infty = Inf = Infinity = PINF = np.inf
NINF = -np.inf
NaN = NAN = np.nan
product, cumproduct, row_stack = np.prod, np.cumprod, np.vstack


def in1d(ar1, ar2):
    return np.isin(ar1, ar2).ravel()
