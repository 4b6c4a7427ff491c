# einops beside what reshape, permute and expand make of the same tensors.
import numpy as np
import torch
from einops import EinopsError, asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack
from einops.layers.torch import Rearrange, Reduce
from torch import nn
from torch.nn import functional as F

# case: rearrange takes axes apart, permutes and joins them
x = torch.arange(24.).reshape(2, 3, 4)
print(rearrange(x, 'b h w -> b w h').shape, rearrange(x, 'b h w -> b (h w)').shape, rearrange(x, 'b h w -> (b h w)').shape)
print(torch.equal(rearrange(x, 'b h (w p) -> (b p) w h', p=2), x.reshape(2, 3, 2, 2).permute(0, 3, 2, 1).reshape(4, 2, 3)))
print(torch.equal(rearrange(x, 'b h (w p)->(b p) w h', w=2, p=2), rearrange(x, '  b h (w p) -> ( b p ) w  h', w=2)))
print(rearrange(x, 'b h w -> b 1 h w').shape, rearrange(x, 'b h w -> () b h w ()').shape, rearrange(x[:, :1], 'b 1 w -> w b').shape)
print(rearrange(x, '... w -> w ...').shape, rearrange(x, 'b ... -> (b ...)').shape, rearrange(x, 'b h (w p) ... -> p ... b h w', p=2).shape)
print(rearrange(torch.tensor(3.), ' -> ').shape, rearrange(torch.tensor(3.), ' -> 1 1').shape, rearrange(torch.ones(1, 1), '1 1 ->'))
# expect: torch.Size([2, 4, 3]) torch.Size([2, 12]) torch.Size([24])
# expect: True
# expect: True
# expect: torch.Size([2, 1, 3, 4]) torch.Size([1, 2, 3, 4, 1]) torch.Size([4, 2])
# expect: torch.Size([4, 2, 3]) torch.Size([24]) torch.Size([2, 2, 3, 2])
# expect: torch.Size([]) torch.Size([1, 1]) tensor(1.)

# case: what is a view and what a copy
x = torch.arange(24.).reshape(2, 3, 4)
y = rearrange(x, 'b h w -> w b h')
print(rearrange(x, 'b h w -> b h w') is x, y.stride(), y.is_contiguous(), y.data_ptr() == x.data_ptr())
z = rearrange(x, 'b h (p w) -> b p h w', p=2)
print(z.stride(), rearrange(x, 'b h w -> b w h').stride(), rearrange(x, 'b h w -> (b w) h').is_contiguous())
y[0, 0, 0] = 100
print(x[0, 0, 0], z[0, 0, 0, 0], rearrange(x, 'b h w -> w (b h)')[0, 0])
r = repeat(x[0], 'h w -> h w c', c=5)
print(r.stride(), repeat(x[0], 'h w -> c h w', c=2).stride(), repeat(x[0], 'h w -> (c h) w', c=2).stride())
# expect: True (1, 12, 4) False True
# expect: (12, 2, 4, 1) (12, 1, 4) True
# expect: tensor(100.) tensor(100.) tensor(100.)
# expect: (4, 1, 0) (0, 4, 1) (4, 1)

# case: gradients follow
x = torch.arange(12.).reshape(3, 4).requires_grad_()
(rearrange(x, 'a (b c) -> (c a) b', c=2) * torch.arange(12.).reshape(6, 2)).sum().backward()
own, x.grad = x.grad, None
(x.reshape(3, 2, 2).permute(2, 0, 1).reshape(6, 2) * torch.arange(12.).reshape(6, 2)).sum().backward()
print(torch.equal(own, x.grad), own.tolist())
x.grad = None
(reduce(x, 'a (b 2) -> a b', 'max').sum() + repeat(x, 'a b -> a b c', c=3).sum()).backward()
print(x.grad)
print(rearrange(x, 'a b -> b a').grad_fn.name(), reduce(x, 'a b -> b', 'mean').grad_fn.name(), repeat(x, 'a b -> a b 2').grad_fn.name())
# expect: True [[0.0, 6.0, 1.0, 7.0], [2.0, 8.0, 3.0, 9.0], [4.0, 10.0, 5.0, 11.0]]
# expect: tensor([[3., 4., 3., 4.],
# expect:         [3., 4., 3., 4.],
# expect:         [3., 4., 3., 4.]])
# expect: PermuteBackward0 MeanBackward1 ExpandBackward0

