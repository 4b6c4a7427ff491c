"""einops: patterns like 'b (h d) -> b h d'. Each is a reshape that takes groups apart, a permute, what the function does
(reduce some axes, expand to new ones) and a reshape that makes groups; a step that changes nothing is left out, so views
and steps are those of einops 0.8."""
import string

import numpy as np
import torch
from torch import nn

REDUCTIONS = ('min', 'max', 'sum', 'mean', 'prod', 'any', 'all')


class EinopsError(RuntimeError):
    pass


# ---- patterns ----

def is_size(axis):
    """An axis without a name is a size and, to be told from others, its place: '2 left 0'."""
    return axis[0].isdecimal()


def check_name(axis):
    if not axis.isidentifier():
        raise EinopsError(f'Invalid axis identifier: {axis} (not a valid python identifier)')
    if axis.startswith('_') or axis.endswith('_'):
        raise EinopsError(f'Invalid axis identifier: {axis} (it should not start or end with underscore)')


def groups_of(expression, side='', others=()):
    """'b (h d) 1 ...' is [['b'], ('h', 'd'), [], ['...']]."""
    groups, inner, seen = [], None, set()
    for place, axis in enumerate(expression.replace('(', ' ( ').replace(')', ' ) ').split()):
        if axis == '(':
            if inner is not None:
                raise EinopsError('Axis composition is one-level (brackets inside brackets not allowed)')
            inner = []
        elif axis == ')':
            if inner is None:
                raise EinopsError('Brackets are not balanced')
            groups.append(tuple(inner))  # '(...)' is one axis, and no bare '...'
            inner = None
        else:
            if axis in seen:
                raise EinopsError(f'Indexing expression contains duplicate dimension "{axis}"')
            if axis.isdecimal():
                if int(axis) == 0:
                    raise EinopsError('Anonymous axis should have positive length, not 0')
                axes = [] if int(axis) == 1 else [f'{axis} {side} {place}']
            else:
                if axis not in ('...', *others):
                    if '.' in axis:
                        raise EinopsError('Expression may contain dots only inside ellipsis (...)')
                    check_name(axis)
                seen.update({axis} - set(others))
                axes = [axis]
            if inner is None:
                groups.append(axes)
            else:
                inner.extend(axes)
    if inner is not None:
        raise EinopsError(f'Imbalanced parentheses in expression: "{expression.strip()}"')
    return groups


def flat(groups):
    return [axis for group in groups for axis in group]


def listed(axes):
    return '{' + ', '.join(repr(axis.split()[0]) for axis in axes) + '}'


def sides(pattern, operation, sizes):
    """The groups of both sides of a pattern that fits the operation."""
    if pattern.count('->') != 1:
        raise EinopsError('the pattern needs one arrow (->)')
    left, right = [groups_of(part, side) for part, side in zip(pattern.split('->'), ('left', 'right'))]
    before, after = flat(left), flat(right)
    if '...' in after and '...' not in before:
        raise EinopsError('Ellipsis found in right side, but not left side')
    if '...' in before and ['...'] not in left:
        raise EinopsError('Ellipsis inside parenthesis in the left side is not allowed')
    gone, new = [axis for axis in before if axis not in after], [axis for axis in after if axis not in before]
    if operation == 'rearrange':
        if any(is_size(axis) for axis in gone + new):
            raise EinopsError('Non-unitary anonymous axes are not supported in rearrange (exception is length 1)')
        if gone + new:
            raise EinopsError(f'Identifiers only on one side of expression (should be on both): {listed(gone + new)}')
    elif operation == 'repeat':
        if gone:
            raise EinopsError(f'Unexpected identifiers on the left side of repeat: {listed(gone)}')
        unknown = [axis for axis in new if not is_size(axis) and axis not in sizes]
        if unknown:
            raise EinopsError(f'Specify sizes for new axes in repeat: {listed(unknown)}')
    elif operation not in REDUCTIONS and not callable(operation):
        raise EinopsError(f'Unknown reduction {operation}. Expect one of {REDUCTIONS}.')
    elif new:
        raise EinopsError(f'Unexpected identifiers on the right side of reduce {operation}: {listed(new)}')
    for axis in sizes:
        check_name(axis)
        if axis not in before + after:
            raise EinopsError(f'Axis {axis} is not used in transform')
    for group in left:
        unknown = [axis for axis in group if not is_size(axis) and axis not in sizes]
        if len(unknown) > 1:
            raise EinopsError(f'Could not infer sizes for {listed(unknown)}')
    return left, right


def with_axes(groups, ellipsis):
    """The groups with the axes that `...` stands for."""
    groups = [group for one in groups for group in ([[axis] for axis in ellipsis] if one == ['...'] else [one])]
    return [[axis for one in group for axis in (ellipsis if one == '...' else [one])] for group in groups]


