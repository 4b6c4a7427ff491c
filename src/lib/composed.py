"""Functions of torch that are made of other ops: distances, places in order, statistics, normalization."""
import math
from collections import namedtuple

import torch
from torch.nn import functional as F


def need_floats(name, *tensors):
    for x in tensors:
        if not x.is_floating_point():
            fail('runtime', f'"{name}" not implemented for \'{scalar_name(x)}\'')


def scalar_name(x):
    return x.type().removeprefix('torch.').removesuffix('Tensor')


def need_vectors(tensors):
    for i, x in enumerate(tensors):
        if not isinstance(x, torch.Tensor):
            fail('type', f'expected Tensor as element {i} in argument 0, but got {type(x).__name__}')
        if x.dim() != 1:
            fail('runtime', f'Expect a 1D vector, but got shape {list(x.shape)}')


def cdist(x1, x2, p, compute_mode):
    modes = ('use_mm_for_euclid_dist_if_necessary', 'use_mm_for_euclid_dist', 'donot_use_mm_for_euclid_dist')
    if compute_mode not in modes:
        fail('value', f'{compute_mode} is not a valid value for compute_mode')
    for name, x in (('X1', x1), ('X2', x2)):
        if x.dim() < 2:
            fail('shape', f'cdist only supports at least 2D tensors, {name} got: {x.dim()}D')
    if x1.shape[-1] != x2.shape[-1]:
        fail('shape', f'X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}')
    for name, x in (('X1', x1), ('X2', x2)):
        if not x.is_floating_point():
            fail('runtime', f'cdist only supports floating-point dtypes, {name} got: {scalar_name(x)}')
    if p < 0:
        fail('runtime', 'cdist only supports non-negative p values')
    if x1.dtype != x2.dtype:
        if x1.numel() > 0 and x2.numel() > 0:
            fail('runtime', f'expected scalar type {scalar_name(x1)} but found {scalar_name(x2)}')
        x2 = x2.to(x1.dtype)
    away = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    if p != math.inf or not away.requires_grad:
        return torch.norm(away, p=p, dim=-1)
    sizes = away.abs()  # each of the largest has the whole gradient
    largest = sizes.detach().amax(-1, keepdim=True)
    return largest.squeeze(-1) + ((sizes - sizes.detach()) * (sizes == largest)).sum(-1)


# ---- places in order ----

def quantile(input, q, dim, keepdim, interpolation):
    if not isinstance(q, (int, float, torch.Tensor)):
        fail('type', "quantile(): argument 'q' (position 2) must be Tensor or float")
    if not isinstance(q, torch.Tensor):
        if not 0 <= q <= 1:
            fail('runtime', f'quantile() q must be in the range [0, 1] but got {q}')
        q = torch.tensor(q, dtype=input.dtype)
    if interpolation not in ('linear', 'lower', 'higher', 'midpoint', 'nearest'):
        fail('runtime', 'quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got '
             + interpolation)
    if input.numel() == 0:
        fail('runtime', 'quantile() input tensor must be non-empty')
    if q.dim() > 1:
        fail('runtime', 'quantile() q must be a scalar or 1D tensor')
    if input.dtype not in (torch.float32, torch.float64):
        fail('runtime', 'quantile() input tensor must be either float or double dtype')
    if q.dtype != input.dtype:
        fail('runtime', 'quantile() q tensor must be same dtype as the input tensor')
    if dim is not None:
        input.movedim(0, dim)  # has the error for an axis that is not there
    if not ((q >= 0) & (q <= 1)).all():
        fail('runtime', 'quantile() q values must be in the range [0, 1]')
    if input.dim() == 0:
        dim = None
    kept = [1] * input.dim() if dim is None else [1 if i == dim % input.dim() else n for i, n in enumerate(input.shape)]
    x = input.flatten() if dim is None else input.movedim(dim, -1)
    ordered = x.sort(-1).values
    ordered = torch.where(x.isnan().any(-1, keepdim=True), math.nan, ordered)
    rank = q * (x.shape[-1] - 1)
    below, above = rank.floor(), rank.ceil()
    if interpolation in ('lower', 'higher', 'nearest'):
        below = above = {'lower': below, 'higher': above, 'nearest': rank.round()}[interpolation]
    low, high = (ordered[..., place.long().flatten()] for place in (below, above))
    weight = torch.full_like(rank, 0.5) if interpolation == 'midpoint' else rank - below
    found = low if below is above else low.lerp(high, weight.flatten().expand_as(low))
    found = found.movedim(-1, 0)
    shape = kept if keepdim else list(x.shape[:-1])
    return found.reshape([*q.shape, *shape])