# case: reduce
x = torch.arange(24.).reshape(2, 3, 4)
for how in ('sum', 'mean', 'max', 'min', 'prod'):
    print(how, reduce(x, 'b h w -> b', how).tolist(), reduce(x, '... (w 2) -> ... w', how).shape)
print(torch.equal(reduce(x, 'b h (w v) -> v b', 'mean', v=2), x.reshape(2, 3, 2, 2).mean((1, 2)).t()))
print(reduce(x, 'b h w -> b () w', 'sum').shape, reduce(x, 'b h w -> 1 h 1', 'max').tolist(), reduce(x, 'b h w ->', 'min'))
print(reduce(x > 4, 'b h w -> b h', 'any'), reduce(x > 4, 'b h w -> b', 'all'))
print(reduce(x, 'b h w -> h', torch.amax), reduce(x, 'b h w -> w b h', 'sum') is x, reduce(x.long(), 'b h w -> w', 'prod'))
try:
    reduce(x.long(), 'b h w -> b', 'mean')
except NotImplementedError as error:
    print(error)
# expect: sum [66.0, 210.0] torch.Size([2, 3, 2])
# expect: mean [5.5, 17.5] torch.Size([2, 3, 2])
# expect: max [11.0, 23.0] torch.Size([2, 3, 2])
# expect: min [0.0, 12.0] torch.Size([2, 3, 2])
# expect: prod [0.0, 647647513804800.0] torch.Size([2, 3, 2])
# expect: True
# expect: torch.Size([2, 1, 4]) [[[15.0], [19.0], [23.0]]] tensor(0.)
# expect: tensor([[False,  True,  True],
# expect:         [ True,  True,  True]]) tensor([False,  True])
# expect: tensor([15., 19., 23.]) False tensor([      0,  208845,  665280, 1514205])
# expect: reduce_mean is not available for non-floating tensors

# case: repeat
x = torch.tensor([[1, 2], [3, 4]])
print(repeat(x, 'h w -> (h 2) (w k)', k=2).tolist(), repeat(x, 'h w -> (2 h) (k w)', k=2).tolist())
print(repeat(x, 'h w -> h w c', c=2).tolist(), repeat(x, '... -> b ...', b=3).shape, repeat(x, 'h w -> w h 1').shape)
cls = torch.zeros(1, 1, 4)
print(torch.cat([repeat(cls, '1 1 d -> b 1 d', b=5), torch.ones(5, 2, 4)], dim=1).shape)
# expect: [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]] [[1, 2, 1, 2], [3, 4, 3, 4], [1, 2, 1, 2], [3, 4, 3, 4]]
# expect: [[[1, 1], [2, 2]], [[3, 3], [4, 4]]] torch.Size([3, 2, 2]) torch.Size([2, 2, 1])
# expect: torch.Size([5, 3, 4])

# case: lists of tensors
rows = [torch.full((2, 3), float(n)) for n in range(4)]
print(rearrange(rows, 'b h w -> b h w').shape, torch.equal(rearrange(rows, 'b h w -> (b h) w'), torch.cat(rows)))
print(torch.equal(rearrange(rows, 'b h w -> h (b w)'), torch.cat(rows, dim=1)), reduce(rows, 'b h w -> h', 'mean'))
print(rearrange([np.ones((2, 3)), np.zeros((2, 3))], 'b h w -> h w b').shape)
try:
    rearrange([], 'b h -> h b')
except TypeError as error:
    print(error)
# expect: torch.Size([4, 2, 3]) True
# expect: True tensor([1.5000, 1.5000])
# expect: (2, 3, 2)
# expect: Rearrange/Reduce/Repeat can't be applied to an empty list

