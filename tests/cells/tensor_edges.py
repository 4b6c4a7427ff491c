# What tensors give at the edges of their types.
import torch
import torch.nn.functional as F

# case: a sum asked for in Bool
print(torch.ones(3).sum(dtype=torch.bool), torch.ones(3).bool().prod(dtype=torch.bool))  # expect: tensor(True) tensor(True)

# case: a number beside a narrow tensor wraps
print(torch.ones(2, dtype=torch.uint8) == 257)  # expect: tensor([True, True])
print(torch.ones(2, dtype=torch.uint8) < -3)  # expect: tensor([True, True])

# case: logaddexp of infinities
x = torch.tensor([float("inf"), float("-inf"), 1.5])
print(torch.logaddexp(x, x))  # expect: tensor([   inf,   -inf, 2.1931])

# case: bounds of a type of whole numbers
print(F.hardtanh(torch.tensor([6, -4, 1]), -1.5, 2.5))  # expect: tensor([ 2, -1,  1])

# case: negative norms of nothing
print(torch.dist(torch.zeros(0), torch.zeros(0), p=-1.0))  # expect: tensor(0.)

# case: a bound that is NaN
print(torch.arange(2).clamp_min(float("nan")))  # expect: tensor([nan, nan])
print(torch.ones(2).clamp(min=float("nan")))  # expect: tensor([1., 1.])

# case: the order of a norm is a float32
print(f"{torch.norm(torch.tensor([0.3, 2.0], dtype=torch.float64), 0.001).item():.8e}")  # expect: 8.30333142e+300

# case: a sum of truths, scaled
print(torch.add(torch.tensor([True, False]), True, alpha=False))  # expect: tensor([ True, False])
print(torch.add(torch.tensor([True, False]), True, alpha=True))  # expect: tensor([True, True])
print(torch.add(torch.tensor([True, False]), False, alpha=3))  # expect: tensor([ True, False])

# case: a norm of high order overflows a float32
print(torch.linalg.vector_norm(torch.tensor([0.5, 2.0]), 200))  # expect: tensor(inf)
print(torch.linalg.vector_norm(torch.tensor([0.5, 0.25]), 200))  # expect: tensor(0.)

# case: a norm of low order shows the rounding of float32
print(f"{torch.linalg.vector_norm(torch.tensor([0.73]), 0.001).item():.6f}")  # expect: 0.730006

# case: a layer norm without bias adds 0
print(1 / F.layer_norm(torch.tensor([-3.0, 1.0]), (2,), torch.tensor([0.0, 1.0])))  # expect: tensor([   inf, 1.0000])

# case: arithmetic of two numbers
print(torch.add(1.5, -2.5), torch.mul(1, 2.5), torch.sub(3, 1))
# expect: tensor(-1., dtype=torch.float64) tensor(2.5000) tensor(2)
print(torch.div(1.5, 2.5), torch.add(1.5, 2.5, alpha=2))
# expect: tensor(0.6000, dtype=torch.float64) tensor(6.5000, dtype=torch.float64)

# case: scatter with reduce= has no gradient
x, index = torch.ones(2, 2, requires_grad=True), torch.zeros(1, 2, dtype=torch.int64)
print(x.scatter(0, index, 2.0, reduce="add").grad_fn is None)  # expect: False
print(x.scatter(0, index, torch.ones(1, 2), reduce="multiply"))
# expect: tensor([[1., 1.],
# expect:         [1., 1.]], grad_fn=<NotImplemented>)

# case: counts of types that count and that do not
x = torch.arange(6).view(2, 3)
for dtype in (torch.int32, torch.int64, torch.uint8, torch.bool):
    for counts in (torch.tensor(2), torch.tensor([1, 2])):
        try:
            print(torch.repeat_interleave(x, counts.to(dtype), 0).shape)
        except RuntimeError as error:
            print(error)
