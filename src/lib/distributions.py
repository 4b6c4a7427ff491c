"""torch.distributions: those that models draw from and compare."""
import math

import torch
from torch.nn import functional as F


def as_tensor(value):
    return value if isinstance(value, torch.Tensor) else torch.tensor(float(value))


def described(self, names):
    """Parameters with a value that is one number, others with their sizes."""
    values = [(name, getattr(self, name)) for name in names]
    return ', '.join(f'{name}: {value if value.numel() == 1 else value.size()}' for name, value in values)


def check(name, self, validate_args, is_right, constraint):
    if validate_args is not False and not is_right.all():
        value = getattr(self, name)
        raise ValueError(f'Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of '
                         f'distribution {self!r} to satisfy the constraint {constraint}, but found invalid values:\n{value}')


def check_value(self, value, is_right, support):
    if not isinstance(value, torch.Tensor):
        raise ValueError('The value argument to log_prob must be a Tensor')
    if not is_right.all():
        raise ValueError(f'Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within '
                         f'the support ({support}) of the distribution {self!r}, but found invalid values:\n{value}')


def deviation(self):
    return self.variance.sqrt()


class Distribution:
    event_shape = torch.Size([])

    def sample_n(self, n):
        return self.sample((n,))

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        raise NotImplementedError


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError('Either `probs` or `logits` must be specified, but not both.')
        self._validate_args = validate_args
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
            sums_to_1 = (self.probs.sum(-1, keepdim=True) - 1).abs() < 1e-6
            check('probs', self, validate_args, (self.probs >= 0) & sums_to_1, 'Simplex()')
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
            check('logits', self, validate_args, self.logits == self.logits, 'IndependentConstraint(Real(), 1)')

    def __getattr__(self, name):
        """The other parameter, worked out when it is first asked for."""
        if name == 'probs':
            self.probs = F.softmax(self.logits, dim=-1)
        elif name == 'logits':
            self.logits = clamped(self.probs).log()
        else:
            raise AttributeError(f"'Categorical' object has no attribute '{name}'")
        return self.__dict__[name]

    def sample(self, sample_shape=()):
        count = math.prod(sample_shape)
        rows = self.probs.reshape(-1, self.probs.shape[-1])
        drawn = torch.multinomial(rows, count, True).T
        return drawn.reshape([*sample_shape, *self.probs.shape[:-1]])

    def log_prob(self, value):
        if self._validate_args is not False:
            last = self.__dict__.get('probs', self.__dict__.get('logits')).shape[-1] - 1
            is_category = (value % 1 == 0) & (value >= 0) & (value <= last)
            check_value(self, value, is_category, f'IntegerInterval(lower_bound=0, upper_bound={last})')
        value = value.long().unsqueeze(-1)
        value, logits = torch.broadcast_tensors(value, self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        least = torch.finfo(self.logits.dtype).min
        return -(torch.clamp(self.logits, min=least) * self.probs).sum(-1)

    def __repr__(self):
        return f'Categorical({described(self, [name for name in ("probs", "logits") if name in self.__dict__])})'


def clamped(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.is_number = not isinstance(loc, torch.Tensor) and not isinstance(scale, torch.Tensor)
        loc, scale = (x if isinstance(x, torch.Tensor) else torch.tensor(float(x)) for x in (loc, scale))
        self.loc, self.scale = torch.broadcast_tensors(loc, scale)
        check('loc', self, validate_args, self.loc == self.loc, 'Real()')
        check('scale', self, validate_args, self.scale > 0, 'GreaterThan(lower_bound=0.0)')
        self.mean, self.stddev, self.variance = self.loc, self.scale, self.scale.pow(2)

    def sample(self, sample_shape=()):
        shape = [*sample_shape, *self.loc.shape]
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=()):
        shape = [*sample_shape, *self.loc.shape]
        return self.loc + torch.randn(shape, dtype=self.loc.dtype) * self.scale

    def log_prob(self, value):
        log_scale = math.log(self.scale.item()) if self.is_number else self.scale.log()
        return -((value - self.loc) ** 2) / (2 * self.variance) - log_scale - math.log(math.sqrt(2 * math.pi))

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)

    def cdf(self, value):
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def __repr__(self):
        if self.loc.numel() == 1:
            return f'Normal(loc: {self.loc}, scale: {self.scale})'
        return f'Normal(loc: {self.loc.size()}, scale: {self.scale.size()})'


