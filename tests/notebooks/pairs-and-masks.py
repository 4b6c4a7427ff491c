# -*- coding: utf-8 -*-
# Every mask that attention code uses, drawn in the terminal
import torch as th
from torch import nn
import torch.nn.functional as F


def draw(mask, title, on='■', off='·'):
    print(title, list(mask.shape))
    for row in mask.tolist():
        print('   ', ' '.join(on if cell else off for cell in row))
    print()


class MaskFactory(object):
    count = 0

    def __init__(self, n):
        self.n = n

    def __call__(self, kind, **options):
        MaskFactory.count += 1
        return getattr(self, kind)(**options)

    def causal(self):
        return th.ones(self.n, self.n).tril().bool()

    def window(self, width=1):
        i = th.arange(self.n)
        return (i[:, None] - i[None, :]).abs() <= width

    def strided(self, stride=3):
        i = th.arange(self.n)
        return self.causal() & (((i[:, None] - i) % stride == 0) | (i[:, None] - i < stride))

    def padding(self, length):
        return (th.arange(self.n) < length).expand(self.n, self.n)

    def documents(self, sizes):
        ids = th.repeat_interleave(th.arange(len(sizes)), th.tensor(sizes))
        return self.causal() & (ids[:, None] == ids[None, :])

    @staticmethod
    def prefix(n=6, k=3):
        m = th.ones(n, n, dtype=th.bool).tril()
        m[:, :k] = True
        return m

    def __repr__(self):
        return f'{self.__class__.__name__}(n={self.n})'


make = MaskFactory(7)
print(make)
draw(make('causal'), 'causal')
draw(make('window', width=2), 'window')
draw(make('strided'), 'strided')
draw(make('padding', length=4), 'padding')
draw(make('documents', sizes=[3, 2, 2]), 'documents')
draw(make('prefix'), 'prefix', on='#', off='.')
print(MaskFactory.count, 'masks;', make('causal').sum().item(), 'of', make.n ** 2, 'pairs are left by the causal one')

# the same mask in four spellings
th.manual_seed(0)
scores = th.randn(4, 4)
keep = th.tril(th.ones(4, 4))
a = scores.masked_fill(keep == 0, float('-inf')).softmax(-1)
b = (scores + (1.0 - keep) * -1e10).softmax(-1)
c = scores.clone(); c[~keep.bool()] = -1e9; c = c.softmax(-1)
d = F.softmax(scores, -1) * keep; d = d / d.sum(-1, keepdim=True)
print(a)
print([th.allclose(a, other) for other in (b, c, d)])

# a row with nothing to look at
hopeless = th.full((2, 3), float('-inf')); hopeless[1, 0] = 0
print(hopeless.softmax(dim=-1))
print(th.nan_to_num(hopeless.softmax(dim=-1)))
print(hopeless.softmax(dim=-1).isnan().any(dim=-1))

i = 0
while i < 3:
    i += 1
    if i == 2:
        continue
    print('step', i, '->', th.eye(3)[i - 1])
else:
    print('done')
