"""How a gradient goes back through an op: a function for each op and operand, which asks by name for what it needs.

grad is the gradient of the result (grads of all results), result what came out, shape the shape of the operand; the
other names are the op's parameters; saved('input') is a value of those that PyTorch keeps in some cases only. Where an
operand was stretched, whoever calls adds the gradient up again. An op that only moves elements needs no function here.
"""
import math

import numpy as np
import torch
import torch.nn.functional as F


def moved(grad, places, shape):
    """Each gradient is added at the place that its element came from, counted from 1; 0 is nobody's."""
    out = torch.zeros(math.prod(shape) + 1, dtype=grad.dtype)
    out.index_add_(0, places.reshape(-1), grad.reshape(-1))
    return out[1:].view(shape)


def spread(grad, dim, keepdim, shape):
    """The gradient of what was reduced along dim, beside every element."""
    if dim is None or dim == () or dim == []:
        return grad.expand(shape) if keepdim is None or not keepdim else grad.view([1] * len(shape)).expand(shape)
    if not keepdim:
        dims = dim if isinstance(dim, (tuple, list)) else (dim,)
        for place in sorted(d % max(len(shape), 1) for d in dims):
            grad = grad.unsqueeze(place) if len(shape) > 0 else grad
    return grad.expand(shape)


# ---- moves that are frequent ----

def view__input(grad, shape): return grad.reshape(shape)
def view_as__input(grad, shape): return grad.reshape(shape)
def reshape__input(grad, shape): return grad.reshape(shape)
def reshape_as__input(grad, shape): return grad.reshape(shape)
def flatten__input(grad, shape): return grad.reshape(shape)
def unflatten__input(grad, shape): return grad.reshape(shape)
def ravel__input(grad, shape): return grad.reshape(shape)
def squeeze__input(grad, shape): return grad.reshape(shape)
def unsqueeze__input(grad, shape): return grad.reshape(shape)
def transpose__input(grad, dim0, dim1): return grad.transpose(dim0, dim1)
def t__input(grad): return grad.t()
def mT__input(grad): return grad.mT
def T__input(grad): return grad.T
def expand__input(grad): return grad
def expand_as__input(grad): return grad
def broadcast_to__input(grad): return grad
def contiguous__input(grad): return grad
def clone__input(grad): return grad


def permute__input(grad, dims):
    dims = [d % grad.dim() for d in dims]
    return grad.permute([dims.index(i) for i in range(len(dims))])


def gather__input(grad, input, dim, index): return torch.zeros_like(input).scatter_add(dim, index, grad)


def index__input(grad, items, shape):
    out = torch.zeros(shape, dtype=grad.dtype)
    if not any_tensor(items):
        out[items] = grad
        return out
    return moved(grad, torch.arange(1, math.prod(shape) + 1).view(shape)[items], shape)


def any_tensor(items):
    items = items if isinstance(items, tuple) else (items,)
    return any(isinstance(item, (torch.Tensor, list, np.ndarray)) for item in items)


def select__input(grad, dim, index, shape):
    out = torch.zeros(shape, dtype=grad.dtype)
    out.select(dim, index).copy_(grad)
    return out


def cat__tensors(grad, tensors, dim):
    sizes = [0 if t.shape == (0,) else t.shape[dim] for t in tensors]
    parts = grad.split(sizes, dim)
    return [part.reshape(t.shape) for part, t in zip(parts, tensors)]


def split__tensor(grads, split_size, split_size_or_sections, dim, shape):
    sizes = split_size if split_size is not None else split_size_or_sections
    sizes = list(sizes) if isinstance(sizes, (tuple, list)) else [sizes]
    if sum(sizes) != shape[dim]:
        sizes = [min(sizes[0], shape[dim] - at) for at in range(0, shape[dim], sizes[0])]
    given = next(grad for grad in grads if grad is not None)
    return torch.cat([torch.zeros([size if i == dim % len(shape) else n for i, n in enumerate(shape)], dtype=given.dtype)
                      if grad is None else grad for grad, size in zip(grads, sizes)], dim)


