"""Pooling, and nearest elements: windows of the last axes, reduced."""
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


def windows(input, axes, kernel_size, stride, padding, value, least=0):
    """The windows as a new last axis."""
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
            fail('shape', 'Output size is too small')
        input = input.unfold(-axes, size, step)
    return input.flatten(-axes)


def max_pool(axes, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    if any(step != 1 for step in per_axis(dilation, axes)) or ceil_mode or return_indices:
        refuse("unsupported.pooling")
    return windows(input, axes, kernel_size, stride, padding, -math.inf).amax(-1)


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


def interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias):
    axes = input.dim() - 2
    if mode != 'nearest' or recompute_scale_factor or antialias or axes not in (1, 2, 3):
        refuse("unsupported.interpolate", 'mode', repr(mode))
    if align_corners is not None:
        fail('value', 'align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic '
             '| trilinear')
    if isinstance(scale_factor, torch.Tensor):
        raise TypeError('scale_factor must be a number or a tuple of numbers')
    if (size is None) == (scale_factor is None):
        fail('value', 'either size or scale_factor should be defined' if size is None else
             'only one of size or scale_factor should be defined')
    for i in range(axes):
        old = input.shape[i - axes]
        scale = None if size is not None else (scale_factor if isinstance(scale_factor, (int, float)) else
                                               scale_factor[i])
        new = per_axis(size, axes)[i] if scale is None else int(math.floor(old * scale))
        step = old / new if scale is None else 1 / scale
        places = [min(int(place * step), old - 1) for place in range(new)]
        input = input.index_select(i - axes, torch.tensor(places))
    return history(input, f'UpsampleNearest{axes}DBackward0')
