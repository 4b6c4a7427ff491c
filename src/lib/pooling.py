"""Pooling, and images of another size: windows of the last axes, reduced."""
import math

import torch
from torch.nn import functional as F


def per_axis(size, axes):
    return [size] * axes if isinstance(size, int) else list(size) * (axes if len(size) == 1 else 1)


def extents(name, size, axes):
    """A number for each axis."""
    if not isinstance(size, int) and len(size) not in (1, axes):
        fail('shape', f'{name} must be an int or {axes} ints, but got {len(size)}')
    return per_axis(size, axes)


def check_images(input, axes, least=0):
    """Fewer axes than `least` are an index that is out of range."""
    if input.dim() < least:
        fail('index', f'Dimension out of range: {input.dim()} axes, at least {least} are needed')
    if input.dim() not in (axes + 1, axes + 2) or not input.is_floating_point():
        fail('shape', f'Expected {axes + 1}D or {axes + 2}D input of floats')


def windows(input, axes, kernel_size, stride, padding, ceil_mode, value, least=0, beyond=0, dilation=1,
            gives_none=False):
    """The windows as a new last axis: `value` stands in the padding, `beyond` where ceil_mode looks past it. None of
    them is an error, but where PyTorch has a loop of its own."""
    sizes = extents('kernel_size', kernel_size, axes)
    steps = sizes if stride is None or stride in ([], ()) else extents('stride', stride, axes)
    padding, gaps = extents('padding', padding, axes), extents('dilation', dilation, axes)
    check_images(input, axes, least)
    if 0 in input.shape[-axes - 1:]:
        fail('shape', 'Expected input to have non-zero size for non-batch dimensions')
    if min(sizes) < 1:
        fail('shape', 'kernel_size must be positive')
    if min(gaps) < 1:
        fail('shape', 'dilation must be positive')
    if min(padding) < 0:
        fail('shape', f'pad must be non-negative, but got pad: {min(padding)}')
    if any(pad > size // 2 for pad, size in zip(padding, sizes)):
        fail('shape', 'pad should be smaller than or equal to half of kernel size')
    if any(padding):
        input = F.pad(input, [amount for pad in reversed(padding) for amount in (pad, pad)], value=value)
    for size, step, pad, gap in zip(sizes, steps, padding, gaps):
        length, reach = input.shape[-axes], gap * (size - 1) + 1
        if ceil_mode:
            count = -((reach - length) // step) + 1
            count -= (count - 1) * step >= length - pad  # none begins in the padding
            length = max((count - 1) * step + reach, reach - step)
            input = F.pad(input, [0, 0] * (axes - 1) + [0, length - input.shape[-axes]], value=beyond)
        if length < reach:
            if gives_none and length - reach >= -step:
                return input.new_empty([*input.shape[:-1], 0, size])
            fail('shape', 'Output size is too small')
        input = input.unfold(-axes, reach, step)
        if gap > 1:
            input = input[..., ::gap]
    return input.flatten(-axes)


def max_pool(axes, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    gives_none = axes == 1 and not (input.requires_grad and torch.is_grad_enabled())
    shape = kernel_size, stride, padding, ceil_mode
    largest, places = windows(input, axes, *shape, -math.inf, 0, -math.inf, dilation, gives_none).max(-1)
    if not return_indices:
        return largest
    sizes = input.shape[-axes:]
    numbers = torch.arange(sizes.numel(), dtype=torch.float64).view(1, *sizes)
    numbers = windows(numbers, axes, *shape, -1, 0, -1, dilation).long().expand(*places.shape, -1)
    return largest, numbers.gather(-1, places.unsqueeze(-1)).squeeze(-1)


def avg_pool(axes, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override=None):
    if not input.is_floating_point():
        refuse("unsupported.pooling")
    if divisor_override == 0:
        fail('runtime', 'divisor must be not zero')
    shape, least = (kernel_size, stride, padding, ceil_mode), 3 if axes == 2 else 0
    seen = windows(input, axes, *shape, 0, least)
    if divisor_override is not None:
        return seen.sum(-1) / divisor_override
    if count_include_pad and not ceil_mode:
        return seen.mean(-1)
    return seen.sum(-1) / windows(input.new_ones([1, *input.shape[-axes:]]), axes, *shape, int(count_include_pad)).sum(-1)


def parts(x, dim, count):
    """So many parts of an axis, which overlap where they do not come out even."""
    size = x.shape[dim]
    bounds = [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]
    return [x.narrow(dim, start, end - start) for start, end in bounds]


def averaged_parts(x, dim, count):
    if count is None:
        return x
    if count == 0:
        return x.narrow(dim, 0, 0)
    if x.shape[dim] % count == 0:
        return x.unflatten(dim, (count, x.shape[dim] // count)).mean(dim)
    return torch.stack([part.mean(dim) for part in parts(x, dim, count)], dim)


def adaptive_avg_pool(axes, input, output_size):
    if axes == 1 or input.dim() < axes or per_axis(output_size, axes) != [1, 1]:
        check_images(input, axes, 2 if axes == 2 else 0)
    for i, count in enumerate(per_axis(output_size, axes)):
        input = averaged_parts(input, i - axes, count)
    return input


def adaptive_max_pool(axes, input, output_size, return_indices):
    check_images(input, axes)
    sizes = input.shape[-axes:]
    counts = [size if count is None else count for size, count in zip(sizes, per_axis(output_size, axes))]
    numbers, found, places = torch.arange(sizes.numel()).view(sizes), [], []
    for area, numbered in zip(areas(input, counts), areas(numbers, counts)):
        largest, place = area.flatten(-axes).max(-1)
        found.append(largest)
        places.append(numbered.flatten()[place])
    shape = [*input.shape[:-axes], *counts]
    found, places = torch.stack(found, -1).view(shape), torch.stack(places, -1).view(shape)
    return (found, places) if return_indices else found


def areas(x, counts):
    """What the parts of the last axes have in common, row by row."""
    if not counts:
        return [x]
    return [area for part in parts(x, -len(counts), counts[0]) for area in areas(part, counts[1:])]


def pooled(found, name):
    """Under the name of its last step; beside places it has that of the row."""
    return found if isinstance(found, tuple) else history(found, name)


def max_pool1d(*given):
    return pooled(max_pool(1, *given), 'SqueezeBackward1')


def max_pool2d(*given):
    return pooled(max_pool(2, *given), 'MaxPool2DWithIndicesBackward0')


def adaptive_max_pool1d(*given):
    return pooled(adaptive_max_pool(1, *given), 'SqueezeBackward1')


def adaptive_max_pool2d(*given):
    return pooled(adaptive_max_pool(2, *given), 'AdaptiveMaxPool2DBackward0')


def avg_pool1d(*given):
    return history(avg_pool(1, *given), 'SqueezeBackward1')


def avg_pool2d(*given):
    return history(avg_pool(2, *given), 'AvgPool2DBackward0')


def adaptive_avg_pool1d(*given):
    return history(adaptive_avg_pool(1, *given), 'SqueezeBackward1')


def adaptive_avg_pool2d(input, output_size):
    is_global = per_axis(output_size, 2) == [1, 1]
    return history(adaptive_avg_pool(2, input, output_size),
                   'MeanBackward1' if is_global else 'AdaptiveAvgPool2DBackward0')


def near(x):
    """The weight of an element within a distance of 1, by the cubic with A = -0.75."""
    return (1.25 * x - 2.25) * x * x + 1


def far(x):
    """The same between 1 and 2."""
    return ((-0.75 * x + 3.75) * x - 6) * x + 3


def neighbors(mode, old, new, scale, align_corners, dtype):
    """(places, weights) for each element that counts for a new one; without weights it is the only one."""
    step = old / new if scale is None else 1 / scale
    if mode in ('nearest', 'nearest-exact'):
        at = torch.arange(new, dtype=torch.float32) + (0.5 if mode == 'nearest-exact' else 0.)
        return [((at * step).long().clamp(max=old - 1), None)]
    dtype = torch.float64 if dtype == torch.float64 else torch.float32
    at = torch.arange(new, dtype=dtype)
    if align_corners:
        at = at * ((old - 1) / (new - 1) if new > 1 else 0.)
    else:
        at = (at + 0.5) * step - 0.5
    if mode != 'bicubic':
        at = at.clamp(min=0)
    low = at.floor()
    share, low = at - low, low.long()
    if mode == 'bicubic':
        weights = [far(share + 1), near(share), near(1 - share), far(2 - share)]
        return [((low + i - 1).clamp(0, old - 1), weights[i]) for i in range(4)]
    return [(low.clamp(max=old - 1), 1 - share), ((low + 1).clamp(max=old - 1), share)]


MODES = {'nearest': 'Nearest', 'nearest-exact': 'NearestExact', 'linear': 'Linear', 'bilinear': 'Bilinear',
         'trilinear': 'Trilinear', 'bicubic': 'Bicubic', 'area': ''}
AXES = {'linear': 1, 'bilinear': 2, 'trilinear': 3, 'bicubic': 2}


def interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias):
    axes = input.dim() - 2
    if align_corners is not None and mode in ('nearest', 'nearest-exact', 'area'):
        fail('value', 'align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic '
             '| trilinear')
    if (size is None) == (scale_factor is None):
        fail('value', 'either size or scale_factor should be defined' if size is None else
             'only one of size or scale_factor should be defined')
    if recompute_scale_factor and size is not None:
        fail('value', 'recompute_scale_factor is not meaningful with an explicit size.')
    if antialias and (mode not in ('bilinear', 'bicubic') or axes != 2):
        fail('value', 'Anti-alias option is only supported for bilinear and bicubic modes')
    if mode not in AXES and (axes not in (1, 2, 3) or mode not in ('nearest', 'nearest-exact', 'area', 'bicubic')):
        raise NotImplementedError('Input Error: Only 3D, 4D and 5D input Tensors supported (got '
                                  f'{input.dim()}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | '
                                  f'area | nearest-exact (got {mode})')
    if mode not in MODES or recompute_scale_factor or antialias or axes not in (1, 2, 3):
        refuse("unsupported.interpolate", 'mode', repr(mode))
    if not input.is_floating_point() and input.dtype != torch.uint8:
        fail('runtime', f'interpolate is not implemented for {input.dtype}')
    if AXES.get(mode, axes) != axes:
        raise NotImplementedError(f'Got {axes + 2}D input, but {mode} mode needs {AXES[mode] + 2}D input')
    if isinstance(size, torch.Tensor) and size.dim() == 0 and not size.is_floating_point():
        size = int(size)
    if isinstance(scale_factor, torch.Tensor) or isinstance(size, (bool, torch.Tensor)):
        raise TypeError('size and scale_factor must be numbers or tuples of numbers')
    scales = [None] * axes if scale_factor is None else (
        [scale_factor] * axes if isinstance(scale_factor, (int, float)) else list(scale_factor))
    sizes = per_axis(size, axes) if size is not None else [
        int(math.floor(old * scale)) for old, scale in zip(input.shape[2:], scales)]
    if mode == 'area':
        return adaptive_avg_pool(axes, input, sizes)
    given = input
    for i in reversed(range(axes)) if mode in AXES else range(axes):
        if sizes[i] == input.shape[i - axes] and 'linear' in mode:
            continue  # as it is
        found = neighbors(mode, input.shape[i - axes], sizes[i], scales[i], align_corners, input.dtype)
        shape = [-1] + [1] * (axes - 1 - i)
        parts = [input.index_select(i - axes, places) if weights is None else
                 input.index_select(i - axes, places) * weights.view(shape) for places, weights in found]
        input = sum(parts[1:], parts[0])
    if input is given:
        input = input.clone()
    return history(input, f'Upsample{MODES[mode]}{axes}DBackward1')