# expect: torch.Size([4, 3])
# expect: torch.Size([3, 3])
# expect: torch.Size([4, 3])
# expect: torch.Size([3, 3])
# expect: "repeat_interleave_cpu" not implemented for 'Byte'
# expect: "repeat_interleave_cpu" not implemented for 'Byte'
# expect: "repeat_interleave_cpu" not implemented for 'Bool'
# expect: "repeat_interleave_cpu" not implemented for 'Bool'

# case: lerp by a tensor lies as its operands do
print(torch.lerp(torch.randn(2, 3), torch.randn(2, 3), torch.rand(3, 2).t()).is_contiguous())  # expect: True

# case: size of an axis that a single number has not
torch.tensor(3.).size(0)  # expect error[IndexError]: Dimension specified as 0 but tensor has no dimensions

# case: random numbers for a stretched tensor without elements
print(torch.empty(0, 1).expand(0, 3).normal_().shape)  # expect: torch.Size([0, 3])

# case: in place with the parameters of the op that gives a new tensor
print(torch.tensor([7., -7.]).div_(2, rounding_mode="floor"))  # expect: tensor([ 3., -4.])
print(torch.tensor([7, -7], dtype=torch.int32).div_(2, rounding_mode="floor"))  # expect: tensor([ 3, -4], dtype=torch.int32)
print((torch.ones(1, requires_grad=True) * 1.26).round_(decimals=1))  # expect: tensor([1.3000], grad_fn=<RoundBackward1>)

# case: out
a = torch.zeros(2, 2)
b = torch.matmul(torch.eye(2), torch.full((2, 2), 3.0), out=a)
print(a, b is a)
# expect: tensor([[3., 3.],
# expect:         [3., 3.]]) True
e = torch.empty(0)
torch.add(torch.ones(2), 1, out=e); print(e)  # expect: tensor([2., 2.])
torch.sum(torch.ones(2, 3), 0, out=e.resize_(3) if False else (c := torch.zeros(3))); print(c)
# expect: tensor([2., 2., 2.])
i = torch.zeros(2, dtype=torch.float64)
print(torch.mul(torch.ones(2), 2, out=i), torch.exp(torch.zeros(2), out=torch.ones(2)), torch.cat([torch.ones(1), torch.zeros(1)], out=torch.empty(2)))
# expect: tensor([2., 2.], dtype=torch.float64) tensor([1., 1.]) tensor([1., 0.])
torch.add(torch.ones(2), 1.5, out=torch.zeros(2, dtype=torch.int64))  # expect error[RuntimeError]: result type Float can't be cast to the desired output type Long

# case: as_strided
x = torch.arange(6.0)
y = x.as_strided((2, 3), (1, 2))
y[0, 0] = 9
print(y, x, torch.as_strided(x, (2,), (2,), 1), y.stride(), x.as_strided((2, 2), (1, 1)))
# expect: tensor([[9., 2., 4.],
# expect:         [1., 3., 5.]]) tensor([9., 1., 2., 3., 4., 5.]) tensor([1., 3.]) (1, 2) tensor([[9., 1.],
# expect:         [1., 2.]])
x.as_strided((3, 3), (3, 1))  # expect error[RuntimeError]: setStorage: sizes [3, 3], strides [3, 1], storage offset 0, and itemsize 4 requiring a storage size of 36 are out of bounds for storage of size 24

# case: erfinv
x = torch.tensor([-0.9, 0.0, 0.5, 1.0, 2.0])
print(x.erfinv(), torch.erfinv(x[1:3]), x.erfinv_() is x)
# expect: tensor([-1.1631,  0.0000,  0.4769,     inf,     nan]) tensor([0.0000, 0.4769]) True

