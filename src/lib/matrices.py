"""torch.linalg: matrices by elimination, by reflections and by rotations, in float64."""
import math
from collections import namedtuple

import torch


class _LinAlgError(RuntimeError):
    pass


LinAlgError = _LinAlgError
QR = namedtuple('torch.return_types.linalg_qr', ['Q', 'R'])


def check_square(A, name):
    if A.dim() < 2:
        fail('shape', f'linalg.{name}: The input tensor A must have at least 2 dimensions.')
    if A.shape[-1] != A.shape[-2]:
        fail('shape', f'linalg.{name}: A must be batches of square matrices, but they are {A.shape[-2]} by '
             f'{A.shape[-1]} matrices')
    check_floats(A, name)


def check_floats(A, name):
    if A.dtype not in (torch.float32, torch.float64):
        fail('runtime', f'linalg.{name}: Expected a floating point or complex tensor as input. Got {A.dtype}')


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
    return found.to(A.dtype).mT.contiguous().mT


def inverse(input):
    return inv(input)


def solve(A, B):
    check_square(A, 'solve')
    if B.dtype != A.dtype:
        fail('runtime', f'linalg.solve: Expected A and B to have the same dtype, but found A of type '
             f'{A.dtype} and B of type {B.dtype} instead')
    if B.dim() < 1:
        fail('shape', 'linalg.solve: The input tensor B must have at least 1 dimension.')
    is_vector = B.dim() == 1 or (B.dim() == A.dim() - 1 and B.shape == A.shape[:-1])
    right = B.unsqueeze(-1) if is_vector else B
    if right.shape[-2] != A.shape[-1]:
        fail('shape', f'linalg.solve: Incompatible shapes of A and B for the equation AX = B ({A.shape[-2]}x'
             f'{A.shape[-1]} and {right.shape[-2]}x{right.shape[-1]})')
    batch = torch.broadcast_tensors(torch.zeros(A.shape[:-2]), torch.zeros(right.shape[:-2]))[0].shape
    A, right = A.expand(*batch, *A.shape[-2:]), right.expand(*batch, *right.shape[-2:])
    found, determinant = eliminated(A, right)
    refuse_singular('solve', determinant, A, 'could not be completed because the input matrix is singular')
    found = found.to(A.dtype).mT.contiguous().mT
    return found.squeeze(-1) if is_vector else found


def refuse_singular(name, determinant, A, what):
    singular = (determinant == 0).flatten().nonzero().flatten().tolist()
    if singular:
        batch = f'(Batch element {singular[0]}): ' if A.dim() > 2 else ''
        raise LinAlgError(f'linalg.{name}: {batch}The diagonal element {A.shape[-1]} is zero, the inversion {what}.'
                          if name == 'inv' else f'torch.linalg.{name}: {batch}The solver failed because the input '
                          'matrix is singular.')


def det(A):
    check_square(A, 'det')
    return eliminated(A, A[..., :0])[1].to(A.dtype)


SlogDet = namedtuple('torch.return_types.linalg_slogdet', ['sign', 'logabsdet'])


def slogdet(A):
    check_square(A, 'slogdet')
    determinant = eliminated(A, A[..., :0])[1]
    return SlogDet(determinant.sign().to(A.dtype), determinant.abs().log().to(A.dtype))


def logdet(input):
    sign, size = slogdet(input)
    return torch.where(sign == -1, math.nan, size)


def cholesky(A, upper):
    """Column by column, in float64; of A the lower triangle counts, of its gradient both do."""
    check_square(A, 'cholesky')
    rest = A.double() if not upper else A.double().mT
    if A.requires_grad:
        lower, both = rest.tril(), (rest + rest.mT) / 2
        rest = both + (lower + lower.tril(-1).mT - both).detach()
    columns, below = [], torch.arange(A.shape[-1])
    for j in range(A.shape[-1]):
        pivot = rest[..., j, j]
        wrong = (~(pivot > 0)).flatten().nonzero().flatten().tolist()
        if wrong:
            batch = f'(Batch element {wrong[0]}): ' if A.dim() > 2 else ''
            raise LinAlgError(f'linalg.cholesky: {batch}The factorization could not be completed because the input is '
                              f'not positive-definite (the leading minor of order {j + 1} is not positive-definite).')
        column = (rest[..., j] / pivot.sqrt().unsqueeze(-1)).masked_fill(below < j, 0)
        columns.append(column)
        rest = rest - column.unsqueeze(-1) * column.unsqueeze(-2)
    lower = torch.stack(columns, -1).to(A.dtype) if columns else A.clone()
    return lower.mT.contiguous() if upper else lower.mT.contiguous().mT


def qr(A, mode):
    if mode not in ('reduced', 'complete', 'r'):
        fail('runtime', f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or "
             "'complete'")
    if A.dim() < 2:
        fail('shape', 'linalg.qr: The input tensor A must have at least 2 dimensions.')
    check_floats(A, 'qr')
    if A.dim() != 2 or A.numel() == 0:
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


def check_floating(A, name='svd'):
    if A.dim() < 2:
        fail('shape', f'linalg.{name}: The input tensor A must have at least 2 dimensions.')
    check_floats(A, name)
    if A.requires_grad and torch.is_grad_enabled():
        refuse("unsupported.linalg.gradient")


def each_matrix(function, A):
    """What the function makes of each matrix, stacked; in A's type."""
    found = [function(one) for one in A.detach().double().reshape(-1, *A.shape[-2:])]
    return [torch.stack(parts).reshape(*A.shape[:-2], *parts[0].shape).to(A.dtype) for parts in zip(*found)]