def chunk__input(grads, chunks, dim, shape): return split__tensor(grads, -(-shape[dim] // chunks), None, dim, shape)


def unbind__input(grads, dim):
    given = next(grad for grad in grads if grad is not None)
    return torch.stack([torch.zeros_like(given) if grad is None else grad for grad in grads], dim)


def meshgrid__tensors(grads, tensors, indexing):
    swaps = indexing == 'xy' and len(tensors) > 1
    grads = [grad.transpose(0, 1) if swaps and grad is not None else grad for grad in grads]
    return [None if grad is None else grad.movedim(i, 0).reshape(t.numel(), -1).sum(1).view(t.shape)
            for i, (grad, t) in enumerate(zip(grads, tensors))]


def broadcast_tensors__tensors(grads): return list(grads)
def stack__tensors(grad, dim): return list(grad.unbind(dim))


def embedding__weight(grad, input, weight, padding_idx, scale_grad_by_freq, shape):
    out, ids, rows = torch.zeros(shape, dtype=grad.dtype), input.reshape(-1), grad.reshape(input.numel(), shape[1])
    if scale_grad_by_freq:
        rows = rows / torch.bincount(ids)[ids].unsqueeze(1)
    out.index_add_(0, ids, rows)
    if padding_idx is not None:
        out[padding_idx] = 0
    return out


def pad__input(grad, pad, mode, shape):
    if mode == 'constant':
        return F.pad(grad, [-size for size in pad])
    places = torch.arange(1, math.prod(shape) + 1, dtype=torch.float64).view(shape)
    return moved(grad, F.pad(places, pad, mode).long(), shape)


def logcumsumexp__input(grad, input, result, dim):
    if grad.dim() == 0 or grad.numel() == 0:
        return grad
    size, lowest = grad.abs().log(), torch.finfo(grad.dtype).min

    def share(is_there):
        logs = size.masked_fill(~is_there, lowest) - result
        return (logs.flip(dim).logcumsumexp(dim).flip(dim) + input).exp()
    return share(grad > 0) - share(grad < 0)


def may_not_change(op):
    """What PyTorch keeps for the way back through an op, where its parts or its rule here need less: operands and the
    result, behind the grad_fn's for which it does so, if it depends on the call."""
    if op.startswith('torch.nn.functional.'):
        name = op.rsplit('.', 1)[-1]
        return 'input' if name.startswith(('max_pool', 'avg_pool', 'adaptive')) else {
            'conv1d': 'input weight', 'conv2d': 'input weight', 'unfold': 'input', 'batch_norm': 'input', 'glu': 'input',
            'bilinear': 'input1 input2', 'pad': 'ReflectionPad1DBackward0 ReflectionPad2DBackward0 '
            'ReplicationPad1DBackward0 ReplicationPad2DBackward0 input'}.get(name, '')
    return {'torch.linalg.inv': 'result', 'torch.inverse': 'result', 'torch.linalg.det': 'A result',
            'torch.logdet': 'input', 'torch.slogdet': 'input', 'torch.linalg.slogdet': 'A',
            'torch.linalg.cholesky': 'result', 'torch.linalg.solve': 'A result', 'torch.linalg.qr': 'result',
            'torch.cdist': 'x1 x2 result', 'torch.dist': 'input other result', 'torch.hypot': 'result',
            'torch.cummax': 'input', 'torch.cummin': 'input', 'torch.nansum': 'input', 'torch.nanmean': 'input',
            'torch.masked_select': 'input', 'torch.take_along_dim': 'input', 'torch.index_copy': 'source',
            'torch.scatter_reduce': 'input src result', 'torch.lerp': 'LerpBackward1 input end weight'}.get(op, '')


# ---- changed in place: what was there before, and what came in ----

def copy_slices__input(grad, size, stride, storage_offset):
    places = torch.arange(grad.numel()).as_strided(size, stride, storage_offset).reshape(-1)
    return grad.reshape(-1).index_fill(0, places, 0).view(grad.shape)


def copy_slices__view(grad, size, stride, storage_offset):
    return grad.reshape(-1)[torch.arange(grad.numel()).as_strided(size, stride, storage_offset)]


def index_put__input(grad, items):
    out = grad.clone()
    out[items] = 0
    return out


def index_put__value(grad, items): return grad[items]
def copy___input(grad): return torch.zeros_like(grad)
def zero___input(grad): return torch.zeros_like(grad)
def fill___input(grad): return torch.zeros_like(grad)
def fill___value(grad): return grad.sum()
def copy___other(grad): return grad


def scatter__input(grad, dim, index, reduce):
    if reduce is not None:
        refuse("unsupported.gradient", 'op', f'scatter with reduce={reduce!r}', 'operand', 'input')
    return grad.scatter(dim, index, 0)


def scatter__src(grad, dim, index): return grad.gather(dim, index)
def scatter_add__input(grad): return grad
def scatter_add__src(grad, dim, index): return grad.gather(dim, index)


def take__input(grad, input, index):
    places = index.reshape(-1) % max(input.numel(), 1)  # some count from the end
    out = torch.zeros(input.numel(), dtype=grad.dtype).index_add(0, places, grad.reshape(-1))
    return out.reshape(input.shape)


def index_add__input(grad): return grad
def index_add__source(grad, source, dim, index, alpha): return grad.index_select(dim, index) * alpha
def index_copy__input(grad, dim, index): return grad.index_fill(dim, index, 0)
def index_copy__source(grad, dim, index): return grad.index_select(dim, index)
def index_fill__input(grad, dim, index): return grad.index_fill(dim, index, 0)


# ---- types ----

def float__input(grad): return grad
def double__input(grad): return grad
def half__input(grad): return grad
def bfloat16__input(grad): return grad
def to__input(grad): return grad
def type__input(grad): return grad
def type_as__input(grad): return grad


# ---- arithmetic ----

def add__input(grad): return grad
def add__other(grad, alpha): return grad if alpha == 1 else grad * alpha
def sub__input(grad): return grad
def sub__other(grad, alpha): return -grad if alpha == 1 else grad * -alpha
def mul__input(grad, other): return grad * other
def mul__other(grad, input): return grad * input


def div__input(grad, other, rounding_mode):
    return torch.zeros_like(grad) if rounding_mode else grad / other


def div__other(grad, input, other, rounding_mode):
    return torch.zeros_like(grad) if rounding_mode else -grad * ((input / other) / other)


def true_divide__input(grad, other): return grad / other
def true_divide__other(grad, input, other): return -grad * ((input / other) / other)
def remainder__input(grad): return grad
def remainder__other(grad, input, other): return -grad * torch.div(input, other, rounding_mode='floor')
def fmod__input(grad): return grad
def fmod__other(grad, input, other): return -grad * torch.div(input, other, rounding_mode='trunc')


def pow__input(grad, input, exponent, saved):
    if isinstance(exponent, torch.Tensor):
        saved('result')
        return torch.where(exponent == 0, torch.zeros_like(grad), grad * (exponent * input.pow(exponent - 1)))
    return torch.zeros_like(grad) if exponent == 0 else grad * (exponent * input.pow(exponent - 1))


def pow__exponent(grad, input, exponent, result):
    base = torch.as_tensor(input)
    zero = (base == 0) & (exponent >= 0)
    return grad * torch.where(zero, torch.zeros_like(result), result * base.log())


def square__input(grad, input): return grad * (2 * input)
def neg__input(grad): return -grad
def abs__input(grad, input): return grad * input.sign()
def exp__input(grad, result): return grad * result
def exp2__input(grad, result): return grad * result * math.log(2)
def expm1__input(grad, result): return grad * (result + 1)
def log__input(grad, input): return grad / input
def log2__input(grad, input): return grad / (input * math.log(2))
def log10__input(grad, input): return grad / (input * math.log(10))
def log1p__input(grad, input): return grad / (input + 1)
def sqrt__input(grad, result): return grad / (2 * result)
def rsqrt__input(grad, result): return -0.5 * grad * result.pow(3)
def reciprocal__input(grad, result): return -grad * (result * result)
def sin__input(grad, input): return grad * input.cos()
def cos__input(grad, input): return grad * -input.sin()
def tan__input(grad, result): return grad * (1 + result.pow(2))
def tanh__input(grad, result): return grad * (1 - result * result)
def sinh__input(grad, input): return grad * input.cosh()
def cosh__input(grad, input): return grad * input.sinh()
def atan__input(grad, input): return grad / (input * input + 1)
def asin__input(grad, input): return grad * (-input * input + 1).rsqrt()
def acos__input(grad, input): return grad * -(-input * input + 1).rsqrt()
def atan2__input(grad, input, other): return grad * other / (input * input + other * other)
def atan2__other(grad, input, other): return grad * -input / (input * input + other * other)
def erfinv__input(grad, input): return grad * (0.5 * math.sqrt(math.pi)) * torch.exp(input.erfinv().square())
def sigmoid__input(grad, result): return grad * (1 - result) * result
def logit__input(grad, input, eps):
    slope = torch.where((input == 0) | (input == 1), grad * math.inf, grad / (input * (1 - input)))
    if eps is None or eps < 0:
        return slope.masked_fill((input < 0) | (input > 1), math.nan)
    return slope.masked_fill((input < eps) | (input > 1 - eps), 0)


def nan_to_num__input(grad, input): return grad * input.isfinite()
def logsigmoid__input(grad, input): return grad * torch.sigmoid(-input)
def softplus__input(grad, input, beta, threshold):
    return torch.where(input * beta > threshold, grad, grad * torch.sigmoid(input * beta))
def relu__input(grad, result): return grad.masked_fill(result <= 0, 0)


def leaky_relu__input(grad, input, negative_slope):
    return torch.where(input > 0, grad, grad * negative_slope)


def elu__input(grad, input, alpha):
    return torch.where(input <= 0, grad * alpha * input.exp(), grad)


def selu__input(grad, input):
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    below = (torch.tensor(alpha, dtype=grad.dtype) * torch.tensor(scale, dtype=grad.dtype)).item()
    return torch.where(input <= 0, grad * below * input.exp(), grad * scale)


def celu__input(grad, input, alpha):
    inner = 1 / torch.tensor(alpha, dtype=torch.float32).item()  # of a float64, too
    return torch.where(input <= 0, grad * inner * alpha * torch.exp(input * inner), grad)


def silu__input(grad, input):
    share = torch.sigmoid(input)
    return grad * share * torch.addcmul(torch.ones_like(input), input, 1 - share)


def mish__input(grad, input):
    inner = torch.tanh(F.softplus(input))
    return grad * (inner + input * torch.sigmoid(input) * (1 - inner * inner))


def erf__input(grad, input): return grad * (2 / math.sqrt(math.pi)) * torch.exp(-input * input)
def deg2rad__input(grad): return grad * (math.pi / 180)
def rad2deg__input(grad): return grad * (180 / math.pi)
def floor__input(grad): return torch.zeros_like(grad)
def ceil__input(grad): return torch.zeros_like(grad)
def trunc__input(grad): return torch.zeros_like(grad)
def round__input(grad): return torch.zeros_like(grad)
def sign__input(grad): return torch.zeros_like(grad)
def sgn__input(grad, result): return torch.zeros_like(grad)  # PyTorch keeps the result, and misses it when it is gone
def frac__input(grad): return grad


def gelu__input(grad, input, approximate):
    if approximate == 'tanh':
        k = math.sqrt(2 / math.pi)
        inner = torch.tanh(k * (input + 0.044715 * input.pow(3)))
        slope = k * (1 + 3 * 0.044715 * input * input)
        return grad * (0.5 * (1 + inner) + 0.5 * input * (1 - inner * inner) * slope)
    return grad * as_op('op.gelu_slope', input)


def clamp__min(grad, input, min, max):
    return where(input < min if max is None else (input < min) & (min < max), grad)


def clamp__max(grad, input, min, max):
    return where(input > max if min is None else (input > max) | (max < min), grad)


def clamp__input(grad, input, min, max):
    inside = torch.ones_like(input, dtype=torch.bool)
    if min is not None:
        inside = inside & (input >= min)
    if max is not None:
        inside = inside & (input <= max)
    return where(inside, grad)


def where(condition, grad):
    """0 elsewhere, also where the gradient is NaN."""
    return grad.masked_fill(~condition, 0)


def sinc__input(grad, input):
    turned, below = input * math.pi, input * input * math.pi
    slopes = (turned * turned.cos() - turned.sin()) / below
    return torch.where(below == 0, torch.zeros_like(grad), grad * slopes)


def xlogy__input(grad, input, other):
    outside = other <= 0 if isinstance(other, torch.Tensor) else not other > 0
    return torch.xlogy(grad, other).masked_fill((input == 0) & outside, 0)


def xlogy__other(grad, input, other): return grad * input / other


def clamp_min__input(grad, input, min): return where(input >= min, grad)
def clamp_max__input(grad, input, max): return where(input <= max, grad)
def hardtanh__input(grad, input, min_val, max_val):
    return where(~((input <= min_val) | (input >= max_val)), grad)
def threshold__input(grad, input, threshold): return where(~(input <= threshold), grad)
def hardshrink__input(grad, input, lambd): return where(~((input >= -lambd) & (input <= lambd)), grad)
softshrink__input = hardshrink__input
def hardsigmoid__input(grad, input): return where((input > -3) & (input < 3), grad * (1 / 6))


def hardswish__input(grad, input):
    return torch.where(input < -3, torch.zeros_like(grad), torch.where(input <= 3, grad * (input / 3 + 0.5), grad))


def relu6__input(grad, input): return where(~((input <= 0) | (input >= 6)), grad)


def larger(grad, mine, other):
    return torch.where(mine == other, grad / 2, grad).masked_fill(mine < other, 0)


def maximum__input(grad, input, other): return larger(grad, input, other)
def maximum__other(grad, input, other): return larger(grad, other, input)
def minimum__input(grad, input, other): return larger(grad, other, input)
def minimum__other(grad, input, other): return larger(grad, input, other)
def fmax__input(grad, input, other): return where((input >= other) | other.isnan(), grad)
def fmax__other(grad, input, other): return where(~((input >= other) | other.isnan()), grad)
def fmin__input(grad, input, other): return where((input <= other) | other.isnan(), grad)
def fmin__other(grad, input, other): return where(~((input <= other) | other.isnan()), grad)
def logaddexp__input(grad, input, other): return grad / (1 + torch.exp(other - input))
def logaddexp__other(grad, input, other): return grad / (1 + torch.exp(input - other))


def masked_fill__input(grad, mask): return grad.masked_fill(mask, 0)
def masked_fill__value(grad, mask): return torch.where(mask, grad, torch.zeros_like(grad)).sum()
def where__input(grad, condition): return torch.where(condition, grad, torch.zeros_like(grad))
def where__other(grad, condition): return torch.where(condition, torch.zeros_like(grad), grad)
def tril__input(grad, diagonal): return grad.tril(diagonal)
def triu__input(grad, diagonal): return grad.triu(diagonal)
def addcmul__input(grad): return grad
def addcmul__tensor1(grad, tensor2, value): return grad * (tensor2 * value)
def addcmul__tensor2(grad, tensor1, value): return grad * (tensor1 * value)
def addcdiv__input(grad): return grad
def addcdiv__tensor1(grad, tensor2, value):
    if not tensor2.is_floating_point():
        fail('runtime', "result type Float can't be cast to the desired output type Long")
    return grad * (value / tensor2)


def addcdiv__tensor2(grad, tensor1, tensor2, value): return -grad * (value * tensor1) / (tensor2 * tensor2)
def normalize__input(grad, scale): return grad * scale
def normalize__mean(grad, scale): return -(grad * scale)
def normalize__scale(grad, input, mean): return grad * (input - mean)
def normalize__bias(grad): return grad

def rows_of(x, normalized_shape):
    return x.reshape(-1, math.prod(normalized_shape))


def layer_norm__input(grad, input, weight, normalized_shape, kept, shape):
    if input.numel() == 0:
        return torch.zeros(shape, dtype=grad.dtype)
    g, x = rows_of(grad, normalized_shape), rows_of(input, normalized_shape)
    mean, scale = [each.reshape(-1) for each in kept]
    w = torch.ones_like(x) if weight is None else weight.reshape(1, -1).expand(x.shape)
    share = 1 / x.shape[1]
    with_x = sums_of_products('op.row_bmm', *((g, x) if weight is None else (g * x, w))).view(-1)
    alone = sums_of_products('op.row_bmm', g, w).view(-1)
    slope = torch.addcmul(-with_x, alone, mean) * scale * scale * scale * share
    offset = torch.addcmul(-(alone * scale * share), -slope, mean)
    through = scale.unsqueeze(1) * g * w
    return (torch.addcmul(through, slope.unsqueeze(1), x) + offset.unsqueeze(1)).reshape(shape)


def layer_norm__weight(grad, input, normalized_shape, kept, shape):
    if input.numel() == 0:
        return torch.zeros(shape, dtype=grad.dtype)
    g, x = rows_of(grad, normalized_shape), rows_of(input, normalized_shape)
    mean, scale = [each.reshape(-1, 1) for each in kept]
    normalized = as_op('op.normalize', x, mean, scale)
    return as_op('op.column_bmm', g.t().unsqueeze(1), normalized.t().unsqueeze(2)).reshape(shape)


def layer_norm__bias(grad, normalized_shape, shape):
    if grad.numel() == 0:
        return torch.zeros(shape, dtype=grad.dtype)
    return as_op('op.row_sum', rows_of(grad, normalized_shape), 0).reshape(shape)


def beside_features(x):
    return [i for i in range(x.dim()) if i != 1]


def batch_norm__input(grad, input, weight, training, kept):
    mean, scale = kept
    w = 1 if weight is None else weight.view([-1] + [1] * (input.dim() - 2))
    if not training:
        return grad * scale * w
    count = input.numel() // input.size(1)
    alone = grad.sum(beside_features(grad), keepdim=True) / count
    slope = with_input(grad, input, mean) * scale * scale / count
    return (grad - alone - (input - mean) * slope) * scale * w


def with_input(grad, input, mean):
    return ((input - mean) * grad).sum(beside_features(grad), keepdim=True)


def batch_norm__weight(grad, input, kept, shape):
    mean, scale = kept
    return (with_input(grad, input, mean) * scale).reshape(shape)


def batch_norm__bias(grad, shape):
    return grad.sum(beside_features(grad)).reshape(shape)


def lerp__input(grad, weight): return grad * (1 - weight)
def lerp__end(grad, weight): return grad * weight
def lerp__weight(grad, input, end): return grad * (end - input)
def dropout__input(grad, kept): return grad * (0 if kept is None else kept)


# ---- sums ----

def sum__input(grad, dim, keepdim, shape): return spread(grad, dim, keepdim, shape)


def count_along(dim, shape):
    if dim is None or dim == () or dim == []:
        return math.prod(shape)
    return math.prod(shape[d] for d in (dim if isinstance(dim, (tuple, list)) else (dim,))) if len(shape) > 0 else 1


def mean__input(grad, dim, keepdim, shape, saved=None):
    if dim is not None and saved is not None:
        saved('input')
    return spread(grad, dim, keepdim, shape) / count_along(dim, shape)


def var__input(grad, input, dim, unbiased, correction, keepdim, shape):
    dims = tuple(range(len(shape))) if dim is None else dim
    count = count_along(dim, shape)
    less = correction if correction is not None else (0 if unbiased is False else 1)
    scale = 2.0 / (count - less) if count != less else math.inf
    return scale * spread(grad, dim, keepdim, shape) * (input - input.mean(dims, keepdim=True))


def std__input(grad, input, result, dim, unbiased, correction, keepdim, shape):
    scaled = (grad / (2 * result)).masked_fill(result == 0, 0)
    return var__input(scaled, input, dim, unbiased, correction, keepdim, shape)


def var_mean__input(grads, input, dim, unbiased, correction, keepdim, shape):
    var, mean = grads
    return ((0 if var is None else var__input(var, input, dim, unbiased, correction, keepdim, shape))
            + (0 if mean is None else mean__input(mean, dim, keepdim, shape)))


def std_mean__input(grads, input, result, dim, unbiased, correction, keepdim, shape):
    std, mean = grads
    return ((0 if std is None else std__input(std, input, result, dim, unbiased, correction, keepdim, shape))
            + (0 if mean is None else mean__input(mean, dim, keepdim, shape)))


def shared_by(is_chosen, grad, dim):
    """Evenly."""
    dims = tuple(range(is_chosen.dim())) if dim is None or dim == () else dim
    return grad * is_chosen / is_chosen.sum(dims, keepdim=True)


def extreme(grad, input, result, dim, keepdim, shape):
    return shared_by(input == spread(result, dim, keepdim, shape), spread(grad, dim, keepdim, shape), dim)


def amax__input(grad, input, result, dim, keepdim, shape): return extreme(grad, input, result, dim, keepdim, shape)
def amin__input(grad, input, result, dim, keepdim, shape): return extreme(grad, input, result, dim, keepdim, shape)


def chosen_by_index(grad, indices, dim, keepdim, shape):
    if not keepdim and len(shape) > 0:
        grad, indices = grad.unsqueeze(dim), indices.unsqueeze(dim)
    return torch.zeros(shape, dtype=grad.dtype).scatter_add_(dim, indices, grad)


max_with_indices__input = min_with_indices__input = median_with_indices__input = chosen_by_index


def extreme_of_all(grad, input, result):
    chosen = (input == result) | (input.isnan() & result.isnan())
    return torch.where(chosen, grad / chosen.sum(), torch.zeros_like(grad))


def max__input(grad, input, other, saved):
    return extreme_of_all(grad, input, saved('result')) if other is None else larger(grad, input, other)


def min__input(grad, input, other, saved):
    return extreme_of_all(grad, input, saved('result')) if other is None else larger(grad, other, input)


def median__input(grad, input, result): return extreme_of_all(grad, input, result)


def topk__input(grad, indices, dim, shape): return chosen_by_index(grad, indices, dim, True, shape)
def sort__input(grad, indices, dim, shape): return chosen_by_index(grad, indices, dim, True, shape)
def msort__input(grad, input, shape): return chosen_by_index(grad, input.argsort(0), 0, True, shape)


def max__other(grad, input, other): return larger(grad, other, input)
def kthvalue__input(grad, indices, dim, keepdim, shape): return chosen_by_index(grad, indices, dim, keepdim, shape)
def min__other(grad, input, other): return larger(grad, input, other)


def norm__input(grad, input, result, p, dim, keepdim, shape):
    length, each = spread(result, dim, keepdim, shape), spread(grad, dim, keepdim, shape)
    if p in ('fro', 2, None):
        return each * (input / length).masked_fill(length == 0, 0)
    if p == 1:
        return input.sign() * each
    if p == math.inf:  # of NaN each that is NaN, which has no sign
        is_chosen = (input.to(length.dtype).abs() == length) | (input.isnan() & length.isnan())
        return input.sign() * shared_by(is_chosen, each, dim)
    if isinstance(p, str) or p < 1:
        refuse("unsupported.gradient", 'op', f'norm with p={p}', 'operand', 'input')
    powers = input.sign() * input.abs().pow(p - 1) if p < 2 else input * input.abs().pow(p - 2)
    return powers * (each / length.pow(p - 1)).masked_fill(length == 0, 0)


def vector_norm__x(grad, x, result, ord, dim, keepdim, shape):
    return norm__input(grad, x, result, ord, dim, keepdim, shape)


def norm__A(grad, A, result, ord, dim, keepdim, shape):
    axes = (0, 1) if dim is None and len(shape) == 2 else dim
    if ord in (1, -1, math.inf, -math.inf) and isinstance(axes, (tuple, list)) and len(axes) == 2:
        summed, compared = axes if abs(ord) == 1 else axes[::-1]
        length, each = spread(result, dim, keepdim, shape), spread(grad, dim, keepdim, shape)
        is_chosen = torch.linalg.vector_norm(A, 1, summed, keepdim=True).expand(shape) == length
        return A.sign() * shared_by(is_chosen, each, compared)
    return norm__input(grad, A, result, ord, dim, keepdim, shape)


def trace__input(grad, shape): return grad * torch.eye(shape[0], shape[1], dtype=grad.dtype)
def cumsum__input(grad, dim): return grad.flip(dim).cumsum(dim).flip(dim)
def implicit_dim(dim, x):
    return dim if dim is not None else 0 if x.dim() in (0, 1, 3) else 1


def sums_of_products(op, a, b):
    return as_op(op, a.reshape(-1, 1, a.shape[-1]), b.reshape(-1, b.shape[-1], 1)).view(*a.shape[:-1], 1)


def products_along(a, b, dim):
    """The sums of a * b along dim, which stays with size 1, in the order of softmax's way back."""
    if a.dim() == 0 or a.numel() == 0:
        return (a * b).sum(dim, keepdim=True)
    if dim % a.dim() == a.dim() - 1:
        return sums_of_products('op.row_bmm', a, b)
    return sums_of_products('op.column_bmm', a.transpose(dim, -1), b.transpose(dim, -1)).transpose(dim, -1)


def softmax__input(grad, result, dim):
    return (grad - products_along(grad, result, implicit_dim(dim, grad))) * result


def log_softmax__input(grad, result, dim):
    sums = products_along(grad, torch.ones_like(grad), implicit_dim(dim, grad))
    return torch.addcmul(grad, -result.exp(), sums)


def logsumexp__input(grad, input, result, dim, keepdim, shape):
    return spread(grad, dim, keepdim, shape) * torch.exp(input - spread(result, dim, keepdim, shape))


def before(x, dim):
    """The product of the elements before each one."""
    ones = torch.ones_like(x.narrow(dim, 0, 1))
    return torch.cat([ones, x.narrow(dim, 0, x.shape[dim] - 1)], dim).cumprod(dim)


def prod__input(grad, input, result, dim, keepdim, shape):
    if input.dim() == 0:
        return grad
    zeros = (input == 0).sum()
    if zeros == 0:
        return spread(grad * result, dim, keepdim, shape) / input
    if zeros > 1 and dim is None:
        return torch.zeros(shape, dtype=grad.dtype)
    x, along = (input.reshape(-1), 0) if dim is None else (input, dim)
    others = before(x, along) * before(x.flip(along), along).flip(along)
    return spread(grad, dim, keepdim, shape) * others.view(shape)


def cumprod__input(grad, input, result, dim):
    if input.dim() == 0:
        return grad
    if not (input == 0).any():
        return (grad * result).flip(dim).cumsum(dim).flip(dim) / input
    out = torch.zeros_like(input)
    for i in range(input.shape[dim]):  # by each element: the products without it, from there on
        others = input.clone()
        others.select(dim, i).fill_(1)
        rest = input.shape[dim] - i
        slope = (grad * others.cumprod(dim)).narrow(dim, i, rest).sum(dim)
        out.select(dim, i).copy_(slope)
    return out


# ---- losses ----

def share(losses, reduction, size_average=None, reduce=None):
    """How much the loss of one element counts in the whole."""
    if size_average is not None or reduce is not None:
        reduction = 'none' if reduce is False else 'sum' if size_average is False else 'mean'
    return 1 / max(losses.numel(), 1) if reduction == 'mean' else 1


def weighed(grads, weight, *how):
    """Of a likelihood: PyTorch divides last."""
    if weight is not None:
        grads = grads * weight
    return grads / grads.numel() if share(grads, *how) != 1 else grads


def check_types(input, target):
    """What has another type is taken by the loss, and refused on the way back."""
    if target.dtype != input.dtype:
        found, expected = (x.type().removeprefix('torch.').removesuffix('Tensor') for x in (target, input))
        fail('runtime', f'Found dtype {found} but expected {expected}', say("rule.bce.type"))


def mse_loss__input(grad, input, target, reduction, size_average, reduce):
    check_types(input, target)
    difference = input - target
    return 2 * share(difference, reduction, size_average, reduce) * difference * grad


def mse_loss__target(grad, input, target, reduction, size_average, reduce):
    return mse_loss__input(grad, target, input, reduction, size_average, reduce)


def smooth_l1_loss__input(grad, input, target, reduction, size_average, reduce, beta):
    x = input.to(grad.dtype) - target.to(grad.dtype)
    unit = share(x, reduction, size_average, reduce)
    line, bend = unit * grad, unit * x * grad / beta if beta else x
    return torch.where(x <= -beta, -line, torch.where(x >= beta, line, bend))


def smooth_l1_loss__target(grad, input, target, reduction, size_average, reduce, beta):
    return smooth_l1_loss__input(grad, target, input, reduction, size_average, reduce, beta)


def huber_loss__input(grad, input, target, reduction, delta):
    check_types(input, target)
    x = input - target
    unit = share(x, reduction)
    line = unit * grad * delta
    return torch.where(x <= -delta, -line, torch.where(x >= delta, line, unit * x * grad))


def huber_loss__target(grad, input, target, reduction, delta):
    return huber_loss__input(grad, target, input, reduction, delta)


def binary_cross_entropy__input(grad, input, target, weight, reduction, size_average, reduce):
    slopes = grad * (input - target) / torch.clamp((1 - input) * input, min=1e-12)
    return weighed(slopes, weight, reduction, size_average, reduce)


def binary_cross_entropy__target(grad, input, weight, reduction, size_average, reduce):
    return weighed(grad * ((1 - input).log() - input.log()), weight, reduction, size_average, reduce)


def binary_cross_entropy_with_logits__input(grad, input, target, weight, pos_weight, reduction, size_average, reduce):
    if pos_weight is None:
        slopes = input.sigmoid() - target
    else:
        t = pos_weight * target
        slopes = (t + 1 - target) * input.sigmoid() - t
    return weighed(slopes * grad, weight, reduction, size_average, reduce)


def binary_cross_entropy_with_logits__target(grad, input, weight, pos_weight, reduction, size_average, reduce):
    slopes = -input if pos_weight is None else F.logsigmoid(-input) - F.logsigmoid(input) * pos_weight
    return weighed(slopes * grad, weight, reduction, size_average, reduce)


# ---- products ----

def matmul__input(grad, shape, other):
    if other.dim() == 1:
        return grad.unsqueeze(-1) * other
    if len(shape) == 1:
        return (grad.unsqueeze(-2) @ other.transpose(-1, -2)).squeeze(-2)
    return grad @ other.transpose(-1, -2)


def matmul__other(grad, shape, input):
    if input.dim() == 1:
        return input.unsqueeze(-1) * grad.unsqueeze(-2) if len(shape) > 1 else input * grad
    if len(shape) == 1:
        return (input.transpose(-1, -2) @ grad.unsqueeze(-1)).squeeze(-1)
    if len(shape) == 2 and input.dim() > 2:
        return input.flatten(0, -2).t() @ grad.flatten(0, -2)
    return input.transpose(-1, -2) @ grad


def mm__input(grad, mat2): return grad @ mat2.t()
def mm__mat2(grad, input): return input.t() @ grad
def bmm__input(grad, mat2): return grad @ mat2.transpose(1, 2)
def bmm__mat2(grad, input): return input.transpose(1, 2) @ grad
def dot__input(grad, tensor): return grad * tensor
def dot__tensor(grad, input): return grad * input
def mv__input(grad, vec): return grad.unsqueeze(-1) * vec
def mv__vec(grad, input): return input.t() @ grad


# ---- by the program itself ----

def function__args(kept, grads):
    """What backward() of a torch.autograd.Function gives for each argument of its forward()."""
    cls, ctx = kept
    name = cls.__name__ + 'Backward'
    if ctx.materializes:
        grads = [torch.zeros(made[0], dtype=made[1]) if grad is None and made is not None else grad
                 for grad, made in zip(grads, ctx.results)]
    given = cls.backward(ctx, *grads)
    given = given if isinstance(given, tuple) else (given,)
    if len(given) < len(ctx.shapes) or any(grad is not None for grad in given[len(ctx.shapes):]):
        fail('runtime', f'function {name} returned an incorrect number of gradients (expected {len(ctx.shapes)}, '
             f'got {len(given)})')
    for grad in given:
        if grad is not None and not isinstance(grad, torch.Tensor):
            fail('runtime', f'expected Variable or None (got {type(grad).__name__})')
    for place, (grad, shape) in enumerate(zip(given, ctx.shapes)):
        if grad is not None and shape is None:
            fail('runtime', f'function {name} returned a gradient different than None at position {place + 1}, '
                 'but the corresponding forward input was not a Variable')
    for place, (grad, shape) in enumerate(zip(given, ctx.shapes)):
        sizes = shape if grad is None else list(grad.shape)
        fits = grad is None or len(shape) <= len(sizes) and all(
            size in (1, stretched) for size, stretched in zip(reversed(shape), reversed(sizes)))
        if not fits:
            fail('runtime', f'Function {name} returned an invalid gradient at index {place} - got {sizes} '
                 f'but expected shape compatible with {shape}')
    return given