# case: products in bfloat16
a = torch.tensor([[1.0, 2.0], [3.0, 0.5]], dtype=torch.bfloat16)
print(a @ a, a @ a[0], torch.bmm(a[None], a[None]), torch.dot(a[0], a[1]), F.linear(a, a, a[0]), F.linear(a, a))
# expect: tensor([[7.0000, 3.0000],
# expect:         [4.5000, 6.2500]], dtype=torch.bfloat16) tensor([5., 4.], dtype=torch.bfloat16) tensor([[[7.0000, 3.0000],
# expect:          [4.5000, 6.2500]]], dtype=torch.bfloat16) tensor(4., dtype=torch.bfloat16) tensor([[ 6.0000,  6.0000],
# expect:         [ 5.0000, 11.2500]], dtype=torch.bfloat16) tensor([[5.0000, 4.0000],
# expect:         [4.0000, 9.2500]], dtype=torch.bfloat16)
torch.nn.Linear(2, 2).bfloat16()(a).dtype
a @ torch.ones(2, 2)  # expect error[RuntimeError]: expected scalar type BFloat16 but found Float

# case: a number and vectors side by side
print(torch.hstack([torch.tensor(1), torch.tensor([2, 3])]))  # expect: tensor([1, 2, 3])

# case: a wrong index comes before the leaf that may not be written
leaf = torch.ones(3, requires_grad=True)
leaf[:0][0] = 1.  # expect error[IndexError]: index 0 is out of bounds for dimension 0 with size 0

# case: at least so many axes
for f in (torch.atleast_1d, torch.atleast_2d, torch.atleast_3d):
    print([f(torch.ones(2, 3, 4)[(0,) * n]).shape for n in range(4)], len(f(torch.ones(2), torch.tensor(1.))), type(f([torch.ones(2)])).__name__)
print(torch.linalg.matrix_norm(torch.arange(6.).view(1, 2, 3)), torch.linalg.matrix_norm(torch.eye(3), 1), torch.linalg.matrix_norm(torch.ones(2, 2), float('inf'), keepdim=True))
# expect: [torch.Size([2, 3, 4]), torch.Size([3, 4]), torch.Size([4]), torch.Size([1])] 2 tuple
# expect: [torch.Size([2, 3, 4]), torch.Size([3, 4]), torch.Size([1, 4]), torch.Size([1, 1])] 2 tuple
# expect: [torch.Size([2, 3, 4]), torch.Size([3, 4, 1]), torch.Size([1, 4, 1]), torch.Size([1, 1, 1])] 2 tuple
# expect: tensor([7.4162]) tensor(1.) tensor([[2.]])

# case: two ellipses in one index
x = torch.arange(16).view(2, 2, 2, 2)
print(x[..., 0, ...].shape, x[..., ...].shape)
for index in ((..., 0, ..., 0), (..., ..., 0), (..., ..., [0]), (0, ..., 0, ..., 0, slice(None)), (..., None, ..., 0)):
    try:
        print(x[index])
    except IndexError:
        print('no such axis')
# expect: torch.Size([2, 2, 2]) torch.Size([2, 2, 2, 2])
# expect: no such axis
# expect: no such axis
# expect: no such axis
# expect: tensor([0, 1])
# expect: no such axis

# case: attributes that a program gives a tensor
import copy
import torch
import torch.nn as nn
layer = nn.Linear(2, 2)
layer.bias.no_decay = True
print([getattr(one, 'no_decay', False) for one in layer.parameters()], hasattr(layer.weight, 'no_decay'))
x = torch.ones(2)
x.label, x.tags = 'x', [1]
x.tags.append(2)
print(x.label, x.tags, copy.deepcopy(x).tags, hasattr(copy.deepcopy(layer).bias, 'no_decay'), hasattr(x * 1, 'label'), hasattr(x.detach(), 'label'))
try:
    x.nothing
except AttributeError as error:
    print(error)
# expect: [False, True] False
# expect: x [1, 2] [1, 2] False False False
# expect: 'Tensor' object has no attribute 'nothing'

