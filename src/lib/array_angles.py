"""numpy's functions of angles and curves."""
import math

import numpy as np
import torch


# ---- angles ----

def scaled(x, to, of):
    x = np.asarray(x)
    kind = x.dtype if x.dtype.kind == 'f' else float
    return x * (np.asarray(to, kind) / np.asarray(of, kind))


def radians(x):
    return scaled(x, math.pi, 180)


def degrees(x):
    return scaled(x, 180, math.pi)


deg2rad, rad2deg = radians, degrees


def of_floats(function, x1, x2):
    x1, x2 = (x if isinstance(x, (int, float, np.ndarray)) else np.asarray(x) for x in (x1, x2))
    kind = np.asarray(x1 * 0.0 + x2 * 0.0).dtype
    made = function(tensor_of(np.asarray(x1, kind)), tensor_of(np.asarray(x2, kind)))
    return made.numpy() if made.dim() else made.numpy()[()]


def arctan2(x1, x2):
    return of_floats(torch.atan2, x1, x2)


def hypot(x1, x2):
    return of_floats(torch.hypot, x1, x2)


def unwrap(p, discont=None, axis=-1, period=2 * math.pi):
    p = np.asarray(p)
    steps = np.diff(p, axis=axis)
    turned = np.mod(steps + period / 2, period) - period / 2
    turned = np.where((turned == -period / 2) & (steps > 0), period / 2, turned)
    turned = np.where(np.abs(steps) < (period / 2 if discont is None else max(discont, period / 2)), 0, turned - steps)
    start = np.take(p, [0], axis) * 0.0
    return p + np.cumsum(np.concatenate((start, turned), axis), axis)


# ---- curves ----

def sinc(x):
    y = math.pi * np.where(np.asarray(x) == 0, 1e-20, x)
    return np.sin(y) / y


def cosine_window(M, *weights):
    if M <= 1:
        return np.ones(max(M, 0))
    n = np.arange(1 - M, M, 2)
    return sum(weight * np.cos(k * math.pi * n / (M - 1)) for k, weight in enumerate(weights))


def hanning(M):
    return cosine_window(M, 0.5, 0.5)


def hamming(M):
    return cosine_window(M, 0.54, 0.46)


def blackman(M):
    return cosine_window(M, 0.42, 0.5, 0.08)


def geomspace(start, stop, num=50, endpoint=True):
    if start == 0 or stop == 0:
        raise ValueError('Geometric sequence cannot include zero')
    if start * stop < 0:
        refuse("unsupported.complex")
    sign = -1.0 if start < 0 else 1.0
    made = np.logspace(math.log10(abs(start)), math.log10(abs(stop)), num, endpoint) * sign
    if num > 0:
        made[0] = start
    if num > 1 and endpoint:
        made[-1] = stop
    return made


# ---- products ----

def cross(a, b, axis=-1):
    a, b = np.moveaxis(np.asarray(a), axis, -1), np.moveaxis(np.asarray(b), axis, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError('incompatible dimensions for cross product\n(dimension must be 2 or 3)')
    if a.shape[-1] == 2 and b.shape[-1] == 2:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    a, b = (np.concatenate((v, v[..., :1] * 0), -1) if v.shape[-1] == 2 else v for v in (a, b))
    parts = [a[..., i] * b[..., k] - a[..., k] * b[..., i] for i, k in ((1, 2), (2, 0), (0, 1))]
    return np.moveaxis(np.stack(parts, -1), -1, axis)
