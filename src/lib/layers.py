"""Layers that look at what they are given longer than they compute: losses, convolutions, nn.Unflatten."""
import math
import warnings

import torch
from torch import nn
from torch.nn import functional as F


# ---- losses ----

def keep_reduction(loss, size_average, reduce, reduction):
    if size_average is not None or reduce is not None:  # how it was said before `reduction`
        warnings.warn('size_average and reduce args will be deprecated, please use reduction=')
        reduction = 'none' if reduce is False else 'sum' if size_average is False else 'mean'
    loss.reduction = reduction


class CrossEntropyLoss:
    def __init__(self, weight, size_average, ignore_index, reduce, reduction, label_smoothing):
        NLLLoss.__init__(self, weight, size_average, ignore_index, reduce, reduction)
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        return F.cross_entropy(input, target, reduction=self.reduction, weight=self.weight,
                               ignore_index=self.ignore_index, label_smoothing=self.label_smoothing)


class NLLLoss:
    def __init__(self, weight, size_average, ignore_index, reduce, reduction):
        keep_reduction(self, size_average, reduce, reduction)
        register(self, 'weight', weight, 'buffer')
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return F.nll_loss(input, target, reduction=self.reduction, weight=self.weight, ignore_index=self.ignore_index)


class CosineEmbeddingLoss:
    def __init__(self, margin, size_average, reduce, reduction):
        keep_reduction(self, size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


class MarginRankingLoss(CosineEmbeddingLoss):
    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


class TripletMarginLoss:
    def __init__(self, margin, p, eps, swap, size_average, reduce, reduction):
        keep_reduction(self, size_average, reduce, reduction)
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(anchor, positive, negative, self.margin, self.p, self.eps, self.swap,
                                     reduction=self.reduction)


class MSELoss:
    __init__ = keep_reduction

    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss:
    __init__ = keep_reduction

    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)


class KLDivLoss:
    def __init__(self, size_average, reduce, reduction, log_target):
        keep_reduction(self, size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class BCELoss:
    def __init__(self, weight, size_average, reduce, reduction):
        keep_reduction(self, size_average, reduce, reduction)
        register(self, 'weight', weight, 'buffer')

    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss:
    def __init__(self, weight, size_average, reduce, reduction, pos_weight):
        BCELoss.__init__(self, weight, size_average, reduce, reduction)
        register(self, 'pos_weight', pos_weight, 'buffer')

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, self.weight, pos_weight=self.pos_weight,
                                                  reduction=self.reduction)


class SmoothL1Loss:
    def __init__(self, size_average, reduce, reduction, beta):
        keep_reduction(self, size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss:
    def __init__(self, reduction, delta):
        self.reduction = reduction
        self.delta = delta

    def forward(self, input, target):
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class HingeEmbeddingLoss(CosineEmbeddingLoss):
    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class SoftMarginLoss(MSELoss):
    def forward(self, input, target):
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class PoissonNLLLoss:
    def __init__(self, log_input, full, size_average, eps, reduce, reduction):
        keep_reduction(self, size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input, target):
        return F.poisson_nll_loss(log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,
                                  reduction=self.reduction)


class GaussianNLLLoss:
    def __init__(self, full, eps, reduction):
        self.full, self.eps, self.reduction = full, eps, reduction

    def forward(self, input, target, var):
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class MultiMarginLoss:
    def __init__(self, p, margin, weight, size_average, reduce, reduction):
        BCELoss.__init__(self, weight, size_average, reduce, reduction)
        self.p, self.margin = p, margin

    def forward(self, input, target):
        return F.multi_margin_loss(input, target, p=self.p, margin=self.margin, weight=self.weight,
                                   reduction=self.reduction)


class MultiLabelSoftMarginLoss(BCELoss):
    def forward(self, input, target):
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


# ---- pooling ----

def construct_pool(pool, kernel_size, stride, padding):
    pool.kernel_size, pool.padding = kernel_size, padding
    pool.stride = kernel_size if stride is None else stride


class MaxPool1d:
    def __init__(self, kernel_size, stride, padding, dilation, return_indices, ceil_mode):
        construct_pool(self, kernel_size, stride, padding)
        self.dilation, self.return_indices, self.ceil_mode = dilation, return_indices, ceil_mode

    def forward(self, input):
        pool = F.max_pool1d if type(self).__name__ == 'MaxPool1d' else F.max_pool2d
        return pool(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
                    self.return_indices)

    def extra_repr(self):
        return (f'kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, '
                f'dilation={self.dilation}, ceil_mode={self.ceil_mode}')


class MaxPool2d:
    __init__, forward, extra_repr = MaxPool1d.__init__, MaxPool1d.forward, MaxPool1d.extra_repr


class AvgPool1d:
    def __init__(self, kernel_size, stride, padding, ceil_mode, count_include_pad):
        construct_pool(self, *[per_axis(size, 1) if size is not None else None
                               for size in (kernel_size, stride, padding)])
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input):
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                            self.count_include_pad)

    def extra_repr(self):
        return f'kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}'