def searchsorted(sorted_sequence, input, out_int32, right, side, sorter):
    if side not in (None, 'left', 'right'):
        fail('runtime', f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if side == 'left' and right:
        fail('runtime', "torch.searchsorted(): side and right can't be set to opposites, got side of left while right "
             'was True')
    if sorter is not None:
        refuse("unsupported.searchsorted")
    if not isinstance(input, torch.Tensor):
        input = torch.tensor(input)
    if sorted_sequence.dtype == input.dtype == torch.bool and input.numel():
        fail('runtime', '"searchsorted_out_cpu" not implemented for \'Bool\'')
    if sorted_sequence.dim() == 0:
        fail('runtime', 'torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, '
             'but we got boundaries tensor dim(0)')
    if sorted_sequence.dim() > 1 and sorted_sequence.shape[:-1] != input.shape[:-1]:
        fail('runtime', 'torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of '
             f'boundaries tensor and input value tensor must match, but we got boundaries tensor '
             f'{list(sorted_sequence.shape)} and input value tensor {list(input.shape)}')
    found = halved(sorted_sequence, input, right or side == 'right')
    return found.int() if out_int32 else found


def halved(row, value, is_right):
    """The place of each value in its row, by halves; of a row without order, too, as PyTorch finds it."""
    size = row.shape[-1]
    low, high = torch.zeros_like(value, dtype=torch.int64), torch.full_like(value, size, dtype=torch.int64)
    for _ in range(size.bit_length()):
        middle = (low + high) // 2
        place = middle.clamp(max=size - 1)
        there = row[place] if row.dim() == 1 else row.gather(-1, place)
        is_before = ~(there > value) if is_right else ~(there >= value)
        is_open = low < high
        low, high = torch.where(is_open & is_before, middle + 1, low), torch.where(is_open & ~is_before, middle, high)
    return low


def bucketize(input, boundaries, out_int32, right):
    if boundaries.dim() != 1:
        fail('runtime', f'boundaries tensor must be 1 dimension, but got dim({boundaries.dim()})')
    return searchsorted(boundaries, input, out_int32, right, None, None)


def unique_consecutive(input, return_inverse, return_counts, dim):
    if dim is not None:
        refuse("unsupported.unique_consecutive")
    flat = input.detach().flatten()
    begins = torch.cat([torch.ones(min(1, len(flat)), dtype=torch.bool), flat[1:] != flat[:-1]])
    values = flat[begins]
    extra = []
    if return_inverse:
        extra.append((begins.long().cumsum(0) - 1).view(input.shape))
    if return_counts:
        places = begins.nonzero().flatten()
        extra.append(torch.diff(torch.cat([places, torch.tensor([len(flat)])])))
    return (values, *extra) if extra else values


def histc(input, bins, min, max):
    need_floats('histogram_cpu', input)
    if bins <= 0:
        fail('runtime', 'bins must be > 0')
    min, max = +min, +max  # a bool is a number here
    is_whole = min == max
    if is_whole and input.numel():
        min, max = input.min().item(), input.max().item()
    if min == max:
        min, max = min - 1, max + 1
    if not math.isfinite(min) or not math.isfinite(max):
        fail('runtime', f'range of [{min:g}, {max:g}] is not finite')
    if min > max:
        fail('runtime', 'torch.histc: max must be larger than min')
    x = input.flatten()
    if not is_whole:
        x = x[(x >= min) & (x <= max)]
    place = ((x - min) / (max - min) * bins).long().clamp(max=bins - 1)
    return torch.zeros(bins, dtype=input.dtype).index_add(0, place, torch.ones_like(x))


def promote_types(type1, type2):
    return (torch.empty(0, dtype=type1) + torch.empty(0, dtype=type2)).dtype


def result_type(tensor, other):
    def emptied(x): return x.new_empty([0] if x.dim() else []) if isinstance(x, torch.Tensor) else x
    if not isinstance(tensor, torch.Tensor) and not isinstance(other, torch.Tensor):
        tensor = torch.tensor(tensor)
    return (emptied(tensor) + emptied(other)).dtype


def scatter_reduce(input, dim, index, src, reduce, include_self):
    (input if input.dim() else input.unsqueeze(0)).size(dim)  # has the error for an axis that is not there
    if reduce not in ('sum', 'prod', 'mean', 'amax', 'amin'):
        fail('runtime', f'reduce argument must be either sum, prod, mean, amax or amin, got {reduce}.')
    out = input.clone()
    if not include_self:
        first = {'sum': 0, 'mean': 0, 'prod': 1, 'amax': -math.inf, 'amin': math.inf}[reduce]
        if math.isinf(first) and not input.is_floating_point():
            limits = torch.iinfo(input.dtype)
            first = limits.min if reduce == 'amax' else limits.max
        out = out.scatter(dim, index, first)
    if reduce in ('sum', 'mean'):
        out = out.scatter_add(dim, index, src)
        if reduce == 'sum':
            return out
        count = torch.ones_like(input) if include_self else torch.zeros_like(input)
        count = count.scatter_add(dim, index, torch.ones_like(src)).clamp(min=1)
        return out / count if input.is_floating_point() else torch.div(out, count, rounding_mode='floor')
    join = {'prod': torch.mul, 'amax': torch.maximum, 'amin': torch.minimum}[reduce]
    for i in range(index.shape[dim] if index.dim() else 1):
        place, value = index.narrow(dim, i, 1), src.narrow(dim, i, 1)
        value = value[tuple(slice(0, size) for size in place.shape)]
        out = out.scatter(dim, place, join(out.gather(dim, place), value))
    is_shared = reduce != 'prod' and out.requires_grad
    return shared_extremes(out.detach(), input, dim, index, src, include_self) if is_shared else out


def shared_extremes(found, input, dim, index, src, include_self):
    """All that have the extreme share its gradient, even an input that does not count takes a part away."""
    src = src[tuple(slice(0, size) for size in index.shape)]
    mine, others = [(x == y).to(found.dtype) for x, y in ((input, found), (src, found.gather(dim, index)))]
    count = mine.scatter_add(dim, index, others)
    mine = mine if include_self else mine.scatter(dim, index, 0)
    slopes = (src - src.detach()) * (others / count.gather(dim, index))
    return found + (input - input.detach()) * (mine / count) + torch.zeros_like(found).scatter_add(dim, index, slopes)


def places_to_put(input, indices, values):
    if not isinstance(indices, (tuple, list)):
        raise TypeError("index_put(): argument 'indices' (position 1) must be tuple of Tensors, not "
                        f'{type(indices).__name__}')
    for place, item in enumerate(indices):
        if item is not None and not isinstance(item, torch.Tensor):
            raise TypeError(f'expected Tensor as element {place} in argument 0, but got {type(item).__name__}')
    if values.dtype != input.dtype:
        fail('runtime', f'Index put requires the source and destination dtypes match, got {scalar_name(input)} for the '
             f'destination and {scalar_name(values)} for the source.')
    return tuple(slice(None) if item is None else item for item in indices)


def index_put(input, indices, values, accumulate):
    items = places_to_put(input, indices, values)
    if not accumulate:
        out = input.clone()
        out[items] = values
        return out
    places = torch.arange(input.numel()).view(input.shape)[items]
    added = values.expand(places.shape).reshape(-1)
    return input.reshape(-1).index_add(0, places.reshape(-1), added).view(input.shape)


def index_put_(input, indices, values, accumulate):
    if accumulate:
        return input.copy_(index_put(input, indices, values, True))
    input[places_to_put(input, indices, values)] = values
    return input


# ---- statistics ----

def diagflat(input, offset):
    return torch.diag(input.flatten(), offset)


def trapezoid(y, x, dim):
    """x: the places of the points, or the distance from each to the next."""
    count = y.size(dim)
    if y.dtype == torch.bool:
        return y - y  # has the error
    if isinstance(x, bool):
        fail('runtime', 'trapezoid: Currently, we only support dx as a real number.')
    dim %= y.dim()  # also of an x with more axes
    if count == 0:
        return y.sum(dim, dtype=y.dtype)
    if not isinstance(x, torch.Tensor):
        return (y.sum(dim) - (y.select(dim, 0) + y.select(dim, -1)) * 0.5) * x
    if x.dim() == 1:
        if x.numel() != y.size(dim):
            fail('runtime', 'trapezoid: There must be one `x` value for each sample point')
        x = x.view([-1 if i == dim % y.dim() else 1 for i in range(y.dim())])
    elif x.dim() < y.dim():
        x = x.view([1] * (y.dim() - x.dim()) + list(x.shape))
    before, after = [[values.narrow(dim, start, values.size(dim) - 1) for values in (x, y)] for start in (0, 1)]
    return ((after[0] - before[0]) * (before[1] + after[1])).sum(dim) / 2.


SlogDet = namedtuple('torch.return_types.slogdet', ['sign', 'logabsdet'])


def slogdet(input):
    return SlogDet(*torch.linalg.slogdet(input))



def cov(input, correction, fweights, aweights):
    if input.dtype == torch.bool:
        fail('runtime', 'cov(): bool dtype is not supported for input')
    if fweights is not None or aweights is not None:
        refuse("unsupported.cov")
    if input.dim() > 2:
        fail('runtime', f'cov(): expected input to have two or fewer dimensions but got an input with {input.dim()} '
             'dimensions')
    x = input if input.dim() == 2 else input.reshape(1, -1)
    x = x if x.is_floating_point() else x.float()
    apart = x - x.sum(1, keepdim=True) / x.shape[1]
    found = apart @ apart.t() / max(x.shape[1] - correction, 0)
    return found.squeeze()


def corrcoef(input):
    c = cov(input, 1, None, None)
    if c.dim() == 0:
        return c / c
    deviation = c.diagonal().sqrt()
    return (c / deviation.unsqueeze(1) / deviation.unsqueeze(0)).clip(-1, 1)


def hypot(input, other):
    need_floats('hypot_cpu', torch.add(input, other))
    return (input * input + other * other).sqrt()


def sinc(input):
    x = input * math.pi
    return torch.where(input == 0, torch.ones_like(x), x.sin() / torch.where(input == 0, torch.ones_like(x), x))


def xlogy(input, other):
    def tensor(x, beside):
        return x if isinstance(x, torch.Tensor) else torch.tensor(x, dtype=beside.dtype if beside.is_floating_point() else None)
    a, b = tensor(input, other), tensor(other, input)
    product = a * torch.log(b) + 0.  # of 0 * log(0.5) the 0 has no sign
    return product.masked_fill((a == 0) & ((b <= 0) | torch.isinf(b)), 0.)


def heaviside(input, values):
    if input.dtype != values.dtype:
        fail('runtime', 'heaviside is not yet implemented for tensors with different dtypes.')
    input = input.detach()  # it has no gradient
    return torch.where(input == 0, values.detach(), (input > 0).to(input.dtype))


def hann_window(window_length, periodic, dtype, requires_grad):
    if dtype not in (None, torch.float32, torch.float64):
        fail('runtime', f'hann_window expects floating point dtypes, got: {dtype}')
    if window_length < 2:
        return torch.ones(window_length, dtype=dtype)
    last = window_length if periodic else window_length - 1
    angle = torch.arange(window_length, dtype=dtype or torch.float32) * (math.pi * 2 / last)
    return angle.cos() * -0.5 + 0.5


# ---- several tensors ----

def combinations(input, r, with_replacement):
    need_vectors([input])
    if r < 0:
        fail('runtime', f'Expect a non-negative number, but got {r}')
    if r == 0:
        return input.new_empty(0)
    size, places = input.shape[0], [[]]
    for _ in range(r):
        step = 0 if with_replacement else 1
        places = [[*some, i] for some in places for i in range(some[-1] + step if some else 0, size)]
    return input[torch.tensor(places, dtype=torch.int64).view(-1, r)]


def cartesian_prod(tensors):
    need_vectors(tensors)
    if len(tensors) == 1:
        return tensors[0]
    grids = torch.meshgrid(*tensors, indexing='ij')
    return torch.stack([grid.reshape(-1) for grid in grids], dim=1)


def block_diag(tensors):
    if not tensors:
        return torch.empty(1, 0)
    for x in tensors:
        if not isinstance(x, torch.Tensor):
            fail('type', f'expected Tensor as element 0 in argument 0, but got {type(x).__name__}')
        if x.dim() > 2:
            fail('runtime', f'torch.block_diag: Input tensors must have 2 or fewer dimensions. Input has {x.dim()} '
                 'dimensions')
    blocks = [x.reshape(1, -1) if x.dim() < 2 else x for x in tensors]
    columns, rows, before = sum([x.shape[1] for x in blocks]), [], 0
    for x in blocks:
        rows.append(F.pad(x, (before, columns - before - x.shape[1])))
        before += x.shape[1]
    return torch.cat(rows)


def rot90(input, k, dims=(0, 1)):
    k, dims = k % 4, list(dims)
    if len(dims) != 2:
        fail('runtime', f'expected total rotation dims == 2, but got dims = {len(dims)}')
    if input.dim() < 2:
        fail('runtime', f'expected total dims >= 2, but got total dims = {input.dim()}')
    for axis in dims:
        if not -input.dim() <= axis < input.dim():
            fail('runtime', f'Rotation dims out of range, dim = {axis}')
    if dims[0] % input.dim() == dims[1] % input.dim():
        fail('runtime', f'expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}')
    if k == 2:
        return input.flip(*dims)
    if k == 0:
        return input.clone()
    return input.flip(dims[1]).transpose(*dims) if k == 1 else input.transpose(*dims).flip(dims[1])


# ---- normalization, activation, transposed convolution ----

def group_norm(input, num_groups, weight, bias, eps):
    size = [input.size(0) * input.size(1) // num_groups, num_groups, *input.shape[2:]]
    if size[0] * math.prod(size[2:]) == 1:
        fail('value', f'Expected more than 1 value per channel when training, got input size {size}')
    channels = input.shape[1]
    if channels % num_groups:
        fail('runtime', 'Expected number of channels in input to be divisible by num_groups, but got input of shape '
             f'{list(input.shape)} and num_groups={num_groups}')
    for name, x in (('weight', weight), ('bias', bias)):
        if x is not None and x.shape != (channels,):
            fail('runtime', f'Expected {name} to be a vector of size equal to the number of channels in input, but got '
                 f'{name} of shape {list(x.shape)} and input of shape {list(input.shape)}')
    for x in (weight, bias):
        if x is not None and x.dtype != input.dtype:
            fail('runtime', f'expected scalar type {scalar_name(input)} but found {scalar_name(x)}')
    need_floats('GroupNormKernelImpl', input)
    groups = input.reshape(input.shape[0], num_groups, channels // num_groups, math.prod(input.shape[2:]))
    mean = as_op('op.row_mean', groups, (-2, -1), True)
    scale = torch.rsqrt(as_op('op.row_var', groups, (-2, -1), False, True) + eps)
    if weight is None and bias is None:
        return ((groups - mean) * scale).view(input.shape)
    per_channel = num_groups, channels // num_groups, 1
    if weight is not None:
        scale = scale * weight.view(per_channel)
    offset = -(scale * mean)
    if bias is not None:
        offset = offset + bias.view(per_channel)
    return torch.addcmul(offset, groups, scale).view(input.shape)


def prelu(input, weight):
    need_floats('prelu_cpu', input)
    if weight.dtype != input.dtype:
        fail('runtime', f'expected scalar type {scalar_name(input)} but found {scalar_name(weight)}')
    if weight.dim() > 1:
        fail('runtime', f'prelu: Expected `weight` to be a scalar or 1D tensor, but got ndim = {weight.dim()}')
    if weight.numel() != 1:
        channels = input.shape[1] if input.dim() > 1 else 1
        if channels != weight.numel():
            fail('runtime', f'Mismatch of parameter numbers and input channel size. Found parameter numbers = '
                 f'{weight.numel()} and channel size = {channels}.')
        weight = weight.view([1, -1] + [1] * (input.dim() - 2)) if input.dim() > 1 else weight
    below = input.clamp(max=0)  # so that an infinite weight gives no gradient above 0
    return torch.where(input > 0, input, weight * below)


def bilinear(input1, input2, weight, bias):
    if input1.dim() != input2.dim() or input1.shape[:-1] != input2.shape[:-1]:
        fail('shape', f'bilinear(): input dimensions do not match: got {input1.dim()} and {input2.dim()}')
    for axis, x in ((1, input1), (2, input2)):
        if x.size(-1) != weight.size(axis):
            fail('shape', f'bilinear(): input{axis} size does not match weight size: got {x.size(-1)} but expected '
                 f'{weight.size(axis)}')
    if bias is not None and bias.size(0) != weight.size(0):
        fail('shape', f'bilinear(): bias size does not match weight size: got {bias.size(0)} but expected {weight.size(0)}')
    out = torch.einsum('...i,kij,...j->...k', input1, weight, input2)
    return out if bias is None else out + bias


def each_at_least(tensors, widened):
    several = isinstance(tensors[0], (list, tuple)) or len(tensors) != 1
    results = tuple(widened[x.dim()](x) if x.dim() < len(widened) else x
                    for x in (tensors[0] if isinstance(tensors[0], (list, tuple)) else tensors))
    return results if several else results[0]


def atleast_1d(*tensors):
    return each_at_least(tensors, [lambda x: x.view(1)])


def atleast_2d(*tensors):
    return each_at_least(tensors, [lambda x: x.view(1, 1), lambda x: x.unsqueeze(0)])


def atleast_3d(*tensors):
    return each_at_least(tensors, [lambda x: x.view(1, 1, 1), lambda x: x.unsqueeze(0).unsqueeze(-1),
                                   lambda x: x.unsqueeze(-1)])


def per_axis(size):
    size = list(size) if isinstance(size, (list, tuple)) else [size]
    return tuple(size * 2 if len(size) == 1 else size)


def conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation):
    """Each element spreads the kernel: zeros between the elements, then a convolution with the kernel turned around."""
    stride, padding, extra, dilation = (per_axis(size) for size in (stride, padding, output_padding, dilation))
    if len(extra) != 2:
        fail('runtime', 'expected output_padding to be a single integer value or a list of 2 values to match the '
             f'convolution dimensions, but got output_padding={list(extra)}')
    for least, sizes, what in ((0, padding, 'negative padding'), (0, extra, 'negative output_padding'),
                               (1, stride, 'non-positive stride')):
        if min(sizes) < least:
            fail('runtime', f'{what} is not supported')
    if weight.dim() != 4 or input.dim() not in (3, 4):
        fail('runtime', f'Expected 3D (unbatched) or 4D (batched) input to conv_transpose2d, but got input of size: '
             f'{list(input.shape)}')
    if weight.dtype != input.dtype or not input.is_floating_point():
        fail('runtime', f'expected scalar type {scalar_name(input)} but found {scalar_name(weight)}')
    x = input if input.dim() == 4 else input.unsqueeze(0)
    if x.shape[1] != weight.shape[0] or groups < 1 or weight.shape[0] % groups:
        fail('runtime', f'Given transposed=1, weight of size {list(weight.shape)}, expected input{list(x.shape)} to have '
             f'{weight.shape[0]} channels, but got {x.shape[1]} channels instead')
    if any(more >= step and more >= reach for more, step, reach in zip(extra, stride, dilation)):
        given = [f'{name}_{side}: {sizes[axis]}' for name, sizes in
                 (('output_padding', extra), ('stride', stride), ('dilation', dilation))
                 for axis, side in enumerate(('height', 'width'))]
        fail('runtime', f'output padding must be smaller than either stride or dilation, but got {" ".join(given)}')
    rows, columns = x.shape[-2:]
    made = [(size - 1) * step - 2 * pad + reach * (side - 1) + more + 1 for size, step, pad, reach, side, more
            in zip((rows, columns), stride, padding, dilation, weight.shape[-2:], extra)]
    if min(made) < 1:
        fail('runtime', f'Given input size per channel: ({rows} x {columns}). Calculated output size per channel: '
             f'({made[0]} x {made[1]}). Output size is too small')
    if stride != (1, 1):
        x = F.pad(x.unsqueeze(-1).unsqueeze(-3), (0, stride[1] - 1, 0, 0, 0, stride[0] - 1))
        x = x.reshape(*x.shape[:2], rows * stride[0], columns * stride[1])
        x = x[..., :(rows - 1) * stride[0] + 1, :(columns - 1) * stride[1] + 1]
    sides = [step * (size - 1) - pad for step, size, pad in zip(dilation, weight.shape[-2:], padding)]
    x = F.pad(x, (sides[1], sides[1] + extra[1], sides[0], sides[0] + extra[0]))
    kernel = weight.flip(-1, -2)
    inputs, per_group = kernel.shape[:2]
    kernel = kernel.view(groups, inputs // groups, per_group, *kernel.shape[2:]).transpose(1, 2)
    kernel = kernel.reshape(groups * per_group, inputs // groups, *kernel.shape[3:])
    out = F.conv2d(x, kernel, bias, dilation=dilation, groups=groups)
    return history(out, 'ConvolutionBackward0') if input.dim() == 4 else out.squeeze(0)


def gumbel_softmax(logits, tau, hard, eps, dim):
    noise = -torch.empty(logits.shape, dtype=logits.dtype).exponential_().log()  # row by row, whatever the strides
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return torch.zeros(logits.shape, dtype=logits.dtype).scatter_(dim, index, 1.0) - soft.detach() + soft


# ---- among others, so far, most often ----

def isin(elements, test_elements, assume_unique, invert):
    elements, tests = torch.as_tensor(elements), torch.as_tensor(test_elements)
    for x in (elements, tests):
        if x.dtype in (torch.bool, torch.bfloat16) or x.is_complex():
            fail('runtime', f'Unsupported input type encountered for isin(): {scalar_name(x)}')
    if elements.numel() * tests.numel() <= 10 ** 6:
        found = (elements.unsqueeze(-1) == tests.flatten()).any(-1)
    else:
        common = torch.result_type(elements, tests)
        elements, tests = elements.to(common), tests.flatten().to(common).sort().values
        count = int((tests == tests).sum())  # nan stands at the end and misleads a search
        places = torch.searchsorted(tests[:count], elements.contiguous()).clamp(max=tests.numel() - 1)
        found = tests[places] == elements
    return ~found if invert else found


CumMax = namedtuple('torch.return_types.cummax', ['values', 'indices'])
CumMin = namedtuple('torch.return_types.cummin', ['values', 'indices'])
Mode = namedtuple('torch.return_types.mode', ['values', 'indices'])


def best_so_far(input, dim, is_better):
    """(values, indices): of equal ones the last, and a nan stays."""
    if input.dim() == 0:
        return input.clone(), torch.tensor(0)
    if input.numel() == 0:
        return input.clone(), torch.zeros_like(input, dtype=torch.int64)
    values, places = [], []
    for place in range(input.size(dim)):
        here = input.select(dim, place)
        at = torch.full_like(here, place, dtype=torch.int64)
        if values:
            stays = ~(is_better(here, values[-1]) | here.isnan()) | (values[-1].isnan() & ~here.isnan())
            here, at = torch.where(stays, values[-1], here), torch.where(stays, places[-1], at)
        values.append(here)
        places.append(at)
    return torch.stack(values, dim), torch.stack(places, dim)


def cummax(input, dim):
    return CumMax(*best_so_far(input, dim, lambda a, b: a >= b))


def cummin(input, dim):
    return CumMin(*best_so_far(input, dim, lambda a, b: a <= b))


def logcumsumexp(input, dim):
    (input if input.dim() else input.unsqueeze(0)).size(dim)
    need_floats('logcumsumexp_out_cpu', input)
    if input.dim() == 0 or input.numel() == 0:
        return input.unsqueeze(-1).sum(-1)
    sums = [input.select(dim, 0)]
    for place in range(1, input.size(dim)):
        sums.append(torch.logaddexp(sums[-1], input.select(dim, place)))
    return torch.stack(sums, dim)


def nansum(input, dim, keepdim, dtype):
    if input.is_floating_point() and input.numel() and dtype is not None and not dtype.is_floating_point:
        fail('runtime', f'"nansum_cpu" not implemented for \'{scalar_name(torch.empty(0, dtype=dtype))}\'')
    return sum_along(input.masked_fill(input.isnan(), 0), dim, keepdim, dtype)


def sum_along(x, dim, keepdim, dtype):
    return x.sum(list(range(x.dim())) if dim is None else dim, keepdim, dtype=dtype)


def nanmean(input, dim, keepdim, dtype):
    if not input.is_floating_point():
        fail('runtime', f'nanmean(): expected input to have floating point dtype but got {scalar_name(input)}')
    return nansum(input, dim, keepdim, dtype) / sum_along(~input.isnan(), dim, keepdim, None)


def kron(input, other):
    dims = max(input.dim(), other.dim())
    a, b = [x.view([1] * (dims - x.dim()) + list(x.shape)) for x in (input, other)]
    pairs = [(m, n) for m, n in zip(a.shape, b.shape)]
    rows = a.view([size for m, _ in pairs for size in (m, 1)]) * b.view([size for _, n in pairs for size in (1, n)])
    return rows.view([m * n for m, n in pairs])


def mode(input, dim, keepdim):
    if input.dim() == 0:
        input.unsqueeze(0).size(dim)  # has the error for an axis that is not there
        return Mode(input.clone(), torch.tensor(0))
    if input.size(dim) == 0:
        fail('index', f'mode(): Expected reduction dim {dim % input.dim()} to have non-zero size.')
    values, order = input.sort(dim=dim)
    rows = values.movedim(dim, -1)
    counts = (rows.unsqueeze(-1) == rows.unsqueeze(-2)).sum(-1).movedim(-1, dim)
    most = counts.argmax(dim, keepdim=True)  # of equal counts the smallest value, which comes first
    last = (most + counts.gather(dim, most) - 1).clamp(min=0)  # of NaN alone the first
    values, places = values.gather(dim, last), order.gather(dim, last)
    return Mode(values, places) if keepdim else Mode(values.squeeze(dim), places.squeeze(dim))


# ---- windows put back ----

def pair(name, size):
    if not isinstance(size, int) and len(size) != 2:
        fail('runtime', f'It is expected {name} equals to 2, but got size {len(size)}')
    return (size, size) if isinstance(size, int) else tuple(size)


def fold(input, output_size, kernel_size, dilation, padding, stride):
    height, width = pair('output_size', output_size)
    sizes, gaps = pair('kernel_size', kernel_size), pair('dilation', dilation)
    (top, left), steps = pair('padding', padding), pair('stride', stride)
    for name, (down, across) in (('kernel size', sizes), ('stride', steps), ('dilation', gaps)):
        if down <= 0 or across <= 0:
            word = name.split(' ')[0]
            fail('runtime', f'{name} should be greater than zero, but got {word}_height: {down} {word}_width: {across}')
    if top < 0 or left < 0:
        fail('runtime', f'padding should be non-negative, but got pad_height: {top} pad_width: {left}')
    if input.dim() not in (2, 3) or 0 in input.shape[-2:]:
        fail('runtime', 'Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions '
             f'for input, but got: {list(input.shape)}')
    if input.shape[-2] % (sizes[0] * sizes[1]):
        fail('runtime', "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
             f"input.size(1)={input.shape[-2]} and kernel_size=({sizes[0]}, {sizes[1]}).")
    if height < 1 or width < 1:
        fail('runtime', f'Given output_size=({height}, {width}): it has no place')
    places = torch.arange(float(height * width)).view(1, 1, height, width) + 1
    places = F.unfold(places, sizes, gaps, (top, left), steps)[0].long()
    if places.shape[1] != input.shape[-1]:
        fail('runtime', f'Given output_size=({height}, {width}), kernel_size=({sizes[0]}, {sizes[1]}), dilation=({gaps[0]}, '
             f'{gaps[1]}), padding=({top}, {left}), stride=({steps[0]}, {steps[1]}), expected size of input\'s dimension 2 '
             f'to match the calculated number of sliding blocks, but got input.size(2)={input.shape[-1]}.')
    columns = input.unflatten(-2, (-1, sizes[0] * sizes[1])).flatten(-2)
    out = columns.new_zeros([*columns.shape[:-1], height * width + 1])
    out = out.index_add(-1, places.flatten(), columns)  # place 0 is beyond the image
    return out[..., 1:].unflatten(-1, (height, width))


def broadcast_shapes(*shapes):
    """The shape of all together; an int is a shape of one axis."""
    out = []
    for shape in [[shape] if isinstance(shape, int) else list(shape) for shape in shapes]:
        out = [1] * (len(shape) - len(out)) + out
        for i in range(-1, -len(shape) - 1, -1):
            if shape[i] < 0:
                fail('runtime', f'Trying to create tensor with negative dimension ({shape[i]}): ({shape[i]})')
            if shape[i] == 1 or shape[i] == out[i]:
                continue
            if out[i] != 1:
                fail('runtime', 'Shape mismatch: objects cannot be broadcast to a single shape')
            out[i] = shape[i]
    return torch.Size(out)


def masked_scatter(input, mask, source):
    if input.dtype != source.dtype:
        fail('runtime', 'masked_scatter: expected self and source to have same dtypes but got'
             f'{scalar_name(input)} and {scalar_name(source)}')
    if mask.is_floating_point():
        fail('runtime', 'masked_scatter_ only supports boolean masks, but got mask with dtype ' + scalar_name(mask))
    if mask.dtype != torch.bool:
        if ((mask != 0) & (mask != 1)).any():
            fail('runtime', 'Mask tensor can take 0 and 1 values only')
        mask = mask.bool()
    x, mask = torch.broadcast_tensors(input, mask)
    count = int(mask.sum())
    if count > source.numel():
        fail('runtime', 'Number of elements of source < number of ones in mask')
    return x.index_put((mask,), source.reshape(-1)[:count])


def cross(input, other, dim):
    if dim is None:
        dim = next((i for i, size in enumerate(input.shape) if size == 3), None)
        if dim is None:
            fail('runtime', 'no dimension of size 3 in input')
    if input.dim() != other.dim():
        fail('runtime', 'linalg.cross: inputs must have the same number of dimensions.')
    if input.size(dim) != 3 or other.size(dim) != 3:
        fail('runtime', f'linalg.cross: inputs dimension {dim} must have length 3. Got {input.size(dim)} and '
             f'{other.size(dim)}')
    if input.dtype != other.dtype:
        fail('runtime', f'expected scalar type {scalar_name(input)} but found {scalar_name(other)}')
    a, b = (x.roll((-1,), (dim,)) for x in (input, other))
    c, d = (x.roll((-2,), (dim,)) for x in (input, other))
    return a * d - c * b
