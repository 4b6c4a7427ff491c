"""Functions and layers of images: whole channels dropped or shifted and scaled, channels as places, edges, places
spread."""
import warnings

import torch
from torch import nn
from torch.nn import functional as F


# ---- whole channels ----

def check_probability(p):
    if not 0 <= p <= 1:
        fail('value', f'dropout probability has to be between 0 and 1, but got {p}')


def feature_dropout(input, p, training):
    if not training or p == 0 or input.numel() == 0:
        return input
    if p == 1:
        return input * torch.zeros((), dtype=input.dtype)
    if input.dim() < 2:
        fail('runtime', 'Feature dropout requires at least 2 dimensions in the input')
    noise = torch.empty([*input.shape[:2], *[1] * (input.dim() - 2)], dtype=input.dtype).bernoulli_(1 - p)
    return input * noise.div_(1 - p)


def in_batch(function, input, is_batch):
    """What a function of batches makes of one that may be alone."""
    return function(input) if is_batch else function(input.unsqueeze(0)).squeeze(0)


def dropped(result, input, inplace):
    return input.copy_(result) if inplace and result is not input else result


def dropout1d(input, p, training, inplace):
    check_probability(p)
    if input.dim() not in (2, 3):
        fail('runtime', f'dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that dropout1d '
             'exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an '
             'optional batch dimension (i.e. 2D or 3D inputs).')
    return dropped(in_batch(lambda x: feature_dropout(x, p, training), input, input.dim() == 3), input, inplace)


def dropout2d(input, p, training, inplace):
    check_probability(p)
    if input.dim() not in (3, 4):
        warnings.warn(f'dropout2d: Received a {input.dim()}-D input to dropout2d, which is deprecated and will result in '
                      'an error in a future release.')
    return dropped(feature_dropout(input, p, training), input, inplace)


def dropout3d(input, p, training, inplace):
    check_probability(p)
    if input.dim() not in (4, 5):
        warnings.warn(f'dropout3d: Received a {input.dim()}-D input to dropout3d, which is deprecated and will result in '
                      'an error in a future release.')
    return dropped(in_batch(lambda x: feature_dropout(x, p, training), input, input.dim() == 5), input, inplace)


class Dropout1d:
    def __init__(self, p, inplace):
        check_probability(p)
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return F.dropout1d(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f'p={self.p}, inplace={self.inplace}'


class Dropout2d(Dropout1d):
    def forward(self, input):
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(Dropout1d):
    def forward(self, input):
        return F.dropout3d(input, self.p, self.training, self.inplace)


def instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps):
    """A batch norm in which each channel of each example is a channel of its own."""
    if use_input_stats and input.shape[2:].numel() == 1:
        fail('value', f'Expected more than 1 spatial element when training, got input size {input.size()}')
    if not use_input_stats and (running_mean is None or running_var is None):
        fail('runtime', 'Expected running_mean and running_var to be defined when use_input_stats is false')
    count, channels = input.size(0), input.size(1)
    each = [None if x is None else x.repeat(count) for x in (running_mean, running_var, weight, bias)]
    alone = input.contiguous().view(1, count * channels, *input.shape[2:])
    out = F.batch_norm(alone, *each, use_input_stats, momentum, eps)
    if use_input_stats:
        for kept, new in zip((running_mean, running_var), each):
            if kept is not None:
                kept.copy_(new.view(count, channels).mean(0))
    return out.view(input.shape)


def normed(layer, input, axes):
    if input.dim() not in (axes + 1, axes + 2):
        fail('value', f'expected {axes + 1}D or {axes + 2}D input (got {input.dim()}D input)')

    def norm(x):
        return F.instance_norm(x, layer.running_mean, layer.running_var, layer.weight, layer.bias,
                               layer.training or not layer.track_running_stats, layer.momentum, layer.eps)
    return in_batch(norm, input, input.dim() == axes + 2)


class InstanceNorm1d:
    def __init__(self, num_features, eps, momentum, affine, track_running_stats, device, dtype):
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        for name, start in (('weight', 1.), ('bias', 0.)):
            register(self, name, nn.Parameter(torch.full((num_features,), start)) if affine else None, 'parameter')
        for name, start in (('running_mean', 0.), ('running_var', 1.)):
            register(self, name, torch.full((num_features,), start) if track_running_stats else None, 'buffer')
        register(self, 'num_batches_tracked', torch.tensor(0) if track_running_stats else None, 'buffer')

    def forward(self, input):
        return normed(self, input, 1)

    def extra_repr(self):
        return (f'{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, '
                f'track_running_stats={self.track_running_stats}')


class InstanceNorm2d(InstanceNorm1d):
    def forward(self, input):
        return normed(self, input, 2)


# ---- channels as places ----

