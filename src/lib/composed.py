"""Functions of torch that are made of other ops: distances, places in order, statistics, matrices."""
import math
from collections import namedtuple

import torch
from torch.nn import functional as F

QR = namedtuple('torch.return_types.linalg_qr', ['Q', 'R'])


def cdist(x1, x2, p, compute_mode):
    for name, x in (('X1', x1), ('X2', x2)):
        if x.dim() < 2:
            fail('shape', f'cdist only supports at least 2D tensors, {name} got: {x.dim()}D')
    if x1.shape[-1] != x2.shape[-1]:
        fail('shape', f'X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}')
    return torch.norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p=p, dim=-1)


# ---- places in order ----

def quantile(input, q, dim, keepdim, interpolation):
    if not input.is_floating_point():
        fail('type', 'quantile() input tensor must be either float or double dtype', '')
    if not isinstance(q, torch.Tensor):
        if not 0 <= q <= 1:
            fail('runtime', f'quantile() q must be in the range [0, 1] but got {q}')
        q = torch.tensor(q, dtype=input.dtype)
    if q.dtype != input.dtype:
        fail('type', 'quantile() q tensor must be same dtype as the input tensor')
    if input.numel() == 0:
        fail('runtime', 'quantile() input tensor must be non-empty')
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
    found = low.lerp(high, weight.flatten().expand_as(low))
    found = found.movedim(-1, 0)
    shape = kept if keepdim else list(x.shape[:-1])
    return found.reshape([*q.shape, *shape])


def searchsorted(sorted_sequence, input, out_int32, right, side, sorter):
    if side == 'left' and right:
        fail('runtime', "torch.searchsorted(): side and right can't be set to opposites, got side of left while right "
             'was True')
    if sorter is not None:
        sorted_sequence = sorted_sequence.gather(-1, sorter)
    if not isinstance(input, torch.Tensor):
        input = torch.tensor(input)
    if sorted_sequence.dim() > 1 and sorted_sequence.shape[:-1] != input.shape[:-1]:
        fail('runtime', 'torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of '
             f'boundaries tensor and input value tensor must match, but we got boundaries tensor '
             f'{list(sorted_sequence.shape)} and input value tensor {list(input.shape)}')
    value = input.unsqueeze(-1)
    row = sorted_sequence if sorted_sequence.dim() == 1 else sorted_sequence.unsqueeze(-2)
    found = (row <= value if right or side == 'right' else row < value).sum(-1)
    return found.int() if out_int32 else found


def bucketize(input, boundaries, out_int32, right):
    if boundaries.dim() != 1:
        fail('runtime', f'boundaries tensor must be 1 dimension, but got dim({boundaries.dim()})')
    return searchsorted(boundaries, input, out_int32, right, None, None)


def unique_consecutive(input, return_inverse, return_counts, dim):
    if dim is not None:
        refuse("unsupported.unique_consecutive")
    flat = input.flatten()
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
    if min == 0 and max == 0:
        min, max = input.min().item(), input.max().item()
    if min == max:
        min, max = min - 1, max + 1
    if min > max:
        fail('runtime', 'torch.histc: max must be larger than min')
    x = input.flatten()
    x = x[(x >= min) & (x <= max)]
    place = ((x - min) / (max - min) * bins).long().clamp(max=bins - 1)
    return torch.zeros(bins, dtype=input.dtype).index_add(0, place, torch.ones_like(x))


def scatter_reduce(input, dim, index, src, reduce, include_self):
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
    return out


# ---- statistics ----

def cov(input, correction, fweights, aweights):
    if fweights is not None or aweights is not None:
        refuse("unsupported.cov")
    if input.dim() > 2:
        fail('runtime', f'cov(): expected input to have two or fewer dimensions but got an input with {input.dim()} '
             'dimensions')
    x = input if input.dim() == 2 else input.reshape(1, -1)
    x = x if x.is_floating_point() else x.float()
    apart = x - x.mean(1, keepdim=True)
    found = apart @ apart.t() / max(x.shape[1] - correction, 0)
    return found.squeeze()