class AvgPool2d:
    extra_repr = AvgPool1d.extra_repr

    def __init__(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        construct_pool(self, kernel_size, stride, padding)
        self.ceil_mode, self.count_include_pad, self.divisor_override = ceil_mode, count_include_pad, divisor_override

    def forward(self, input):
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                            self.count_include_pad, self.divisor_override)


class AdaptiveAvgPool1d:
    def __init__(self, output_size):
        self.output_size = output_size

    def forward(self, input):
        return F.adaptive_avg_pool1d(input, self.output_size)

    def extra_repr(self):
        return f'output_size={self.output_size}'


class AdaptiveAvgPool2d:
    __init__, extra_repr = AdaptiveAvgPool1d.__init__, AdaptiveAvgPool1d.extra_repr

    def forward(self, input):
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveMaxPool1d:
    extra_repr = AdaptiveAvgPool1d.extra_repr

    def __init__(self, output_size, return_indices):
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, input):
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d:
    __init__, extra_repr = AdaptiveMaxPool1d.__init__, AdaptiveAvgPool1d.extra_repr

    def forward(self, input):
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class Upsample:
    def __init__(self, size, scale_factor, mode, align_corners, recompute_scale_factor):
        self.size, self.mode, self.align_corners = size, mode, align_corners
        self.scale_factor = float(scale_factor) if isinstance(scale_factor, int) else scale_factor

    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self):
        name = 'size' if self.scale_factor is None else 'scale_factor'
        return f'{name}={getattr(self, name)}, mode={self.mode}'


class UpsamplingNearest2d(Upsample):
    def __init__(self, size, scale_factor):
        Upsample.__init__(self, size, scale_factor, 'nearest', None, None)


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size, scale_factor):
        Upsample.__init__(self, size, scale_factor, 'bilinear', True, None)


# ---- convolutions ----

def per_axis(size, axes):
    if isinstance(size, (tuple, str)):
        return size
    return tuple(size) if isinstance(size, list) else (size,) * axes


def check_settings(conv):
    if conv.groups <= 0:
        fail('value', 'groups must be a positive integer')
    for name in ('in_channels', 'out_channels'):
        if getattr(conv, name) % conv.groups:
            fail('value', f'{name} must be divisible by groups')
    if isinstance(conv.padding, str) and conv.padding not in ('same', 'valid'):
        fail('value', f"Invalid padding string {conv.padding!r}, should be one of {{'valid', 'same'}}")
    if conv.padding == 'same' and any(step != 1 for step in conv.stride):
        fail('value', "padding='same' is not supported for strided convolutions")
    for i, size in enumerate(conv.kernel_size):
        if not isinstance(size, int):
            fail('type', "empty(): argument 'size' must be tuple of SymInts, but found element of type "
                 f'{type(size).__name__} at pos {i + 3}')