def pixel_shuffle(input, upscale_factor):
    if input.dim() < 3:
        fail('runtime', f'pixel_shuffle expects input to have at least 3 dimensions, but got input with {input.dim()} '
             'dimension(s)')
    if upscale_factor <= 0:
        fail('runtime', f'pixel_shuffle expects a positive upscale_factor, but got {upscale_factor}')
    *batch, channels, rows, columns = input.shape
    if channels % upscale_factor ** 2:
        fail('runtime', "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
             f'upscale_factor, but input.size(-3)={channels} is not divisible by {upscale_factor ** 2}')
    parts = input.reshape(*batch, channels // upscale_factor ** 2, upscale_factor, upscale_factor, rows, columns)
    first = len(batch) + 1
    order = [*range(first), first + 2, first, first + 3, first + 1]
    return parts.permute(order).reshape(*batch, channels // upscale_factor ** 2, rows * upscale_factor,
                                        columns * upscale_factor)


def pixel_unshuffle(input, downscale_factor):
    if input.dim() < 3:
        fail('runtime', f'pixel_unshuffle expects input to have at least 3 dimensions, but got input with {input.dim()} '
             'dimension(s)')
    if downscale_factor <= 0:
        fail('runtime', f'pixel_unshuffle expects a positive downscale_factor, but got {downscale_factor}')
    *batch, channels, rows, columns = input.shape
    for name, size, place in (('height', rows, -2), ('width', columns, -1)):
        if size % downscale_factor:
            fail('runtime', f'pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({place})='
                 f'{size} is not divisible by {downscale_factor}')
    rows, columns = rows // downscale_factor, columns // downscale_factor
    parts = input.reshape(*batch, channels, rows, downscale_factor, columns, downscale_factor)
    first = len(batch) + 1
    order = [*range(first), first + 1, first + 3, first, first + 2]
    return parts.permute(order).reshape(*batch, channels * downscale_factor ** 2, rows, columns)


def channel_shuffle(input, groups):
    if input.dim() < 3:
        fail('runtime', f'channel_shuffle expects input with > 2 dims, but got input with sizes {list(input.shape)}')
    if groups <= 0:
        fail('runtime', f'Number of groups to divide channels in must be positive. Value of groups:{groups}')
    if input.shape[1] % groups:
        fail('runtime', 'Number of channels must be divisible by groups. Got '
             f'{input.shape[1]} channels and {groups} groups.')
    parts = input.reshape(input.shape[0], groups, input.shape[1] // groups, *input.shape[2:])
    return parts.transpose(1, 2).reshape(input.shape).contiguous()


class PixelShuffle:
    def __init__(self, upscale_factor):
        self.upscale_factor = upscale_factor

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f'upscale_factor={self.upscale_factor}'


class PixelUnshuffle:
    def __init__(self, downscale_factor):
        self.downscale_factor = downscale_factor

    def forward(self, input):
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self):
        return f'downscale_factor={self.downscale_factor}'


class ChannelShuffle:
    def __init__(self, groups):
        self.groups = groups

    def forward(self, input):
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self):
        return f'groups={self.groups}'


class Softmax2d:
    def __init__(self):
        pass

    def forward(self, input):
        if input.dim() not in (3, 4):
            fail('assertion', 'Softmax2d requires a 3D or 4D tensor as input')
        return F.softmax(input, -3)


# ---- edges ----

def on_each_side(padding, axes):
    return (padding,) * (2 * axes) if isinstance(padding, int) else tuple(padding)


class ReflectionPad1d:
    def __init__(self, padding):
        self.padding = on_each_side(padding, 1)

    def forward(self, input):
        return F.pad(input, self.padding, 'reflect')

    def extra_repr(self):
        return str(self.padding)


class ReflectionPad2d(ReflectionPad1d):
    def __init__(self, padding):
        self.padding = on_each_side(padding, 2)


class ReplicationPad1d(ReflectionPad1d):
    def forward(self, input):
        return F.pad(input, self.padding, 'replicate')


class ReplicationPad2d(ReplicationPad1d):
    __init__ = ReflectionPad2d.__init__


class ConstantPad1d:
    def __init__(self, padding, value):
        self.padding, self.value = on_each_side(padding, 1), value

    def forward(self, input):
        return F.pad(input, self.padding, 'constant', self.value)

    def extra_repr(self):
        return f'padding={self.padding}, value={self.value}'


class ConstantPad2d(ConstantPad1d):
    def __init__(self, padding, value):
        self.padding, self.value = on_each_side(padding, 2), value


class ZeroPad2d(ConstantPad1d):
    extra_repr = ReflectionPad1d.extra_repr

    def __init__(self, padding):
        self.padding, self.value = on_each_side(padding, 2), 0.


# ---- places spread ----

def along_one_axis(name, size):
    sizes = [size] if isinstance(size, int) else list(size)
    if len(sizes) != 1:
        fail('runtime', f'expected {name} to be a single integer value or a list of 1 values to match the convolution '
             f'dimensions, but got {name}={sizes}')
    return sizes[0]


def conv_transpose1d(input, weight, bias, stride, padding, output_padding, groups, dilation):
    if weight.dim() != 3 or input.dim() not in (2, 3):
        fail('runtime', f'Expected 2D (unbatched) or 3D (batched) input to conv_transpose1d, but got input of size: '
             f'{list(input.shape)}')
    sizes = dict(stride=stride, padding=padding, output_padding=output_padding, dilation=dilation)
    step, pad, more, reach = [along_one_axis(name, size) for name, size in sizes.items()]
    out = F.conv_transpose2d(input.unsqueeze(-2), weight.unsqueeze(-2), bias, (1, step), (0, pad), (0, more), groups,
                             (1, reach)).squeeze(-2)
    return history(out, 'ConvolutionBackward0') if input.dim() == 3 else out