def corrcoef(input):
    c = cov(input, 1, None, None)
    if c.dim() == 0:
        return c / c
    deviation = c.diagonal().sqrt()
    return (c / deviation.unsqueeze(1) / deviation.unsqueeze(0)).clip(-1, 1)


def hypot(input, other):
    return (input * input + other * other).sqrt()


def sinc(input):
    x = input * math.pi
    return torch.where(input == 0, torch.ones_like(x), x.sin() / torch.where(input == 0, torch.ones_like(x), x))


def heaviside(input, values):
    return torch.where(input == 0, values, (input > 0).to(input.dtype))


def hann_window(window_length, periodic, dtype, requires_grad):
    if window_length == 1:
        return torch.ones(1, dtype=dtype)
    last = window_length if periodic else window_length - 1
    angle = torch.arange(window_length, dtype=dtype or torch.float32) * (math.pi * 2 / last)
    return angle.cos() * -0.5 + 0.5


# ---- several tensors ----

def combinations(input, r, with_replacement):
    size, places = input.shape[0], [[]]
    for _ in range(r):
        step = 0 if with_replacement else 1
        places = [[*some, i] for some in places for i in range(some[-1] + step if some else 0, size)]
    return input[torch.tensor(places, dtype=torch.int64).view(-1, r)]


def cartesian_prod(tensors):
    if len(tensors) == 1:
        return tensors[0]
    grids = torch.meshgrid(*tensors, indexing='ij')
    return torch.stack([grid.reshape(-1) for grid in grids], dim=1)


def block_diag(tensors):
    blocks = [x.reshape(1, -1) if x.dim() < 2 else x for x in tensors]
    columns, rows, before = sum([x.shape[1] for x in blocks]), [], 0
    for x in blocks:
        rows.append(F.pad(x, (before, columns - before - x.shape[1])))
        before += x.shape[1]
    return torch.cat(rows)


def rot90(input, k, dims):
    k, dims = k % 4, dims or (0, 1)
    if k == 2:
        return input.flip(*dims)
    if k == 0:
        return input.clone()
    return input.flip(dims[1]).transpose(*dims) if k == 1 else input.transpose(*dims).flip(dims[1])


# ---- matrices ----

def check_square(A, name):
    if A.dim() < 2:
        fail('shape', f'linalg.{name}: The input tensor A must have at least 2 dimensions.')
    if A.shape[-1] != A.shape[-2]:
        fail('shape', f'linalg.{name}: A must be batches of square matrices, but they are {A.shape[-2]} by '
             f'{A.shape[-1]} matrices')
    if not A.is_floating_point():
        fail('type', f'linalg.{name}: Expected a floating point or complex tensor as input. Got {scalar_name(A)}')


def scalar_name(A):
    return {torch.int64: 'Long', torch.int32: 'Int', torch.bool: 'Bool'}.get(A.dtype, str(A.dtype))


def eliminated(A, B):
    """(X, det): A X = B by elimination with the largest pivots, in float64; A is (..., n, n)."""
    A, B = A.double(), B.double()
    n, sign = A.shape[-1], torch.ones(A.shape[:-2], dtype=torch.float64)
    pivots = []
    for i in range(n):
        row = A[..., i:, i].abs().argmax(-1, keepdim=True) + i
        sign = torch.where(row[..., 0] == i, sign, -sign)
        order = torch.arange(n).expand(*A.shape[:-2], n)
        order = order.scatter(-1, row, torch.full_like(row, i))
        order = torch.where(torch.arange(n) == i, row, order).unsqueeze(-1)
        A, B = A.gather(-2, order.expand_as(A)), B.gather(-2, order.expand_as(B))
        pivots.append(A[..., i, i])
        safe = torch.where(pivots[-1] == 0, torch.ones_like(pivots[-1]), pivots[-1]).unsqueeze(-1)
        first, right = A[..., i, :] / safe, B[..., i, :] / safe
        factor = torch.where(torch.arange(n) == i, torch.zeros_like(A[..., i]), A[..., i]).unsqueeze(-1)
        keep = (torch.arange(n) == i).unsqueeze(-1)
        A = torch.where(keep, first.unsqueeze(-2), A - factor * first.unsqueeze(-2))
        B = torch.where(keep, right.unsqueeze(-2), B - factor * right.unsqueeze(-2))
    return B, torch.stack(pivots, -1).prod(-1) * sign if pivots else sign


