"""numpy.random: binomial, poisson and other numbers, made by the algorithms of numpy from those in [0, 1) that `uniform()`
draws."""
import math

import numpy as np


def drawn(draw, dtype, size, *parameters):
    """One number, or an array of numbers; each parameter is a number or an array that broadcasts."""
    if size is None and not any(np.ndim(parameter) for parameter in parameters):
        return draw(*parameters)
    shapes = np.broadcast_shapes(*[np.shape(parameter) for parameter in parameters])
    shape = shapes if size is None else (size,) if isinstance(size, int) else tuple(size)
    each = [np.broadcast_to(np.asarray(parameter), shape).ravel().tolist() for parameter in parameters]
    return np.array([draw(*values) for values in zip(*each)], dtype=dtype).reshape(shape)


def check(is_right, text):
    if not np.all(is_right):
        raise ValueError(text)


# ---- binomial ----

def binomial(uniform, n, p, size):
    check(np.asarray(n) >= 0, 'n < 0')
    check((np.asarray(p) >= 0) & (np.asarray(p) <= 1), 'p < 0, p > 1 or p is NaN')
    return drawn(lambda n, p: successes(uniform, int(n), p), np.int64, size, n, p)


def successes(uniform, n, p):
    if n == 0 or p == 0:
        return 0
    share = p if p <= 0.5 else 1.0 - p
    count = by_inversion(uniform, n, share) if share * n <= 30 else by_rejection(uniform, n, share)
    return count if p <= 0.5 else n - count


def by_inversion(uniform, n, p):
    q = 1.0 - p
    none, mean = math.exp(n * math.log(q)), n * p
    bound = int(min(n, mean + 10.0 * math.sqrt(mean * q + 1)))
    count, chance, left = 0, none, uniform()
    while left > chance:
        count += 1
        if count > bound:
            count, chance, left = 0, none, uniform()
        else:
            left -= chance
            chance = ((n - count + 1) * p * chance) / (count * q)
    return count


def by_rejection(uniform, n, r):
    """BTPE (Kachitvichyanukul and Schmeiser 1988): a triangle, two parallelograms and two tails around the peak."""
    q = 1.0 - r
    peak = n * r + r
    m = math.floor(peak)
    spread = n * r * q
    p1 = math.floor(2.195 * math.sqrt(spread) - 4.6 * q) + 0.5
    middle = m + 0.5
    left, right = middle - p1, middle + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (peak - left) / (peak - left * r)
    left_rate = a * (1.0 + a / 2.0)
    a = (right - peak) / (right * q)
    right_rate = a * (1.0 + a / 2.0)
    p2 = p1 * (1.0 + 2.0 * c)
    p3 = p2 + c / left_rate
    p4 = p3 + c / right_rate
    while True:
        u, v = uniform() * p4, uniform()
        if u <= p1:
            return math.floor(middle - p1 * v + u)
        if u <= p2:
            x = left + (u - p1) / c
            v = v * c + 1.0 - abs(m - x + 0.5) / p1
            if v > 1.0:
                continue
            y = math.floor(x)
        elif u <= p3:
            y = math.floor(left + math.log(v) / left_rate) if v else -1
            if y < 0:
                continue
            v = v * (u - p2) * left_rate
        else:
            y = math.floor(right - math.log(v) / right_rate) if v else n + 1
            if y > n:
                continue
            v = v * (u - p3) * right_rate
        if is_below(n, r, q, m, y, v, spread, middle):
            return y