def singular_parts(A):
    """(U, S, V) of one matrix with U and V square. The signs of pairs of columns are free."""
    if A.shape[0] < A.shape[1]:
        V, S, U = singular_parts(A.T)
        return U, S, V
    W, V = rotated(A)
    S, order = W.square().sum(0).sqrt().sort(descending=True)
    rank = int((S > 1e-15 * len(A) * S.sum()).sum())
    U = W[:, order[:rank]] / S[:rank]
    if rank < len(A):
        U = torch.cat([U, qr(U, 'complete').Q[:, rank:]], 1) if rank else torch.eye(len(A), dtype=A.dtype)
    return U, S, V[:, order]


def svd_of(A, is_full):
    check_floating(A)
    if A.numel() == 0:
        refuse("unsupported.linalg.empty")
    U, S, V = each_matrix(singular_parts, A)
    size = None if is_full else S.shape[-1]
    return U[..., :size], S, V[..., :size]


SVD = namedtuple('torch.return_types.linalg_svd', ['U', 'S', 'Vh'])
OldSVD = namedtuple('torch.return_types.svd', ['U', 'S', 'V'])
Eigen = namedtuple('torch.return_types.linalg_eigh', ['eigenvalues', 'eigenvectors'])


def svd(A, *settings):
    """torch.linalg.svd(A, full_matrices), and torch.svd(A, some, compute_uv)."""
    if len(settings) == 1:
        U, S, V = svd_of(A, *settings)
        return SVD(U, S, V.mT)
    some, compute_uv = settings
    U, S, V = svd_of(A, not some)
    return OldSVD(U, S, V) if compute_uv else OldSVD(torch.zeros_like(U), S, torch.zeros_like(V))


def eigen_parts(A):
    """Eigenvalues of one symmetric matrix and their vectors; shifted so that none is negative, they are singular."""
    bound = A.abs().sum(-1).max()
    V = rotated(A + bound * torch.eye(len(A), dtype=A.dtype))[1]
    values, order = (V * (A @ V)).sum(0).sort()
    return values, V[:, order]


def eigh(A, UPLO):
    check_square(A, 'eigh')
    check_floating(A, 'eigh')
    if A.numel() == 0:
        refuse("unsupported.linalg.empty")
    if UPLO not in ('l', 'L', 'u', 'U'):
        fail('runtime', f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    lower = A.tril() if UPLO in 'lL' else A.mT.tril()
    return Eigen(*each_matrix(eigen_parts, lower + lower.tril(-1).mT))


def eigvalsh(A, UPLO):
    return eigh(A, UPLO).eigenvalues


def least_value(A, largest, atol, rtol):
    """Singular values up to it count as 0: atol, or rtol of the largest if that is more."""
    if rtol is None:
        rtol = torch.finfo(A.dtype).eps * max(A.shape[-2:]) if atol is None else 0
    atol, rtol = [torch.as_tensor(0 if one is None else one).unsqueeze(-1) for one in (atol, rtol)]
    return torch.maximum(rtol * largest, atol)


def matrix_rank(A, atol, hermitian, rtol=None):
    if A.dim() < 2:
        fail('shape', 'torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.')
    if not A.is_floating_point() and atol is None and rtol is None:
        fail('runtime', "This function doesn't handle types other than float and double")
    if A.numel() == 0:
        return torch.zeros(A.shape[:-2], dtype=torch.int64)
    if hermitian:
        check_square(A, 'eigh')
        A = A.tril() + A.tril(-1).mT
    values = svdvals(A.detach())
    return (values > least_value(A, values.amax(-1, keepdim=True), atol, rtol)).sum(-1)


def pinv(A, rtol, hermitian, atol=None):
    check_floating(A)
    if A.numel() == 0:
        return A.new_zeros(A.mT.shape)
    if hermitian:
        check_square(A, 'eigh')
        A = A.tril() + A.tril(-1).mT
    if A.shape[-2] < A.shape[-1]:
        return pinv(A.mT, rtol, hermitian, atol).mT.contiguous()
    W, V = rotated(A)
    squares = W.square().sum(-2, keepdim=True)
    lengths = squares.sqrt().squeeze(-2)
    keep = (lengths > least_value(A, lengths.amax(-1, keepdim=True), atol, rtol)).unsqueeze(-2)
    scaled = torch.where(keep, V / torch.where(keep, squares, torch.ones_like(squares)), torch.zeros_like(V))
    return (scaled @ W.mT).to(A.dtype)


def pinverse(input, rcond):
    return pinv(input, rcond, False)


def matrix_norm(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None):
    A = A if dtype is None else A.to(dtype)
    if ord == 'fro':
        return torch.linalg.norm(A, ord, dim, keepdim)
    x, size = A.movedim(dim, (-2, -1)), ord if ord == 'nuc' else abs(ord)
    if size in ('nuc', 2):
        parts = torch.linalg.svdvals(x)
    elif size in (1, float('inf')):
        parts = x.abs().sum(-2 if size == 1 else -1)
    else:
        fail('runtime', f'linalg.matrix_norm: Order {ord} not supported.')
    result = parts.sum(-1) if ord == 'nuc' else parts.amax(-1) if ord > 0 else parts.amin(-1)
    for axis in sorted(axis % A.dim() for axis in dim) if keepdim else ():
        result = result.unsqueeze(axis)
    return result


def matrix_power(A, n):
    if n < 0 or A.dim() < 2 or A.shape[-1] != A.shape[-2]:  # of ints there are powers, too
        check_square(A, 'matrix_power')
    if n == 0:
        return A.clone().copy_(torch.eye(A.shape[-1], dtype=A.dtype))
    if n < 0:
        return matrix_power(inv(A), -n)
    if n == 1:
        return A.clone()
    if n == 3:
        return (A @ A) @ A
    power, result = None, None
    while n > 0:
        power = A if power is None else power @ power
        if n % 2:
            result = power if result is None else result @ power
        n //= 2
    return result