# case: an array beside a tensor, and images that are none
import numpy as np
import torch
import torch.nn.functional as F
x = torch.arange(6.).view(2, 3)
print(x + np.ones((2, 3)), x * np.full((2, 3), 2, dtype=np.float32), torch.arange(3) @ np.arange(3))
same = x
x += np.ones((2, 3), dtype=np.float32)
print(x, same)
try:
    torch.ones(2, requires_grad=True) * np.ones(2)
except RuntimeError as error:
    print(error)
for mode in ('nearest', 'constant'):
    try:
        F.interpolate(torch.ones(2, 3), scale_factor=2., mode=mode)
    except NotImplementedError as error:
        print(error)
# expect: tensor([[1., 2., 3.],
# expect:         [4., 5., 6.]], dtype=torch.float64) tensor([[ 0.,  2.,  4.],
# expect:         [ 6.,  8., 10.]]) tensor(5)
# expect: tensor([[1., 2., 3.],
# expect:         [4., 5., 6.]]) tensor([[0., 1., 2.],
# expect:         [3., 4., 5.]])
# expect: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
# expect: Input Error: Only 3D, 4D and 5D input Tensors supported (got 2D) for the modes: nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact (got nearest)
# expect: Input Error: Only 3D, 4D and 5D input Tensors supported (got 2D) for the modes: nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact (got constant)

# case: activations to the last bit, in whole vectors and behind them
import torch
import torch.nn.functional as F
torch.manual_seed(0)
x, y, grad = torch.randn(43) * 3, torch.randn(7, 16).t(), torch.randn(43)
def bits(values):
    return values.double().sum().item(), values.double().square().sum().item()
for function in F.gelu, F.silu, torch.sigmoid:
    z = x.clone().requires_grad_()
    function(z).backward(grad)
    print(bits(function(x)), bits(z.grad))
for function in F.elu, F.selu, lambda v: F.celu(v, 0.7):
    z = x[:32].clone().requires_grad_()
    function(z).backward(grad[:32])
    print(bits(function(x[:32])), bits(z.grad))
print(F.gelu(torch.tensor([-4., -5.])), F.elu(torch.full((16,), -1e-5))[0], F.gelu(torch.tensor([-88., 100., float('nan')])))
# expect: (48.61316306944457, 163.72924161903057) (-3.1352980883368673, 30.490218744521037)
# expect: (43.9028747221455, 153.32138170180048) (-3.359928629011847, 31.700444738017264)
# expect: (22.085173473577015, 17.291740970115193) (-1.1203439802047797, 0.8074694123080106)
# expect: (21.313373178243637, 107.65404334847737) (-4.539199358900078, 16.411086029189867)
# expect: (13.608345985412598, 139.5053409280863) (-5.731000492814928, 22.6210377674658)
# expect: (24.24406734108925, 103.11435432101459) (-4.301015094737522, 15.483811846830763)
# expect: tensor([-1.2672e-04, -1.4901e-06]) tensor(-1.0014e-05) tensor([  0., 100.,  nan])

# case: a factor in front of what it scales, as older programs write it
import torch
p, g = torch.ones(2), torch.tensor([1., 2.])
p.add_(-0.1, g)
print(p, p.sub_(2, g), torch.add(p, 3, g), torch.sub(p, 2, g))
print(p.addcmul(0.5, g, g), torch.addcdiv(p, 0.5, g, g), p.addcmul_(0.1, g, g), p.addcdiv_(-0.1, g, g))
try:
    p.add_(g, g)
except TypeError as e:
    print(e)
# expect: tensor([-1.1000, -3.2000]) tensor([-1.1000, -3.2000]) tensor([1.9000, 2.8000]) tensor([-3.1000, -7.2000])
# expect: tensor([-0.6000, -1.2000]) tensor([-0.6000, -2.7000]) tensor([-1.1000, -2.9000]) tensor([-1.1000, -2.9000])
# expect: add_() takes 1 positional argument but 2 were given