def inv(A):
    check_square(A, 'inv')
    eye = torch.eye(A.shape[-1], dtype=torch.float64).expand(A.shape)
    found, determinant = eliminated(A, eye)
    refuse_singular('inv', determinant, A, 'could not be completed because the input matrix is singular')
    return found.to(A.dtype)


def inverse(input):
    return inv(input)


def solve(A, B):
    check_square(A, 'solve')
    is_vector = B.dim() == 1 or (B.dim() == A.dim() - 1 and B.shape == A.shape[:-1])
    right = B.unsqueeze(-1) if is_vector else B
    found, determinant = eliminated(A, right.expand(*A.shape[:-1], right.shape[-1]))
    refuse_singular('solve', determinant, A, 'could not be completed because the input matrix is singular')
    found = found.to(A.dtype)
    return found.squeeze(-1) if is_vector else found


def refuse_singular(name, determinant, A, what):
    singular = (determinant == 0).flatten().nonzero().flatten().tolist()
    if singular:
        batch = f'(Batch element {singular[0]}): ' if A.dim() > 2 else ''
        fail('runtime', f'linalg.{name}: {batch}The diagonal element {A.shape[-1]} is zero, the inversion {what}.'
             if name == 'inv' else f'torch.linalg.{name}: {batch}The solver failed because the input matrix is '
             'singular.')


def det(A):
    check_square(A, 'det')
    return eliminated(A, A[..., :0])[1].to(A.dtype)


def qr(A, mode):
    if mode not in ('reduced', 'complete', 'r') or A.dim() != 2:
        refuse("unsupported.linalg.qr")
    rows, columns = A.shape
    R, Q = A.double(), torch.eye(rows, dtype=torch.float64)
    for i in range(min(rows, columns)):
        x = R[i:, i]
        tail = x[1:].square().sum()
        if tail == 0:
            continue
        beta = -torch.sign(x[0]) * x.square().sum().sqrt() if x[0] != 0 else -x.square().sum().sqrt()
        v = torch.cat([torch.zeros(i, dtype=torch.float64), torch.ones(1, dtype=torch.float64), x[1:] / (x[0] - beta)])
        scale = (beta - x[0]) / beta
        R = R - scale * torch.outer(v, v @ R)
        Q = Q - scale * torch.outer(Q @ v, v)
    size = rows if mode == 'complete' else min(rows, columns)
    return QR(Q[:, :size].to(A.dtype) if mode != 'r' else A.new_empty(0),
              R[:size].triu().to(A.dtype))


def rotated(A):
    """(W, V): A V = W with columns that stand upright on one another (one-sided Jacobi), in float64."""
    W = A.double().clone()
    V = torch.eye(W.shape[-1], dtype=torch.float64).expand(*W.shape[:-1][:-1], -1, -1).clone()
    n = W.shape[-1]
    for _ in range(30):
        largest = 0.
        for i in range(n - 1):
            for j in range(i + 1, n):
                a, b = W[..., i], W[..., j]
                alpha, beta, gamma = (a * a).sum(-1), (b * b).sum(-1), (a * b).sum(-1)
                limit = (alpha * beta).sqrt()
                off = torch.where(limit > 0, gamma.abs() / limit.clamp(min=1e-300), torch.zeros_like(limit))
                largest = max(largest, off.max().item())
                turns = off > 1e-15
                zeta = (beta - alpha) / torch.where(turns, 2 * gamma, torch.ones_like(gamma))
                t = torch.where(zeta >= 0, 1., -1.) / (zeta.abs() + (1 + zeta * zeta).sqrt())
                c = torch.where(turns, 1 / (1 + t * t).sqrt(), torch.ones_like(t))
                s = torch.where(turns, c * t, torch.zeros_like(t))
                c, s = c.unsqueeze(-1), s.unsqueeze(-1)
                for X in (W, V):
                    x, y = X[..., i].clone(), X[..., j].clone()
                    X[..., i], X[..., j] = c * x - s * y, s * x + c * y
        if largest <= 1e-15:
            break
    return W, V