def sizes_in(left, shape, sizes):
    """How many elements each axis of the left side has; one that is split from others has its name."""
    known = {axis: int(axis.split()[0]) for axis in flat(left) if is_size(axis)}
    known.update({axis: sizes[axis] for axis in flat(left) if axis in sizes})
    for group, length in zip(left, shape):
        unknown, product = [axis for axis in group if axis not in known], 1
        for axis in group:
            product *= known.get(axis, 1)
        if not unknown and product != length:
            raise EinopsError(f'Shape mismatch, {length} != {product}')
        if unknown and length % max(product, 1):
            raise EinopsError(f"Shape mismatch, can't divide axis of length {length} in chunks of {product}")
        if len(group) == 1:
            known[group[0]] = length
        else:
            known.update({axis: length // max(product, 1) for axis in unknown})
            known.update({axis: named(known[axis], axis) for axis in group if not is_size(axis)})
    return known


def product_of(sizes):
    """Of one size itself, so that it keeps its name."""
    product = sizes[0] if sizes else 1
    for size in sizes[1:]:
        product = product * size
    return product


# ---- what is done ----

def need_known(x):
    if not isinstance(x, (torch.Tensor, np.ndarray)):
        raise RuntimeError(f'Tensor type unknown to einops {type(x)}')


def reduced(x, operation, axes):
    if callable(operation):
        return operation(x, tuple(axes))
    is_tensor = isinstance(x, torch.Tensor)
    if operation == 'mean' and not (x.is_floating_point() if is_tensor else x.dtype.kind == 'f'):
        raise NotImplementedError('reduce_mean is not available for non-floating tensors')
    if not is_tensor:
        return getattr(x, operation)(axis=tuple(axes))
    if operation in ('min', 'max', 'sum', 'mean'):
        return getattr(x, {'min': 'amin', 'max': 'amax'}.get(operation, operation))(dim=axes)
    for axis in sorted(axes, reverse=True):
        x = getattr(x, operation)(dim=axis)
    return x


def widened(x, new):
    """`new`: the size of each new axis by its place."""
    counts = [-1 if isinstance(x, torch.Tensor) else 1] * (x.ndim + len(new))
    for place, size in new.items():
        counts[place] = size
        x = x.unsqueeze(place) if isinstance(x, torch.Tensor) else np.expand_dims(x, place)
    return x.expand(*counts) if isinstance(x, torch.Tensor) else np.tile(x, tuple(counts))


def transformed(x, pattern, operation, sizes):
    left, right = sides(pattern, operation, sizes)
    count = len(left) - (['...'] in left)
    if x.ndim < count or (x.ndim > count and ['...'] not in left):
        least = '>=' if ['...'] in left else ''
        raise EinopsError(f'Wrong shape: expected {least}{count} dims. Received {x.ndim}-dim tensor.')
    ellipsis = [f'...{place}' for place in range(x.ndim - count)]
    left, right = with_axes(left, ellipsis), with_axes(right, ellipsis)
    before, after = flat(left), flat(right)
    known = sizes_in(left, x.shape, sizes)
    for axis in after:
        if axis not in known:
            known[axis] = int(axis.split()[0]) if is_size(axis) else named(sizes[axis], axis)
    if any(len(group) != 1 for group in left):
        x = x.reshape([known[axis] for axis in before])
    kept_axes = [axis for axis in after if axis in before]
    gone = [axis for axis in before if axis not in after]
    order = [before.index(axis) for axis in kept_axes + gone]
    if order != sorted(order):
        x = x.permute(order) if isinstance(x, torch.Tensor) else x.transpose(order)
    if gone:
        x = reduced(x, operation, list(range(len(kept_axes), len(order))))
    new = {place: known[axis] for place, axis in enumerate(after) if axis not in before}
    if new:
        x = widened(x, new)
    if any(len(group) != 1 for group in right):
        x = x.reshape([product_of([known[axis] for axis in group]) for group in right])
    return x


def reduce(tensor, pattern, reduction, **axes_lengths):
    x = tensor
    if isinstance(tensor, list):
        if not tensor:
            raise TypeError("Rearrange/Reduce/Repeat can't be applied to an empty list")
        need_known(tensor[0])
        x = torch.stack(tensor) if isinstance(tensor[0], torch.Tensor) else np.stack(tensor)
    need_known(x)
    try:
        return transformed(x, pattern, reduction, axes_lengths)
    except EinopsError as error:
        given = ''.join(f', {axis}={size}' for axis, size in axes_lengths.items())
        raise EinopsError(f'{reduction} "{pattern}" of shape {tuple(x.shape)}{given}: {error}') from None


def rearrange(tensor, pattern, **axes_lengths):
    return reduce(tensor, pattern, 'rearrange', **axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    return reduce(tensor, pattern, 'repeat', **axes_lengths)


# ---- layers ----

class Reduce(nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths
        try:
            sides(pattern, reduction, axes_lengths)
        except EinopsError as error:
            raise EinopsError(f'{self!r}: {error}') from None

    def forward(self, input):
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)

    def __repr__(self):
        named = isinstance(self, Rearrange)
        words = [repr(self.pattern), *([] if named else [repr(self.reduction)])]
        words += [f'{axis}={size}' for axis, size in self.axes_lengths.items()]
        return f"{type(self).__name__}({', '.join(words)})"


class Rearrange(Reduce):
    def __init__(self, pattern, **axes_lengths):
        super().__init__(pattern, 'rearrange', **axes_lengths)


# ---- what else einops has ----

def asnumpy(tensor):
    need_known(tensor)
    return tensor.detach().numpy() if isinstance(tensor, torch.Tensor) else tensor


def parse_shape(x, pattern):
    need_known(x)
    groups, shape = groups_of(pattern, others='_'), list(x.shape)
    if any(len(group) > 1 for group in groups):
        raise RuntimeError(f"Can't parse shape with composite axes: {pattern} {x.shape}")
    if ['...'] in groups and len(shape) >= len(groups) - 1:
        place = groups.index(['...'])
        groups[place:place + 1] = [['_']] * (len(shape) - len(groups) + 1)
    if len(groups) != len(shape):
        raise RuntimeError(f"Can't parse shape with different number of dimensions: {pattern} {x.shape}")
    sizes = {}
    for group, length in zip(groups, shape):
        expected = 1 if not group else int(group[0].split()[0]) if is_size(group[0]) else length
        if expected != length:
            raise RuntimeError(f'Length of anonymous axis does not match: {pattern} {x.shape}')
        if group and not is_size(group[0]) and group[0] != '_':
            sizes[group[0]] = length
    return sizes


def einsum(*tensors_and_pattern):
    if len(tensors_and_pattern) < 2 or not isinstance(tensors_and_pattern[-1], str):
        raise ValueError('The last argument passed to `einops.einsum` must be a string, representing the einsum pattern.')
    *tensors, pattern = tensors_and_pattern
    need_known(tensors[0])
    if pattern.count('->') != 1:
        raise ValueError("Einsum pattern must contain '->'.")
    letters, parts = {'...': '...'}, []
    for part in pattern.replace('->', ',').split(','):
        groups = groups_of(part, others=part.replace('(', ' ').replace(')', ' ').split())
        if any(len(group) != 1 or is_size(group[0]) for group in groups):
            raise NotImplementedError('Shape rearrangement, singleton and anonymous axes are not yet supported in einsum.')
        parts.append(flat(groups))
    for axis in flat(parts[:-1]):
        letters.setdefault(axis, string.ascii_letters[(len(letters) - 1) % 52])
    unknown = [axis for axis in parts[-1] if axis not in letters]
    if unknown or len(letters) > 53:
        raise EinopsError(f'Unknown axis {unknown[0]} on right side of einsum {pattern}.' if unknown else
                          'Too many axes in einsum.')
    words = [''.join([letters[axis] for axis in part]) for part in parts]
    equation = ','.join(words[:-1]) + '->' + words[-1]
    return (torch if isinstance(tensors[0], torch.Tensor) else np).einsum(equation, *tensors)


def star(pattern, function):
    """How many axes come before * and after it."""
    axes = pattern.split()
    if axes.count('*') != 1 or len(set(axes)) != len(axes):
        raise EinopsError(f'{function} needs different axes, one of them *, not "{pattern}"')
    for axis in axes:
        if axis != '*':
            check_name(axis)
    return axes.index('*'), len(axes) - axes.index('*') - 1


def pack(tensors, pattern):
    first, last = star(pattern, 'pack')
    shapes, rows = [], []
    for place, x in enumerate(tensors):
        need_known(x)
        if x.ndim < first + last:
            raise EinopsError(f'packed tensor #{place} (enumeration starts with 0) has shape {tuple(x.shape)}, while '
                              f'pattern {pattern} assumes at least {first + last} axes')
        end = x.ndim - last
        shapes.append(x.shape[first:end])
        rows.append(x.reshape([*x.shape[:first], product_of(x.shape[first:end]), *x.shape[end:]]))
    is_tensor = isinstance(rows[0], torch.Tensor)
    return (torch.cat(rows, dim=first) if is_tensor else np.concatenate(rows, axis=first)), shapes


def unpack(tensor, packed_shapes, pattern):
    first, last = star(pattern, 'unpack')
    need_known(tensor)
    if tensor.ndim != first + 1 + last:
        raise EinopsError(f'unpack "{pattern}" received input of wrong dim with shape {tuple(tensor.shape)}')
    lengths = [-1 if -1 in shape else product_of(list(shape)) for shape in packed_shapes]
    whole = tensor.shape[first]
    if lengths.count(-1) > 1:
        raise EinopsError(f'unpack "{pattern}" received more than one -1 in {packed_shapes} and cannot infer dimensions')
    lengths = [whole - sum(lengths) - 1 if length == -1 else length for length in lengths]
    inner = [product_of([size for size in shape if size != -1]) for shape in packed_shapes]
    if sum(lengths) != whole or min(lengths, default=0) < 0 or any(
            length % max(size, 1) for length, size in zip(lengths, inner)):
        raise EinopsError(f'unpack "{pattern}": could not split axis of size {whole} into requested {packed_shapes}')
    parts, begin = [], 0
    for shape, length in zip(packed_shapes, lengths):
        part = tensor[(*[slice(None)] * first, slice(begin, begin + length))]
        parts.append(part.reshape([*tensor.shape[:first], *shape, *tensor.shape[first + 1:]]))
        begin += length
    return parts