# case: a tensor of a tensor is the tensor itself
import numpy as np
import torch
t = torch.ones(3)
torch.Tensor(t).zero_()
torch.FloatTensor(t)[0] = 5
a = np.ones(3, dtype=np.float32)
torch.FloatTensor(a)[1] = 7
print(t, a, torch.Tensor(torch.arange(3)).dtype, torch.Tensor(np.arange(3)))
w = torch.ones(2, requires_grad=True)
(torch.Tensor(w) * 2).sum().backward()
print(torch.Tensor(w).grad_fn is None, w.grad)
try:
    torch.LongTensor(torch.ones(2))
except TypeError as e:
    print(str(e)[:60])
# expect: tensor([5., 0., 0.]) [1. 7. 1.] torch.int64 tensor([0., 1., 2.])
# expect: False tensor([2., 2.])
# expect: expected TensorOptions(dtype=long int, device=cpu, layout=St

# case: norms of a matrix
import math
import torch
a = torch.tensor([[1., -2.], [3., 4.]], requires_grad=True)
for order in (1, -1, math.inf, -math.inf):
    length = torch.linalg.norm(a, order)
    a.grad = None
    length.backward()
    print(length, a.grad.tolist())
print(torch.linalg.norm(a, 1, dim=(1, 0), keepdim=True))
b = torch.arange(12.).view(2, 2, 3)
print(torch.linalg.norm(b, math.inf, dim=(1, 2)), torch.linalg.norm(b, 1, dim=(-1, 0)), torch.linalg.norm(b, -1, (0, 2)))
# expect: tensor(6., grad_fn=<AmaxBackward0>) [[0.0, -1.0], [0.0, 1.0]]
# expect: tensor(4., grad_fn=<AminBackward0>) [[1.0, -0.0], [1.0, 0.0]]
# expect: tensor(7., grad_fn=<AmaxBackward0>) [[0.0, -0.0], [1.0, 1.0]]
# expect: tensor(3., grad_fn=<AminBackward0>) [[1.0, -1.0], [0.0, 0.0]]
# expect: tensor([[7.]], grad_fn=<AmaxBackward0>)
# expect: tensor([12., 30.]) tensor([21., 30.]) tensor([ 6., 12.])

# case: no_grad around whatever can be called
import functools
import torch
from torch import nn
layer, x = nn.Linear(2, 2), torch.ones(2)
print(torch.no_grad()(layer)(x).requires_grad, torch.no_grad()(layer.forward)(x).requires_grad, layer(x).requires_grad)
print(torch.no_grad()(functools.partial(layer.forward, x))().requires_grad, torch.is_grad_enabled())
with torch.no_grad():
    print(torch.enable_grad()(layer)(x).requires_grad)
try:
    torch.no_grad()(layer)(torch.ones(3))
except RuntimeError:
    print(torch.is_grad_enabled())
# expect: False False True
# expect: False True
# expect: True
# expect: True

# case: an older name of clip_grad_norm_
import torch
from torch.nn.utils import clip_grad_norm
w = torch.ones(2, requires_grad=True)
(w * 3).sum().backward()
print(clip_grad_norm([w], 1.), w.grad)
# expect: tensor(4.2426) tensor([0.7071, 0.7071])

# case: distances between rows of two types
import torch
def tried(a, b, dtype):
    try:
        print(torch.cdist(torch.ones(a, dtype=dtype), torch.ones(b)).dtype)
    except RuntimeError as error:
        print(error)
tried((4, 0), (3, 0), torch.float64)
tried((0, 3), (3, 3), torch.float64)
tried((4, 3), (3, 3), torch.float64)
tried((4, 3), (3, 2), torch.float64)
tried((4, 3), (3, 3), torch.int64)
# expect: torch.float64
# expect: torch.float64
# expect: expected scalar type Double but found Float
# expect: X1 and X2 must have the same number of columns. X1: 3 X2: 2
# expect: cdist only supports floating-point dtypes, X1 got: Long