def svdvals(A):
    check_floating(A)
    wide = A if A.shape[-2] >= A.shape[-1] else A.mT
    return rotated(wide.detach())[0].square().sum(-2).sqrt().sort(-1, descending=True).values.to(A.dtype)


def check_floating(A):
    if A.dim() < 2:
        fail('shape', f'linalg.svd: The input tensor A must have at least 2 dimensions.')
    if A.requires_grad and torch.is_grad_enabled():
        refuse("unsupported.linalg.gradient")


def matrix_rank(A, tol, hermitian):
    values = svdvals(A.detach())
    if tol is None:
        tol = torch.finfo(A.dtype).eps * max(A.shape[-2:]) * values.amax(-1, keepdim=True)
    return (values > tol).sum(-1)


def pinv(A, rcond, hermitian):
    check_floating(A)
    if A.shape[-2] < A.shape[-1]:
        return pinv(A.mT, rcond, hermitian).mT
    W, V = rotated(A)
    squares = W.square().sum(-2, keepdim=True)
    least = torch.finfo(A.dtype).eps * max(A.shape[-2:]) if rcond is None else rcond
    keep = squares.sqrt() > least * squares.sqrt().amax(-1, keepdim=True)
    scaled = torch.where(keep, V / torch.where(keep, squares, torch.ones_like(squares)), torch.zeros_like(V))
    return (scaled @ W.mT).to(A.dtype)


# ---- normalization, activation, transposed convolution ----

def group_norm(input, num_groups, weight, bias, eps):
    if input.dim() < 2:
        fail('runtime', f'Expected at least 2 dimensions for input tensor but received {input.dim()}')
    channels = input.shape[1]
    if channels % num_groups:
        fail('runtime', 'Expected number of channels in input to be divisible by num_groups, but got input of shape '
             f'{list(input.shape)} and num_groups={num_groups}')
    rows = input.reshape(input.shape[0], num_groups, -1)
    out = F.layer_norm(rows, rows.shape[-1:], eps=eps).view(input.shape)
    shape = [1, channels] + [1] * (input.dim() - 2)
    if weight is not None:
        out = out * weight.view(shape)
    return out if bias is None else out + bias.view(shape)


def prelu(input, weight):
    if weight.numel() != 1:
        channels = input.shape[1] if input.dim() > 1 else 1
        if channels != weight.numel():
            fail('runtime', f'Mismatch of parameter numbers and input channel size. Found parameter numbers = '
                 f'{weight.numel()} and channel size = {channels}.')
        weight = weight.view([1, -1] + [1] * (input.dim() - 2)) if input.dim() > 1 else weight
    return torch.where(input > 0, input, weight * input)


def bilinear(input1, input2, weight, bias):
    out = torch.einsum('...i,kij,...j->...k', input1, weight, input2)
    return out if bias is None else out + bias


def per_axis(size):
    return tuple(size) if isinstance(size, (list, tuple)) else (size, size)


def conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation):
    """Each element spreads the kernel: zeros between the elements, then a convolution with the kernel turned around."""
    stride, padding, extra, dilation = (per_axis(size) for size in (stride, padding, output_padding, dilation))
    x = input if input.dim() == 4 else input.unsqueeze(0)
    rows, columns = x.shape[-2:]
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
    return out if input.dim() == 4 else out.squeeze(0)