def check_padding_mode(mode):
    modes = ('zeros', 'reflect', 'replicate', 'circular')
    if mode not in modes:
        fail('value', f"padding_mode must be one of {set(modes)}, but got padding_mode='{mode}'")


def sides(conv):
    """How much is padded before and behind each axis, the last axis first."""
    if isinstance(conv.padding, tuple):
        return [size for size in reversed(conv.padding) for _ in range(2)]
    totals = [0 if conv.padding == 'valid' else gap * (size - 1) for gap, size in zip(conv.dilation, conv.kernel_size)]
    return [size for total in reversed(totals) for size in (total // 2, total - total // 2)]


def padded_conv(conv, input):
    """A convolution of what continues beyond the edges: as in a mirror, as the edge is, or from the other side."""
    function = F.conv1d if len(conv.kernel_size) == 1 else F.conv2d
    return function(F.pad(input, sides(conv), conv.padding_mode), conv.weight, conv.bias, conv.stride, 0, conv.dilation,
                    conv.groups)


def construct_conv(conv, axes, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
                   padding_mode):
    conv.in_channels, conv.out_channels = in_channels, out_channels
    conv.kernel_size, conv.stride = per_axis(kernel_size, axes), per_axis(stride, axes)
    conv.padding, conv.dilation = per_axis(padding, axes), per_axis(dilation, axes)
    conv.groups, conv.padding_mode = groups, padding_mode
    check_settings(conv)
    check_padding_mode(padding_mode)
    inputs = in_channels if groups == 1 else in_channels // groups
    draw_conv(conv, bias, out_channels, inputs, *[size + 0 for size in conv.kernel_size])


def conv_settings(conv):
    text = f'{conv.in_channels}, {conv.out_channels}, kernel_size={conv.kernel_size}, stride={conv.stride}'
    if isinstance(conv.padding, str) or any(conv.padding):
        text += f', padding={conv.padding}'
    if any(step != 1 for step in conv.dilation):
        text += f', dilation={conv.dilation}'
    if conv.groups != 1:
        text += f', groups={conv.groups}'
    if conv.bias is None:
        text += ', bias=False'
    return text if conv.padding_mode == 'zeros' else text + f', padding_mode={conv.padding_mode}'


class Conv1d:
    extra_repr = conv_settings

    def __init__(self, *settings):
        construct_conv(self, 1, *settings[:-2])


class Conv2d:
    extra_repr = conv_settings

    def __init__(self, *settings):
        construct_conv(self, 2, *settings[:-2])


def construct_transpose(self, axes, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias,
                        dilation, padding_mode):
    self.in_channels, self.out_channels = in_channels, out_channels
    self.kernel_size, self.stride = per_axis(kernel_size, axes), per_axis(stride, axes)
    self.padding, self.dilation = per_axis(padding, axes), per_axis(dilation, axes)
    self.output_padding, self.groups, self.padding_mode = per_axis(output_padding, axes), groups, padding_mode
    check_settings(self)
    if padding_mode != 'zeros':
        fail('value', f'Only "zeros" padding mode is supported for ConvTranspose{axes}d')
    weight = torch.empty(in_channels, out_channels // groups, *self.kernel_size)
    nn.init.kaiming_uniform_(weight, a=math.sqrt(5))
    register(self, 'weight', nn.Parameter(weight), 'parameter')
    bound = 1 / math.sqrt(weight[0].numel())
    offset = nn.Parameter(torch.empty(out_channels).uniform_(-bound, bound)) if bias else None
    register(self, 'bias', offset, 'parameter')


def spread(self, function, input, output_size):
    if output_size is not None:
        refuse("unsupported.layer.output_size")
    return function(input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups,
                    self.dilation)


class ConvTranspose1d:
    def __init__(self, *settings):
        construct_transpose(self, 1, *settings[:-2])

    def forward(self, input, output_size=None):
        return spread(self, F.conv_transpose1d, input, output_size)

    def extra_repr(self):
        text = conv_settings(self)
        if not any(self.output_padding):
            return text
        before, groups, after = text.partition(', groups=')
        before, bias, end = before.partition(', bias=') if not groups else (before, groups, after)
        return f'{before}, output_padding={self.output_padding}{bias}{end}'


class ConvTranspose2d(ConvTranspose1d):
    def __init__(self, *settings):
        construct_transpose(self, 2, *settings[:-2])

    def forward(self, input, output_size=None):
        return spread(self, F.conv_transpose2d, input, output_size)


# ---- others ----

def learned(layer, name, size, start, is_there=True):
    register(layer, name, nn.Parameter(torch.full((size,), float(start))) if is_there else None, 'parameter')


class GroupNorm:
    def __init__(self, num_groups, num_channels, eps, affine, device, dtype):
        if num_channels % num_groups:
            fail('value', 'num_channels must be divisible by num_groups')
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        learned(self, 'weight', num_channels, 1, affine)
        learned(self, 'bias', num_channels, 0, affine)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f'{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}'


class PReLU:
    def __init__(self, num_parameters, init, device, dtype):
        self.num_parameters = num_parameters
        learned(self, 'weight', num_parameters, init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f'num_parameters={self.num_parameters}'


class CosineSimilarity:
    def __init__(self, dim, eps):
        self.dim, self.eps = dim, eps

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance:
    def __init__(self, p, eps, keepdim):
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class Bilinear:
    def __init__(self, in1_features, in2_features, out_features, bias, device, dtype):
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        bound = 1 / math.sqrt(in1_features)
        weight = torch.empty(out_features, in1_features, in2_features).uniform_(-bound, bound)
        register(self, 'weight', nn.Parameter(weight), 'parameter')
        offset = nn.Parameter(torch.empty(out_features).uniform_(-bound, bound)) if bias else None
        register(self, 'bias', offset, 'parameter')

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return (f'in1_features={self.in1_features}, in2_features={self.in2_features}, '
                f'out_features={self.out_features}, bias={self.bias is not None}')


class Unfold:
    def __init__(self, kernel_size, dilation, padding, stride):
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return (f'kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, '
                f'stride={self.stride}')


class Fold(Unfold):
    def __init__(self, output_size, kernel_size, dilation, padding, stride):
        self.output_size = output_size
        Unfold.__init__(self, kernel_size, dilation, padding, stride)

    def forward(self, input):
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return f'output_size={self.output_size}, ' + Unfold.extra_repr(self)


class Unflatten:
    def __init__(self, dim, unflattened_size):
        if not isinstance(unflattened_size, (tuple, list)):
            fail('type', f'unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}')
        for i, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                fail('type', 'unflattened_size must be tuple of ints, but found element of type '
                     f'{type(size).__name__} at pos {i}')
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input):
        if not isinstance(input, torch.Tensor):
            fail('type', say("argument.unflatten"))
        dims = input.dim()
        if not -dims <= self.dim < dims:
            fail('index', f'Dimension out of range (expected to be in range of [{-dims}, {dims - 1}], but got '
                 f'{self.dim})')
        at = self.dim % dims
        return input.view((*input.shape[:at], *self.unflattened_size, *input.shape[at + 1:]))


class Embedding:
    def from_pretrained(embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False):
        if not isinstance(embeddings, torch.Tensor) or embeddings.dim() != 2:
            fail('assertion', 'Embeddings parameter is expected to be 2-dimensional')
        rows, columns = embeddings.shape
        layer = nn.Embedding(rows, columns, padding_idx=padding_idx, max_norm=max_norm, norm_type=norm_type,
                             scale_grad_by_freq=scale_grad_by_freq, sparse=sparse, _weight=embeddings)
        layer.weight.requires_grad = not freeze
        return layer