def is_below(n, r, q, m, y, v, spread, middle):
    """Whether v is below the chance of y, in units of that of m."""
    k = abs(y - m)
    if k <= 20 or k >= spread / 2.0 - 1:
        s = r / q
        a, chance = s * (n + 1), 1.0
        for i in range(m + 1, y + 1):
            chance *= a / i - s
        for i in range(y + 1, m + 1):
            chance /= a / i - s
        return v <= chance
    rho = (k / spread) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / spread + 0.5)
    t, size = -k * k / (2 * spread), math.log(v)
    if size < t - rho:
        return True
    if size > t + rho:
        return False
    x1, f1, z, w = y + 1, m + 1, n + 1 - m, n - y + 1
    bound = middle * math.log(f1 / x1) + (n - m + 0.5) * math.log(z / w) + (y - m) * math.log(w * r / (x1 * q))
    for one in (f1, z, x1, w):
        square = one * one
        bound += (13680. - (462. - (132. - (99. - 140. / square) / square) / square) / square) / one / 166320.
    return size <= bound


def multinomial(uniform, n, pvals, size):
    shares = np.asarray(pvals).astype(np.float64).tolist()
    if sum(shares[:-1]) > 1.0 + 1e-12:
        raise ValueError('sum(pvals[:-1]) > 1.0')
    shape = () if size is None else (size,) if isinstance(size, int) else tuple(size)
    rows = [counts(uniform, n, shares) for _ in range(math.prod(shape))]
    return np.array(rows, dtype=np.int64).reshape([*shape, len(shares)])


def counts(uniform, n, shares):
    found, rest = [0] * len(shares), 1.0
    for i, share in enumerate(shares[:-1]):
        found[i] = successes(uniform, n, share / rest)
        n -= found[i]
        if n <= 0:
            return found
        rest -= share
    found[-1] = n
    return found


# ---- poisson ----

def poisson(uniform, lam, size):
    lam = 1.0 if lam is None else lam
    check(np.asarray(lam) >= 0, 'lam < 0 or lam is NaN')
    return drawn(lambda lam: arrivals(uniform, lam), np.int64, size, lam)


def arrivals(uniform, lam):
    if lam >= 10 or lam == 0:
        return many_arrivals(uniform, lam) if lam else 0
    count, product, least = 0, uniform(), math.exp(-lam)
    while product > least:
        count, product = count + 1, product * uniform()
    return count


def many_arrivals(uniform, lam):
    """PTRS (Hormann 1993): a ratio of uniform numbers, and what it rejects."""
    b = 0.931 + 2.53 * math.sqrt(lam)
    a = -0.059 + 0.02483 * b
    scale, quick = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = uniform() - 0.5, uniform()
        near = 0.5 - abs(u)
        k = math.floor((2 * a / near + b) * u + lam + 0.43)
        if near >= 0.07 and v <= quick:
            return k
        if k < 0 or (near < 0.013 and v > near):
            continue
        chance = -lam + k * math.log(lam) - math.lgamma(k + 1)
        if math.log(v) + math.log(scale) - math.log(a / (near * near) + b) <= chance:
            return k


# ---- real numbers, by the inverse of their distribution ----

def placed(draw, loc, scale, size):
    loc, scale = 0.0 if loc is None else loc, 1.0 if scale is None else scale
    check(np.asarray(scale) >= 0, 'scale < 0')
    return drawn(draw, np.float64, size, loc, scale)


def exponential(uniform, scale, size):
    scale = 1.0 if scale is None else scale
    check(np.asarray(scale) >= 0, 'scale < 0')
    return drawn(lambda scale: -math.log(1.0 - uniform()) * scale, np.float64, size, scale)


def gumbel(uniform, loc, scale, size):
    def draw(loc, scale):
        u = 1.0 - uniform()
        return loc - scale * math.log(-math.log(u)) if u < 1.0 else draw(loc, scale)

    return placed(draw, loc, scale, size)


def laplace(uniform, loc, scale, size):
    def draw(loc, scale):
        u = uniform()
        if u >= 0.5:
            return loc - scale * math.log(2.0 - u - u)
        return loc + scale * math.log(u + u) if u > 0 else draw(loc, scale)

    return placed(draw, loc, scale, size)


def logistic(uniform, loc, scale, size):
    def draw(loc, scale):
        u = uniform()
        return loc + scale * math.log(u / (1.0 - u)) if u > 0 else draw(loc, scale)

    return placed(draw, loc, scale, size)
