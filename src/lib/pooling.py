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


def windows(input, axes, kernel_size, stride, padding, value, least=0, gives_none=False):
    """The windows as a new last axis. None of them is an error, but where PyTorch has a loop of its own."""
    sizes = extents('kernel_size', kernel_size, axes)
    steps = sizes if stride is None or stride in ([], ()) else extents('stride', stride, axes)
    padding = extents('padding', padding, axes)
    check_images(input, axes, least)
    if min(sizes) < 1:
        fail('shape', 'kernel_size must be positive')
    if any(pad > size // 2 for pad, size in zip(padding, sizes)):
        fail('shape', 'pad should be smaller than or equal to half of kernel size')
    if any(padding):
        input = F.pad(input, [amount for pad in reversed(padding) for amount in (pad, pad)], value=value)
    for size, step in zip(sizes, steps):
        if input.shape[-axes] < size:
            if gives_none and input.shape[-axes] - size >= -step:
                return input.new_empty([*input.shape[:-1], 0, size])
            fail('shape', 'Output size is too small')
        input = input.unfold(-axes, size, step)
    return input.flatten(-axes)


def max_pool(axes, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    if any(step != 1 for step in per_axis(dilation, axes)) or ceil_mode or return_indices:
        refuse("unsupported.pooling")
    gives_none = axes == 1 and not (input.requires_grad and torch.is_grad_enabled())
    return windows(input, axes, kernel_size, stride, padding, -math.inf, 0, gives_none).amax(-1)


def avg_pool(axes, input, kernel_size, stride, padding, ceil_mode, count_include_pad):
    if ceil_mode or not count_include_pad or not input.is_floating_point():
        refuse("unsupported.pooling")
    return windows(input, axes, kernel_size, stride, padding, 0, 3 if axes == 2 else 0).mean(-1)


def averaged_parts(x, dim, count):
    """The average of each of so many parts of an axis, which overlap where they do not come out even."""
    size = x.shape[dim]
    if count is None:
        return x
    if size % count == 0:
        return x.unflatten(dim, (count, size // count)).mean(dim)
    bounds = [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]
    return torch.stack([x.narrow(dim, start, end - start).mean(dim) for start, end in bounds], dim)


def adaptive_avg_pool(axes, input, output_size):
    if axes == 1 or input.dim() < axes or per_axis(output_size, axes) != [1, 1]:
        check_images(input, axes, 2 if axes == 2 else 0)
    for i, count in enumerate(per_axis(output_size, axes)):
        input = averaged_parts(input, i - axes, count)
    return input


def max_pool1d(*given):
    return history(max_pool(1, *given), 'SqueezeBackward1')


def max_pool2d(*given):
    return history(max_pool(2, *given), 'MaxPool2DWithIndicesBackward0')


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
        shift = 0.5 if mode == 'nearest-exact' else 0
        return [(torch.tensor([min(int((place + shift) * step), old - 1) for place in range(new)]), None)]
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
    if mode not in MODES or recompute_scale_factor or antialias or axes not in (1, 2, 3):
        refuse("unsupported.interpolate", 'mode', repr(mode))
    if align_corners is not None and mode not in AXES:
        fail('value', 'align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic '
             '| trilinear')
    if AXES.get(mode, axes) != axes:
        raise NotImplementedError(f'Got {axes + 2}D input, but {mode} mode needs {AXES[mode] + 2}D input')
    if isinstance(scale_factor, torch.Tensor):
        raise TypeError('scale_factor must be a number or a tuple of numbers')
    if (size is None) == (scale_factor is None):
        fail('value', 'either size or scale_factor should be defined' if size is None else
             'only one of size or scale_factor should be defined')
    scales = [None] * axes if scale_factor is None else (
        [scale_factor] * axes if isinstance(scale_factor, (int, float)) else list(scale_factor))
    sizes = per_axis(size, axes) if size is not None else [
        int(math.floor(old * scale)) for old, scale in zip(input.shape[2:], scales)]
    if mode == 'area':
        return adaptive_avg_pool(axes, input, sizes)
    for i in reversed(range(axes)) if mode in AXES else range(axes):
        found = neighbors(mode, input.shape[i - axes], sizes[i], scales[i], align_corners, input.dtype)
        shape = [-1] + [1] * (axes - 1 - i)
        parts = [input.index_select(i - axes, places) if weights is None else
                 input.index_select(i - axes, places) * weights.view(shape) for places, weights in found]
        input = sum(parts[1:], parts[0])
    return history(input, f'Upsample{MODES[mode]}{axes}DBackward1')