# case: cross products of two types, modes of NaN, norms in another type
import torch
try:
    torch.linalg.cross(torch.ones(2, 3, dtype=torch.float64), torch.ones(2, 3, dtype=torch.int64))
except RuntimeError as error:
    print(error)
nan = float('nan')
for row in ([1., nan, nan, 2.], [nan, nan], [nan, 1., 1., nan, nan]):
    print(tuple(torch.tensor(row).mode()))
c = torch.tensor([1.084, -2.3], dtype=torch.float64, requires_grad=True)
torch.norm(c, float('inf'), dtype=torch.float32).backward()
print(c.grad)
# expect: expected scalar type Double but found Long
# expect: (tensor(1.), tensor(0))
# expect: (tensor(nan), tensor(0))
# expect: (tensor(1.), tensor(2))
# expect: tensor([ 0., -1.], dtype=torch.float64)

# case: a storage is all numbers in a row, of whatever shares it
x = torch.tensor([[4, 1, 5], [5, 3, 2], [2, 1, 3]])
s = x[1].storage()
print(s, len(s), s[1], list(s)[:3], s.size(), s.nbytes(), s.dtype)
s[0] = 9
print(x.t()[0, 0], x.storage().data_ptr() == x[1:].storage().data_ptr(), x.t().storage().tolist(), s.fill_(1)[0], x.sum())
print(torch.tensor([1., 2.5]).storage(), torch.tensor([True]).storage(), torch.ones(0).storage().size())
try: s[9]
except IndexError as e: print(e)
# expect:  4
# expect:  1
# expect:  5
# expect:  5
# expect:  3
# expect:  2
# expect:  2
# expect:  1
# expect:  3
# expect: [torch.storage.TypedStorage(dtype=torch.int64, device=cpu) of size 9] 9 1 [4, 1, 5] 9 72 torch.int64
# expect: tensor(1) True [9, 1, 5, 5, 3, 2, 2, 1, 3] 1 tensor(9)
# expect:  1.0
# expect:  2.5
# expect: [torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 2]  True
# expect: [torch.storage.TypedStorage(dtype=torch.bool, device=cpu) of size 1] 0
# expect: index 9 out of range for storage of size 9

# case: masks of 0 and 1 of any type
x, ones = torch.zeros(3), torch.ones(3)
print(x.masked_scatter(torch.tensor([1, 0, 1]), ones))
try: x.masked_scatter(torch.tensor(3), ones)
except RuntimeError as e: print(e)
# expect: tensor([1., 0., 1.])
# expect: Mask tensor can take 0 and 1 values only

# case: interpolate takes the nearest elements by a step of float32
for mode in ('nearest', 'nearest-exact'):
    found = [F.interpolate(torch.arange(float(old)).view(1, 1, -1), size=new, mode=mode).flatten() for old in (1, 3, 7, 10, 25) for new in (1, 2, 5, 9, 21, 50)]
    print([int((each * torch.arange(1, len(each) + 1)).sum()) for each in found])
print(F.interpolate(torch.arange(12.).view(1, 1, 3, 4), scale_factor=(1.7, 0.6)).flatten().tolist())
# expect: [0, 0, 0, 0, 0, 0, 0, 2, 17, 63, 329, 1802, 0, 6, 49, 166, 945, 5194, 0, 10, 80, 240, 1365, 7800, 0, 24, 200, 646, 3550, 20500]
# expect: [0, 0, 0, 0, 0, 0, 1, 4, 21, 63, 329, 1836, 3, 11, 59, 181, 945, 5239, 5, 16, 95, 275, 1400, 7800, 12, 42, 230, 706, 3700, 20500]
# expect: [0.0, 1.0, 0.0, 1.0, 4.0, 5.0, 4.0, 5.0, 8.0, 9.0]

# case: a list that holds itself
import numpy as np
within = []
within.append(within)
for make in (torch.tensor, torch.as_tensor, torch.stack, np.array):
    try: make(within)
    except (TypeError, ValueError) as error: print(make.__name__, isinstance(error, ValueError) or make is torch.stack)