# case: arrays of numpy
x = np.arange(24.).reshape(2, 3, 4)
print(type(rearrange(x, 'b h w -> b (h w)')), rearrange(x, 'b h (w p) -> p (b w) h', p=2).tolist() == x.reshape(2, 3, 2, 2).transpose(3, 0, 2, 1).reshape(2, 4, 3).tolist())
print(reduce(x, 'b h w -> h', 'sum'), reduce(x, 'b h w -> b 1', 'max'), repeat(x[0, 0], 'w -> (w 2)'), repeat(x[0, 0], 'w -> 2 w').shape)
print(asnumpy(torch.ones(2, requires_grad=True)), rearrange(x, 'b h w -> h b w')[1, 1].tolist())
# expect: <class 'numpy.ndarray'> True
# expect: [ 60.  92. 124.] [[11.]
# expect:  [23.]] [0. 0. 1. 1. 2. 2. 3. 3.] (2, 4)
# expect: [1. 1.] [16.0, 17.0, 18.0, 19.0]

# case: layers
torch.manual_seed(0)
m = nn.Sequential(nn.Conv2d(1, 2, 3), Rearrange('b c h w -> b (c h w)'), nn.Linear(8, 3))
print(m, Reduce('b c (h 2) (w 2) -> b c h w', 'max'), Rearrange('b (h d) -> b h d', h=2, d=3))
print(m(torch.ones(5, 1, 4, 4)).shape, list(dict(m.named_parameters())), isinstance(m[1], nn.Module))
print(torch.equal(Reduce('b c (h 2) (w 2) -> b c h w', 'max')(torch.arange(32.).reshape(1, 2, 4, 4)), F.max_pool2d(torch.arange(32.).reshape(1, 2, 4, 4), 2)))
class Patches(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.embed = nn.Sequential(Rearrange('b c (h p) (w q) -> b (h w) (p q c)', p=size, q=size), nn.Linear(4 * size * size, 6))
    def forward(self, x):
        return self.embed(x)
print(Patches(2), Patches(2)(torch.ones(3, 4, 6, 8)).shape)
try:
    Rearrange('b c -> b')
except EinopsError as error:
    print(type(error).__mro__[1].__name__)
# expect: Sequential(
# expect:   (0): Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1))
# expect:   (1): Rearrange('b c h w -> b (c h w)')
# expect:   (2): Linear(in_features=8, out_features=3, bias=True)
# expect: ) Reduce('b c (h 2) (w 2) -> b c h w', 'max') Rearrange('b (h d) -> b h d', h=2, d=3)
# expect: torch.Size([5, 3]) ['0.weight', '0.bias', '2.weight', '2.bias'] True
# expect: True
# expect: Patches(
# expect:   (embed): Sequential(
# expect:     (0): Rearrange('b c (h p) (w q) -> b (h w) (p q c)', p=2, q=2)
# expect:     (1): Linear(in_features=16, out_features=6, bias=True)
# expect:   )
# expect: ) torch.Size([3, 12, 6])
# expect: RuntimeError

# case: attention by patterns
torch.manual_seed(1)
x, heads = torch.randn(2, 5, 12), 3
q, k, v = rearrange(torch.cat([x, x * 2, x * 3], -1), 'b n (three h d) -> three b h n d', three=3, h=heads)
scores = einsum(q, k, 'b h i d, b h j d -> b h i j') / 2
out = rearrange(einsum(scores.softmax(-1), v, 'b h i j, b h j d -> b h i d'), 'b h n d -> b n (h d)')
own = x.view(2, 5, heads, 4).transpose(1, 2)
ref = ((own @ (own * 2).transpose(-2, -1) / 2).softmax(-1) @ (own * 3)).transpose(1, 2).reshape(2, 5, 12)
print(q.shape, scores.shape, torch.allclose(out, ref, atol=1e-6))
print(einsum(torch.eye(3), 'i i ->'), einsum(np.ones((2, 3)), np.ones((3, 4)), 'row inner, inner column -> column row').shape)
print(einsum(torch.ones(2, 3), torch.ones(5, 7, 3), 'o i, ... i -> ... o').shape)
# expect: torch.Size([2, 3, 5, 4]) torch.Size([2, 3, 5, 5]) True
# expect: tensor(3.) (4, 2)
# expect: torch.Size([5, 7, 2])

# case: pack, unpack, parse_shape
x, y, z = torch.arange(6.).reshape(2, 3), torch.ones(2), torch.zeros(2, 2, 2)
packed, shapes = pack([x, y, z], 'b *')
print(packed, shapes)
back = unpack(packed, shapes, 'b *')
print([torch.equal(a, b) for a, b in zip(back, [x, y, z])], [a.shape for a in unpack(packed, [[2], [-1]], 'b *')])
images, shapes = pack([torch.ones(4, 4, 3)], '* h w c')
print(images.shape, unpack(images, shapes, '* h w c')[0].shape, pack([np.ones((2, 3)), np.ones((2, 5))], 'a *')[0].shape)
print(parse_shape(torch.ones(2, 3, 4), 'b _ w'), rearrange(torch.arange(24), '(b c w) -> w b c', **parse_shape(torch.ones(2, 3, 4), 'b _ w')).shape, parse_shape(x, 'a ...'))
# expect: tensor([[0., 1., 2., 1., 0., 0., 0., 0.],
# expect:         [3., 4., 5., 1., 0., 0., 0., 0.]]) [torch.Size([3]), torch.Size([]), torch.Size([2, 2])]
# expect: [True, True, True] [torch.Size([2, 2]), torch.Size([2, 6])]
# expect: torch.Size([1, 4, 4, 3]) torch.Size([4, 4, 3]) (2, 8)
# expect: {'b': 2, 'w': 4} torch.Size([4, 2, 3]) {'a': 2}

# case: patterns that do not fit
x = torch.ones(2, 6)
for pattern, sizes in [('a b -> b', {}), ('a (b c) -> a b c', {}), ('a (b c) -> a b c', {'b': 4}), ('a b c -> c a b', {}),
                       ('a a -> a', {}), ('a (b -> a b', {}), ('a b -> a b', {'c': 2}), ('a b -> (a (b))', {}), ('a b', {}),
                       ('a b. -> b a', {}), ('a _b -> _b a', {}), ('a b -> ...', {}), ('a b -> a b 2', {}), ('a-b -> b a', {}),
                       ('a (b 4) -> a b 4', {}), ('a (b c) -> a b c', {'b': 2, 'c': 2}), ('... a b c -> c', {})]:
    try:
        rearrange(x, pattern, **sizes)
        print('fits', pattern)
    except EinopsError:
        pass
for call in (lambda: repeat(x, 'a b -> a b c'), lambda: reduce(x, 'a b -> a c', 'sum'), lambda: reduce(x, 'a b -> a', 'median'),
             lambda: repeat(x, 'a b -> a', b=2), lambda: pack([x], 'a b'), lambda: unpack(x, [[2], [3]], 'a *')):
    try:
        print(call())
    except EinopsError as error:
        print(isinstance(error, RuntimeError))
# expect: True
# expect: True
# expect: True
# expect: True
# expect: True
# expect: True
rearrange([[1, 2]], 'a b -> b a')  # expect error[RuntimeError]

# case: an ellipsis in brackets is one axis
import torch
from einops import rearrange, reduce
x = torch.arange(24).view(2, 3, 4)
print(rearrange(x, 'b ... -> b (...)').shape, rearrange(x, '... -> (...)').shape, rearrange(x, '... d -> (...) d').shape)
print(torch.equal(rearrange(x, 'b ... -> b (...)'), x.flatten(1)), reduce(x.float(), 'b ... -> (...)', 'sum').shape)
# expect: torch.Size([2, 12]) torch.Size([24]) torch.Size([6, 4])
# expect: True torch.Size([12])
