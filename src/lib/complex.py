"""Complex tensors, as rotations of pairs need them: a real tensor whose last axis is (real, imaginary)."""
import torch


class ComplexType:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return 'torch.' + self.name


complex64 = cfloat = ComplexType('complex64')
complex128 = cdouble = ComplexType('complex128')
TYPES = {torch.float32: complex64, torch.float64: complex128}


def run_length(x, y):
    """How many products PyTorch's inner loop makes in a row: of axes that both have, or that one is repeated along."""
    count, kind = 1, None
    for a, b in zip(reversed(x.shape[:-1]), reversed(y.shape[:-1])):
        kind_here = 'both' if a == b else 'x' if b == 1 else 'y'
        if a * b == 1 or kind in (None, kind_here):
            count, kind = count * max(a, b), kind if a * b == 1 else kind_here
        else:
            return count
    return count


def product(x, y):
    """Rounded as PyTorch rounds it: eight products at a time, or one by one with fused multiply-add."""
    a, b, c, d = x[..., 0], x[..., 1], y[..., 0], y[..., 1]
    whole = a * c
    run = run_length(x, y) if x.is_contiguous() and y.is_contiguous() else 1
    plain = [whole - b * d, a * d + b * c]
    if run % 8:
        fused = [torch.addcmul(-(b * d), a, c), torch.addcmul(b * c, a, d)]
        one_by_one = torch.arange(whole.numel()).view(whole.shape) % run >= run - run % 8
        plain = [torch.where(one_by_one, *both) for both in zip(fused, plain)]
    return torch.stack(plain, -1)


def nested(text):
    """The numbers of a printed tensor, in lists."""
    stack = [[]]
    for word in text.replace('[', ' [ ').replace(']', ' ] ').replace(',', ' ').split():
        if word == '[':
            stack.append([])
        elif word == ']':
            made = stack.pop()
            stack[-1].append(made)
        else:
            stack[-1].append(word)
    return stack[0][0]


def longest(parts):
    return max([longest(part) if isinstance(part, list) else len(part) for part in parts if part != '...'], default=0)


def laid_out(real, imag, width, per_line, indent):
    pad = ' ' * (indent + 1)
    if not any(isinstance(part, list) for part in real):
        texts = [' ...' if a == '...' else f'{a:>{width}}' + ('' if b[0] in '+-' else '+') + b + 'j'
                 for a, b in zip(real, imag)]
        lines = [', '.join(texts[i:i + per_line]) for i in range(0, len(texts), per_line)]
        return '[' + (',\n' + pad).join(lines) + ']'
    depth, part = 0, [row for row in real if row != '...'][0]
    while isinstance(part, list):
        depth, part = depth + 1, part[0] if part else None
    rows = ['...' if a == '...' else laid_out(a, b, width, per_line, indent + 1) for a, b in zip(real, imag)]
    return '[' + (',' + '\n' * depth + pad).join(rows) + ']'


class Complex:
    def __init__(self, parts):
        self.parts = parts

    def __getattr__(self, name):
        if not name.startswith('__'):
            refuse("unsupported.complex.tensor", 'name', name)
        raise AttributeError(f"'Tensor' object has no attribute '{name}'")

    def __repr__(self):
        suffix = '' if self.parts.dtype == torch.float32 and self.numel() else f', dtype={self.dtype!r}'
        suffix += f", grad_fn=<{self.parts.grad_fn.name()}>" if self.parts.grad_fn else ''
        texts = [repr(part.detach())[7:].split(', dtype')[0].rstrip(')') for part in (self.real, self.imag)]
        if self.dim() == 0:
            return f"tensor({texts[0]}{'' if texts[1][0] in '+-' else '+'}{texts[1]}j{suffix})"
        real, imag = nested(texts[0]), nested(texts[1])
        width = longest(real)
        per_line = max(1, (80 - 7 - self.dim() + 1) // (width + longest(imag) + 3))
        return f'tensor({laid_out(real, imag, width, per_line, 7)}{suffix})'

    @property
    def shape(self):
        return self.parts.shape[:-1]

    @property
    def dtype(self):
        return TYPES[self.parts.dtype]

    @property
    def ndim(self):
        return self.dim()

    @property
    def device(self):
        return self.parts.device

    @property
    def requires_grad(self):
        return self.parts.requires_grad

    @property
    def real(self):
        return self.parts[..., 0]

    @property
    def imag(self):
        return self.parts[..., 1]

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return self.parts.dim() - 1

    def numel(self):
        return self.parts.numel() // 2

    def is_complex(self):
        return True

    def __len__(self):
        return len(self.parts)

    def __iter__(self):
        return iter([Complex(part) for part in self.parts])

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        return Complex(self.parts[(*key, slice(None))] if Ellipsis in key else self.parts[(*key, ..., slice(None))])

    def _axis(self, dim, more=0):
        return dim if dim >= 0 else dim + self.dim() + more

    def view(self, *shape):
        return Complex(self.parts.view(*(shape[0] if isinstance(shape[0], (list, tuple)) else shape), 2))

    def reshape(self, *shape):
        return Complex(self.parts.reshape(*(shape[0] if isinstance(shape[0], (list, tuple)) else shape), 2))

    def expand(self, *shape):
        return Complex(self.parts.expand(*(shape[0] if isinstance(shape[0], (list, tuple)) else shape), 2))

    def unsqueeze(self, dim):
        return Complex(self.parts.unsqueeze(self._axis(dim, 1)))

    def squeeze(self, dim):
        return Complex(self.parts.squeeze(self._axis(dim)))

    def transpose(self, dim0, dim1):
        return Complex(self.parts.transpose(self._axis(dim0), self._axis(dim1)))

    def permute(self, *dims):
        return Complex(self.parts.permute(*[self._axis(dim) for dim in dims], -1))

    def flatten(self, start_dim=0, end_dim=-1):
        return Complex(self.parts.flatten(self._axis(start_dim), self._axis(end_dim)))

    def clone(self):
        return Complex(self.parts.clone())

    def contiguous(self):
        return Complex(self.parts.contiguous())

    def detach(self):
        return Complex(self.parts.detach())

    def to(self, device):
        return Complex(self.parts.to(device))

    def cpu(self):
        return self

    def conj(self):
        return torch.complex(self.real, -self.imag)

    def abs(self):
        return (self.real * self.real + self.imag * self.imag).sqrt()

    __abs__ = abs

    def angle(self):
        return torch.atan2(self.imag, self.real)

    def __mul__(self, other):
        if isinstance(other, Complex):
            return Complex(product(self.parts, other.parts))
        return Complex(self.parts * (other.unsqueeze(-1) if isinstance(other, torch.Tensor) else other))

    def __rmul__(self, other):
        return self * other

    def __add__(self, other):
        return Complex(self.parts + other.parts)

    def __sub__(self, other):
        return Complex(self.parts - other.parts)

    def __neg__(self):
        return Complex(-self.parts)


def complex(real, imag):
    if real.dtype != imag.dtype or real.dtype not in TYPES:
        raise RuntimeError('Expected both inputs to be Half, Float or Double tensors but got '
                           f'{real.dtype} and {imag.dtype}')
    return Complex(torch.stack(torch.broadcast_tensors(real, imag), -1))


def polar(abs, angle):
    return complex(abs * angle.cos(), abs * angle.sin())


def view_as_complex(input):
    if input.shape[-1:] != (2,):
        raise RuntimeError('Tensor must have a last dimension of size 2')
    return Complex(input)


def view_as_real(input):
    if not isinstance(input, Complex):
        raise RuntimeError('view_as_real is only supported for complex tensors')
    return input.parts