class Bernoulli(Distribution):
    stddev = property(deviation)

    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError('Either `probs` or `logits` must be specified, but not both.')
        if probs is not None:
            self.probs = as_tensor(probs)
            check('probs', self, validate_args, (self.probs >= 0) & (self.probs <= 1), 'Interval(lower_bound=0.0, '
                  'upper_bound=1.0)')
        else:
            self.logits = as_tensor(logits)
        self.batch_shape = self.probs.shape if probs is not None else self.logits.shape

    def __getattr__(self, name):
        """The other of the two, once it is asked for."""
        if name == 'probs':
            self.probs = torch.sigmoid(self.logits)
            return self.probs
        if name == 'logits':
            safe = clamped(self.probs)
            self.logits = torch.log(safe) - torch.log1p(-safe)
            return self.logits
        raise AttributeError(f"'Bernoulli' object has no attribute '{name}'")

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand([*sample_shape, *self.batch_shape]))

    def log_prob(self, value):
        check_value(self, value, (value == 0) | (value == 1), 'Boolean()')
        logits, value = torch.broadcast_tensors(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction='none')

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction='none')

    def __repr__(self):
        return f"Bernoulli({described(self, [name for name in ('probs', 'logits') if name in self.__dict__])})"


class Uniform(Distribution):
    stddev = property(deviation)

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = torch.broadcast_tensors(as_tensor(low), as_tensor(high))
        self.batch_shape = self.low.shape
        if validate_args is not False and not (self.low < self.high).all():
            raise ValueError('Uniform is not defined when low>= high')

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=()):
        drawn = torch.rand([*sample_shape, *self.batch_shape], dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        check_value(self, value, (value >= self.low) & (value <= self.high), 'Interval')
        is_inside = (self.low <= value).to(self.low.dtype) * (self.high > value).to(self.low.dtype)
        return torch.log(is_inside) - torch.log(self.high - self.low)

    def cdf(self, value):
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return torch.log(self.high - self.low)

    def __repr__(self):
        return f"Uniform({described(self, ['low', 'high'])})"


class Exponential(Distribution):
    def __init__(self, rate, validate_args=None):
        self.rate = as_tensor(rate)
        self.batch_shape = self.rate.shape
        check('rate', self, validate_args, self.rate > 0, 'GreaterThan(lower_bound=0.0)')

    @property
    def mean(self):
        return self.rate.reciprocal()

    @property
    def stddev(self):
        return self.rate.reciprocal()

    @property
    def variance(self):
        return self.rate.pow(-2)

    def rsample(self, sample_shape=()):
        return torch.empty([*sample_shape, *self.batch_shape], dtype=self.rate.dtype).exponential_() / self.rate

    def log_prob(self, value):
        check_value(self, value, value >= 0, 'GreaterThanEq(lower_bound=0.0)')
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        return 1 - torch.exp(-self.rate * value)

    def icdf(self, value):
        return -torch.log(1 - value) / self.rate

    def entropy(self):
        return 1.0 - torch.log(self.rate)

    def __repr__(self):
        return f"Exponential({described(self, ['rate'])})"


def kl_divergence(p, q):
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio, away = (p.scale / q.scale).pow(2), ((p.loc - q.loc) / q.scale).pow(2)
        return 0.5 * (ratio + away - 1 - ratio.log())
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        return (p.probs * (p.logits - q.logits)).sum(-1)
    refuse("unsupported.distributions")