# expect: tensor True
# expect: as_tensor True
# expect: stack True
# expect: array True

# case: interpolate leaves an axis as it is whose size stays
x = torch.arange(12., requires_grad=True).view(1, 1, 3, 4)
y = F.interpolate(x, scale_factor=1.3, mode='bilinear')
print(y[0, 0, :, 0].tolist(), type(y.grad_fn).__name__, y.shape)  # expect: [0.0, 4.0, 8.0] UpsampleBilinear2DBackward1 torch.Size([1, 1, 3, 5])
z = F.interpolate(x, size=(3, 4), mode='bilinear')
print(torch.equal(z, x), z is x, type(z.grad_fn).__name__, type(x.grad_fn).__name__)  # expect: True False UpsampleBilinear2DBackward1 ViewBackward0

# case: sizes of windows that cannot be
x, w = torch.ones(1, 2, 6, 6), torch.ones(2, 2, 3, 3)
for f in (lambda: F.max_pool2d(x, 2, padding=-1), lambda: F.avg_pool1d(x[0], 2, padding=-1), lambda: F.max_pool2d(x, 2, stride=-1),
          lambda: F.conv_transpose2d(x, w, stride=0), lambda: F.conv_transpose2d(x, w, padding=-1),
          lambda: F.conv_transpose2d(x, w, output_padding=-1), lambda: torch.tensordot(x, x, 2**62)):
    try: print(f().shape)
    except (RuntimeError, MemoryError, IndexError): print('no')
print(F.adaptive_avg_pool1d(x[0], 0).shape, F.adaptive_avg_pool2d(x, (0, 2)).shape)
# expect: no
# expect: no
# expect: no
# expect: no
# expect: no
# expect: no
# expect: no
# expect: torch.Size([2, 6, 0]) torch.Size([1, 2, 0, 2])

# case: a tensor without axes has none to divide
for dim in 0, -1, 1:
    try:
        print(torch.tensor(1.).unflatten(dim, (1,)))
    except IndexError as error:
        print(error)
# expect: Dimension specified as 0 but tensor has no dimensions
# expect: Dimension specified as 0 but tensor has no dimensions
# expect: Dimension out of range (expected to be in range of [-1, 0], but got 1)

# case: what is no tensor, however deep
x = [0]
for _ in range(60): x = [x, x]
print(torch.is_tensor(x), torch.is_tensor(obj=torch.ones(1)))  # expect: False True

# case: indices of triangles without rows, and beyond all memory
for rows, columns, offset in ((3, 4, 0), (4, 2, 1), (2, 5, -1), (3, 3, 7), (3, 3, -7), (3, 2, -1), (0, 3, 0)):
    print(torch.tril_indices(rows, columns, offset).tolist(), torch.triu_indices(rows, columns, offset).tolist())
# expect: [[0, 1, 1, 2, 2, 2], [0, 0, 1, 0, 1, 2]] [[0, 0, 0, 0, 1, 1, 1, 2, 2], [0, 1, 2, 3, 1, 2, 3, 2, 3]]
# expect: [[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 0, 1, 0, 1]] [[0], [1]]
# expect: [[1], [0]] [[0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]]
# expect: [[0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2, 0, 1, 2, 0, 1, 2]] [[], []]
# expect: [[], []] [[0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2, 0, 1, 2, 0, 1, 2]]
# expect: [[1, 2, 2], [0, 0, 1]] [[0, 0, 1, 1, 2], [0, 1, 0, 1, 1]]
# expect: [[], []] [[], []]
print(torch.tril_indices(2**40, 0).shape, torch.triu_indices(3, 3, 2**40).shape)  # expect: torch.Size([2, 0]) torch.Size([2, 0])
try: torch.tril_indices(2**31, 2**31)
except RuntimeError: print("too many")
# expect: too many

