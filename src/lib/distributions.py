"""torch.distributions: those that models draw from and compare."""
import math

import torch
from torch.nn import functional as F


class Distribution:
    def sample_n(self, n):
        return self.sample((n,))

    def rsample(self, sample_shape=()):
        raise NotImplementedError


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError('Either `probs` or `logits` must be specified, but not both.')
        self.given = 'logits' if probs is None else 'probs'
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
            self.logits = clamped(self.probs).log()
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
            self.probs = F.softmax(self.logits, dim=-1)

    def sample(self, sample_shape=()):
        count = math.prod(sample_shape)
        rows = self.probs.reshape(-1, self.probs.shape[-1])
        drawn = torch.multinomial(rows, count, True).T
        return drawn.reshape([*sample_shape, *self.probs.shape[:-1]])

    def log_prob(self, value):
        value = value.long().unsqueeze(-1)
        value, logits = torch.broadcast_tensors(value, self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        least = torch.finfo(self.logits.dtype).min
        return -(torch.clamp(self.logits, min=least) * self.probs).sum(-1)

    def __repr__(self):
        return f'Categorical({self.given}: {self.probs.size()})'


def clamped(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.is_number = not isinstance(loc, torch.Tensor) and not isinstance(scale, torch.Tensor)
        loc, scale = (x if isinstance(x, torch.Tensor) else torch.tensor(float(x)) for x in (loc, scale))
        self.loc, self.scale = torch.broadcast_tensors(loc, scale)
        if not (self.scale > 0).all():
            raise ValueError('Expected parameter scale to satisfy the constraint GreaterThan(lower_bound=0.0)')
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
    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError('Either `probs` or `logits` must be specified, but not both.')
        if probs is not None:
            self.probs = probs if isinstance(probs, torch.Tensor) else torch.tensor(float(probs))
            safe = clamped(self.probs)
            self.logits = torch.log(safe) - torch.log1p(-safe)
        else:
            self.logits = logits
            self.probs = torch.sigmoid(logits)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand([*sample_shape, *self.probs.shape]))

    def log_prob(self, value):
        logits, value = torch.broadcast_tensors(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction='none')

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction='none')


def kl_divergence(p, q):
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio, away = (p.scale / q.scale).pow(2), ((p.loc - q.loc) / q.scale).pow(2)
        return 0.5 * (ratio + away - 1 - ratio.log())
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        return (p.probs * (p.logits - q.logits)).sum(-1)
    refuse("unsupported.distributions")
