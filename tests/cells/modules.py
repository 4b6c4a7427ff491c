# nn.Module as notebooks use it, with, no_grad, and the modules math, copy, itertools, time and the like.
import copy
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

# case: module
class Net(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out)
        self.drop = nn.Dropout(0.1)
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("mask", torch.tril(torch.ones(2, 2)))
        self.name = "net"
    def forward(self, x, verbose=False):
        if verbose: print("forward", tuple(x.shape))
        return self.linear(x) * self.scale
net = Net(3, 2)
print(net)
# expect: Net(
# expect:   (linear): Linear(in_features=3, out_features=2, bias=True)
# expect:   (drop): Dropout(p=0.1, inplace=False)
# expect: )
print([(n, tuple(p.shape)) for n, p in net.named_parameters()], sum(p.numel() for p in net.parameters()))
# expect: [('scale', (1,)), ('linear.weight', (2, 3)), ('linear.bias', (2,))] 9
print(net(torch.zeros(4, 3), verbose=True).shape, net.training, net.eval().training, net.drop.training, list(net.state_dict()))
# expect: forward (4, 3)
# expect: torch.Size([4, 2]) True False False ['scale', 'mask', 'linear.weight', 'linear.bias']
print([type(m).__name__ for m in net.children()], [n for n, _ in net.named_modules()], [n for n, _ in net.named_buffers()], net.name)
# expect: ['Linear', 'Dropout'] ['', 'linear', 'drop'] ['mask'] net

# case: old form of super
class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.seq = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
        self.d = nn.ModuleDict({"a": nn.Linear(1, 1)})
    def forward(self, x):
        for layer in self.layers: x = layer(x)
        return self.seq(x)
net = Net()
print(len(net.layers), net.seq[0].out_features, net(torch.zeros(1, 2)).shape, list(net.d), len(list(net.parameters())))
# expect: 2 3 torch.Size([1, 3]) ['a'] 8
print(net)
# expect: Net(
# expect:   (layers): ModuleList(
# expect:     (0): Linear(in_features=2, out_features=2, bias=True)
# expect:     (1): Linear(in_features=2, out_features=2, bias=True)
# expect:   )
# expect:   (seq): Sequential(
# expect:     (0): Linear(in_features=2, out_features=3, bias=True)
# expect:     (1): ReLU()
# expect:   )
# expect:   (d): ModuleDict(
# expect:     (a): Linear(in_features=1, out_features=1, bias=True)
# expect:   )
# expect: )

# case: a weight of a loss may become a parameter
loss = nn.CrossEntropyLoss(weight=torch.ones(2))
loss.weight = nn.Parameter(torch.tensor([1., 3.]))
with torch.no_grad():
    print(loss(torch.zeros(2, 2), torch.tensor([0, 1])), [name for name, _ in loss.named_parameters()], list(loss.state_dict()))
# expect: tensor(0.6931) ['weight'] ['weight']
try:
    loss.reset_parameters()
except AttributeError:
    pass

# case: a handle removes its own hook alone
layer = nn.Identity()
first = layer.register_forward_hook(lambda *call: print('first'))
first.remove()
second = layer.register_forward_hook(lambda *call: print('second'))
first.remove()
layer(1)  # expect: second
tensor = torch.ones(1, requires_grad=True)
first = tensor.register_hook(lambda grad: grad * 2)
first.remove()
second = tensor.register_hook(lambda grad: grad * 3)
first.remove()
tensor.sum().backward()
print(tensor.grad)  # expect: tensor([3.])

# case: names in a ModuleDict
try:
    nn.ModuleDict({"a.b": nn.Linear(1, 1)})
except KeyError as error:
    print(error)  # expect: 'module name can\'t contain ".", got: a.b'
nn.ModuleDict({"keys": nn.Linear(1, 1)})  # expect error[KeyError]: "attribute 'keys' already exists"

# case: without super
class Net(nn.Module):
    def __init__(self):
        self.linear = nn.Linear(2, 2)  # expect error[AttributeError]: cannot assign module before Module.__init__() call
Net()

# case: without forward
class Net(nn.Module):
    def __init__(self):
        super().__init__()
Net()(torch.zeros(1))  # expect error[NotImplementedError]: Module [Net] is missing the required "forward" function

# case: attribute that is not there
class Net(nn.Module): pass
Net().layer  # expect error[AttributeError]: 'Net' object has no attribute 'layer'

# case: forward with a missing argument
class Net(nn.Module):
    def forward(self, x, y): return x
Net()(torch.zeros(1))  # expect error[TypeError]: Net.forward() missing 1 required positional argument: 'y'

# case: extra_repr
class Scale(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
    def extra_repr(self): return f"k={self.k}"
    def forward(self, x): return x * self.k
print(Scale(3), nn.Sequential(Scale(2), nn.Tanh()))
# expect: Scale(k=3) Sequential(
# expect:   (0): Scale(k=2)
# expect:   (1): Tanh()
# expect: )
print(Scale(3)(torch.ones(2)))  # expect: tensor([3., 3.])

# case: inheriting from a module of one's own
class Base(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.proj = nn.Linear(d, d)
    def forward(self, x): return self.post(self.proj(x))
    def post(self, x): return x
class Relu(Base):
    def post(self, x): return F.relu(x)
print((Relu(3)(torch.randn(5, 3)) >= 0).all(), isinstance(Relu(1), nn.Module), isinstance(Relu(1), Base), Relu(2))
# expect: tensor(True) True True Relu(
# expect:   (proj): Linear(in_features=2, out_features=2, bias=True)
# expect: )

# case: parameters that are None, and setting to None
layer = nn.Linear(2, 2, bias=False)
print(layer.bias, [n for n, _ in layer.named_parameters()])  # expect: None ['weight']
layer.weight.requires_grad = False
print(layer.weight.requires_grad, layer)  # expect: False Linear(in_features=2, out_features=2, bias=False)

# case: shared weights
a = nn.Linear(2, 2)
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.x = a
        self.y = a
print(len(list(Tied().parameters())), Tied().x is Tied().y)  # expect: 2 True

# case: apply
def init(m):
    if isinstance(m, nn.Linear):
        nn.init.ones_(m.weight)
        nn.init.zeros_(m.bias)
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
net.apply(init)
print(net(torch.tensor([[1.0, 2.0]])))  # expect: tensor([[3., 3.]], grad_fn=<ReluBackward0>)

# case: no_grad
w = torch.ones(2, requires_grad=True)
with torch.no_grad():
    y = w * 2
print(y.requires_grad, (w * 2).requires_grad)  # expect: False True
@torch.no_grad()
def f(x): return x * 3
print(f(w).requires_grad, w.detach().requires_grad, torch.is_grad_enabled())  # expect: False False True

# case: with two items
with torch.no_grad(), torch.enable_grad():
    print(torch.is_grad_enabled())
# expect: True
print(torch.is_grad_enabled())  # expect: True

# case: no_grad after an error
try:
    with torch.no_grad():
        raise ValueError("x")
except ValueError:
    print(torch.is_grad_enabled())
# expect: True

# case: copies
a = [[1], {"k": [2]}]
b, c = copy.copy(a), copy.deepcopy(a)
a[0].append(9)
print(b, c, b[0] is a[0], c[0] is a[0])  # expect: [[1, 9], {'k': [2]}] [[1], {'k': [2]}] True False
layer = nn.Linear(1, 1)
twin = copy.deepcopy(layer)
print(twin.weight.equal(layer.weight), twin.weight is layer.weight)  # expect: True False

# case: math constants
print(math.pi, math.e, math.inf, math.nan, math.tau)
# expect: 3.141592653589793 2.718281828459045 inf nan 6.283185307179586

# case: math.sqrt and others
print(math.sqrt(16), math.sqrt(2), math.exp(1), math.log(math.e), math.log2(8), math.log10(1000), math.log(8, 2), math.pow(2, 3), math.cbrt(27.0))
# expect: 4.0 1.4142135623730951 2.718281828459045 1.0 3.0 3.0 3.0 8.0 3.0000000000000004
print(math.sin(0), math.cos(0), math.tan(0), math.tanh(0), math.asin(1), math.acos(1), math.atan(1), math.fabs(-2), math.erf(0.5))
# expect: 0.0 1.0 0.0 0.0 1.5707963267948966 0.0 0.7853981633974483 2.0 0.5204998778130465
print(math.atan2(1, 1), math.hypot(3, 4), math.sinh(0), math.cosh(0), math.degrees(math.pi), math.radians(180), math.log1p(0), math.expm1(0))
# expect: 0.7853981633974483 5.0 0.0 1.0 180.0 3.141592653589793 0.0 0.0
print(math.asinh(0.0), math.acosh(1.0), math.atanh(0.0), math.erfc(0.5), math.gamma(5), math.lgamma(1.0), math.copysign(1, -0.0), math.fmod(-7, 3))
# expect: 0.0 0.0 0.0 0.4795001221869535 24.0 0.0 -1.0 -1.0

# case: math.floor and others
print(math.floor(2.7), math.ceil(2.1), math.trunc(-2.7), math.floor(-2.1), math.floor(5), math.isnan(math.nan), math.isinf(math.inf), math.isfinite(1))
# expect: 2 3 -2 -3 5 True True True
print(math.isclose(0.1 + 0.2, 0.3), math.prod([1, 2, 3]), math.prod([], start=5), math.gcd(12, 18), math.factorial(10), math.comb(5, 2), math.perm(5, 2))
# expect: True 6 5 6 3628800 10 20
print(math.isqrt(17), math.isqrt(16), math.comb(30, 15), math.gcd(-12, 18), math.perm(3, 5))
# expect: 4 4 155117520 6 0

# case: math domain
math.sqrt(-1)  # expect error[ValueError]: math domain error

# case: math.log of zero
math.log(0)  # expect error[ValueError]: math domain error

# case: math.log of a string
math.log("a")  # expect error[TypeError]: must be real number, not str

# case: math.sqrt without an argument
math.sqrt()  # expect error[TypeError]: math.sqrt() takes exactly one argument (0 given)

# case: math.floor of infinity
math.floor(math.inf)  # expect error[OverflowError]: cannot convert float infinity to integer

# case: math.factorial of a negative number
math.factorial(-1)  # expect error[ValueError]: factorial() not defined for negative values

# case: math without that name
math.squareroot(4)  # expect error[AttributeError]: module 'math' has no attribute 'squareroot'

# case: torch without that name
torch.sofmax(torch.zeros(1))  # expect error[AttributeError]: module 'torch' has no attribute 'sofmax'

# case: math of a tensor
print(math.sqrt(torch.tensor(4.0)), math.floor(torch.tensor(2.5)))  # expect: 2.0 2

# case: import that is not known
import pandas
pandas.DataFrame()  # expect error[unsupported]: pandas.DataFrame is not known here

# case: import of a module that nobody has
import no_such_module  # expect error[ModuleNotFoundError]: No module named 'no_such_module'

# case: import from a module that nobody has
from no.such.module import name  # expect error[ModuleNotFoundError]: No module named 'no'

# case: import of a part of torch that is not there
import torch.nothing.at_all  # expect error[ModuleNotFoundError]: No module named 'torch.nothing'

# case: a way without a module
try:
    import google.colab
    print("there")
except ImportError as error:
    print(type(error).__name__, isinstance(error, ImportError))  # expect: ModuleNotFoundError True
try:
    from torch.nn import RMSNorm
except ImportError:
    print("no RMSNorm")  # expect: no RMSNorm
try:
    import torch.nn.attention.flex_attention
except ModuleNotFoundError as error:
    print(error)  # expect: No module named 'torch.nn.attention'

# case: names that PyTorch 1.13 has not
print(hasattr(torch, "compile"), hasattr(nn, "RMSNorm"), getattr(torch.zeros(1), "untyped_storage", None))
# expect: False False None
torch.compile  # expect error[AttributeError]: module 'torch' has no attribute 'compile'

# case: a method that PyTorch 1.13 has not
torch.zeros(1).module_load(2)  # expect error[AttributeError]: 'Tensor' object has no attribute 'module_load'

# case: a method that PyTorch has
torch.zeros(1).lgamma()  # expect error[unsupported]: Tensor.lgamma is not known here

# case: a class that Python has
BufferError  # expect error[unsupported]: BufferError is not known here

# case: import of a name that is not there
from math import squareroot  # expect error[ImportError]: cannot import name 'squareroot' from 'math' (unknown location)

# case: import in a function
def area(r):
    import math as m
    from math import floor
    return floor(m.pi * r)
print(area(2))  # expect: 6

# case: import as
import torch.nn.functional as G
from torch import nn as layers, tensor
print(G.relu(tensor([-1.0, 2.0])), layers.ReLU())  # expect: tensor([0., 2.]) ReLU()

# case: global rng and seeds
torch.manual_seed(1)
a = torch.rand(2)
torch.manual_seed(1)
print(torch.equal(a, torch.rand(2)), a)  # expect: True tensor([0.7576, 0.2793])

# case: tensor attributes
t = torch.zeros(2, 3)
print(t.shape[0], t.size(), t.size(1), t.ndim, t.dim(), t.numel(), t.dtype, t.device, t.requires_grad, t.T.shape, len(t), t.is_cuda, t.element_size())
# expect: 2 torch.Size([2, 3]) 3 2 2 6 torch.float32 cpu False torch.Size([3, 2]) 2 False 4

# case: tensor that is not there
torch.zeros(1).length  # expect error[AttributeError]: 'Tensor' object has no attribute 'length'

# case: print of tensors
print(torch.arange(6).reshape(2, 3))
# expect: tensor([[0, 1, 2],
# expect:         [3, 4, 5]])
print(torch.tensor([1.5, float("nan"), float("inf")]), torch.tensor([]), torch.tensor(True), torch.tensor([[1e-5, 1000.0]]))
# expect: tensor([1.5000,    nan,    inf]) tensor([]) tensor(True) tensor([[1.0000e-05, 1.0000e+03]])
print(torch.arange(3), "and", torch.ones(1), sep=" | ")  # expect: tensor([0, 1, 2]) | and | tensor([1.])

# case: tensors in conditions and indexes
t = torch.tensor([3, 1, 2])
print([v.item() for v in t], t.tolist(), t.max().item(), int(t[0]), float(t[1]), t[t > 1], t.argmax().item(), (t > 1).tolist(), t[-1], t[None].shape, t[..., 0])
# expect: [3, 1, 2] [3, 1, 2] 3 3 1.0 tensor([3, 2]) 0 [True, False, True] tensor(2) torch.Size([1, 3]) tensor(3)

# case: augmented assignment of tensors is in place
a = torch.zeros(2)
b = a
a += 1
b *= 3
print(a, b, a is b)  # expect: tensor([3., 3.]) tensor([3., 3.]) True
a = a + 1
print(a is b)  # expect: False
m = torch.zeros(2, 2)
m[0] += 5
m[:, 1] = 7
m[1][0] = 9
print(m)
# expect: tensor([[5., 7.],
# expect:         [9., 7.]])

# case: in of a tensor
print(2 in torch.tensor([1, 2]), 5 in torch.tensor([1, 2]), torch.tensor(1) in [torch.tensor(0), torch.tensor(1)])
# expect: True False True

# case: named fields of results
values, indices = torch.tensor([1, 5, 3]).max(dim=0)
r = torch.tensor([[3, 1]]).sort(dim=-1)
print(values, indices, r.values, r.indices, r)
# expect: tensor(5) tensor(1) tensor([[1, 3]]) tensor([[1, 0]]) torch.return_types.sort(
# expect: values=tensor([[1, 3]]),
# expect: indices=tensor([[1, 0]]))

# case: math that is not known
import math
math.nextafter(1, 2)  # expect error[unsupported]: math.nextafter is not known here

# case: functools
from functools import partial, reduce, wraps
print(partial(pow, 2)(5), reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + b, [], "start"))
# expect: 32 24 start
def logged(f):
    @wraps(f)
    def wrapper(*args):
        print("calling", f.__name__)
        return f(*args)
    return wrapper
@logged
def square(x): return x * x
print(square(3), square.__name__)
# expect: calling square
# expect: 9 square

# case: itertools
import itertools
from itertools import chain, product
print(list(product("ab", [1, 2])), list(itertools.combinations([1, 2, 3], 2)), list(chain([1], (2, 3))))
# expect: [('a', 1), ('a', 2), ('b', 1), ('b', 2)] [(1, 2), (1, 3), (2, 3)] [1, 2, 3]

# case: where functions of math have no result
def outcome(f, *x):
    try:
        return f(*x)
    except (ValueError, OverflowError) as error:
        return repr(error)
print(outcome(math.log2, 0), outcome(math.log10, 0), outcome(math.log1p, -1), outcome(math.atanh, 1))
# expect: ValueError('math domain error') ValueError('math domain error') ValueError('math domain error') ValueError('math domain error')
print(outcome(math.gamma, 0), outcome(math.gamma, 300), outcome(math.lgamma, -2), outcome(math.exp, 1000))
# expect: ValueError('math domain error') OverflowError('math range error') ValueError('math domain error') OverflowError('math range error')
print(outcome(math.pow, 0, -1), outcome(math.pow, 10, 400), outcome(math.pow, -8, 0.5), outcome(math.pow, math.inf, 2), outcome(math.pow, math.nan, 2))
# expect: ValueError('math domain error') OverflowError('math range error') ValueError('math domain error') inf nan
print(outcome(math.fmod, 1, 0), outcome(math.fmod, math.inf, 1), outcome(math.fmod, 1, math.inf))  # expect: ValueError('math domain error') ValueError('math domain error') 1.0

# case: json of what holds itself
import json
x = {"a": [1]}
x["a"].append(x)
try:
    json.dumps(x)
except ValueError as error:
    print(error)  # expect: Circular reference detected
twice = [2]
print(json.dumps([1, {"a": [], "b": (twice, twice)}], indent=-2).split("\n"))
# expect: ['[', '1,', '{', '"a": [],', '"b": [', '[', '2', '],', '[', '2', ']', ']', '}', ']']

# case: math: numbers of two kinds
import math
print(math.lcm(4, 6), math.lcm(), math.lcm(0, 3), math.dist([0, 0], [3, 4]), math.remainder(5, 3), math.remainder(-7, 2))
# expect: 12 1 0 5.0 -1.0 1.0
print(math.fsum([0.1] * 10), math.fsum([1e100, 1, -1e100]), math.fsum([]), math.fsum([1, 1e-16, 1e-16]))
# expect: 1.0 1.0 0.0 1.0000000000000002
print(math.modf(-2.25), math.modf(float("inf")), math.frexp(10.0), math.ldexp(0.75, 3), math.frexp(0))
# expect: (-0.25, -2.0) (0.0, inf) (0.625, 4) 6.0 (0.0, 0)

# case: math: logarithm to a base
import math
print(math.log(8, 2), math.log(0.5, 0.25))  # expect: 3.0 0.5
for base in (0, -2, 1):
    try:
        math.log(2, base)
    except (ValueError, ZeroDivisionError) as error:
        print(repr(error))
# expect: ValueError('math domain error')
# expect: ValueError('math domain error')
# expect: ZeroDivisionError('float division by zero')

# case: math: infinities are not close
import math
print(math.isclose(1, float("inf")), math.isclose(float("inf"), float("inf")), math.isclose(1, 1.1, rel_tol=0.2))
# expect: False True True

# case: math: a tolerance below 0
import math
math.isclose(1, 2, rel_tol=-1)  # expect error[ValueError]: tolerances must be non-negative

# case: islice of what is no iterable
import itertools
itertools.islice(True, 0)  # expect error[TypeError]: 'bool' object is not iterable

# case: math.trunc of a text
import math
math.trunc("1.5")  # expect error[TypeError]: type str doesn't define __trunc__ method

# case: math.dist to infinity
import math
print(math.dist([1.0], [float("inf")]), math.dist([0, 0, 0], [1, 2, 2]))  # expect: inf 3.0

# case: a parameter of nothing
print(nn.Parameter())
# expect: Parameter containing:
# expect: tensor([], requires_grad=True)

# case: a kernel of half a length
nn.Conv1d(1, 2, 2.0)  # expect error[TypeError]: empty(): argument 'size' must be tuple of SymInts, but found element of type float at pos 3

# case: no random bits
import random
print(random.getrandbits(0))  # expect: 0

# case: a private module that exists
import torch._six
print("imported")  # expect: imported

# case: deque
from collections import deque
d = deque([1, 2, 3], maxlen=3)
d.append(4); d.appendleft(0)
print(d, list(d), len(d), d[0], d[-1], 2 in d, d.maxlen, d == deque([0, 2, 3], 3), bool(deque()))
# expect: deque([0, 2, 3], maxlen=3) [0, 2, 3] 3 0 3 True 3 True False
q = deque(); q.extend("abc"); q.rotate(1)
print(q, q.popleft(), q.pop(), q, sorted(deque([2, 1])), sum(deque([1, 2])), [x for x in reversed(deque("ab"))], deque("a").copy())
# expect: deque(['a']) c b deque(['a']) [1, 2] 3 ['b', 'a'] deque(['a'])
q.clear(); q.popleft()  # expect error[IndexError]: pop from an empty deque

# case: itertools
from itertools import chain, groupby, zip_longest, starmap, takewhile, dropwhile, filterfalse, compress, pairwise, tee, combinations_with_replacement
print(list(chain([1], (2, 3), "a")), list(chain.from_iterable([[1], [2, 3]])), list(chain()), next(chain([5])))
# expect: [1, 2, 3, 'a'] [1, 2, 3] [] 5
print([(k, list(g)) for k, g in groupby("aabbba")], [(k, len(list(g))) for k, g in groupby([1, 3, 2], key=lambda x: x % 2)])
# expect: [('a', ['a', 'a']), ('b', ['b', 'b', 'b']), ('a', ['a'])] [(1, 2), (0, 1)]
print(list(zip_longest([1, 2, 3], "ab", fillvalue="-")), list(starmap(pow, [(2, 3), (3, 2)])), list(takewhile(lambda x: x < 3, [1, 2, 3, 1])))
# expect: [(1, 'a'), (2, 'b'), (3, '-')] [8, 9] [1, 2]
print(list(dropwhile(lambda x: x < 3, [1, 2, 3, 1])), list(filterfalse(None, [0, 1, ""])), list(compress("abc", [1, 0, 1])), list(pairwise("abc")))
# expect: [3, 1] [0, ''] ['a', 'c'] [('a', 'b'), ('b', 'c')]
a, b = tee(iter([1, 2]))
print(list(a), list(b), list(combinations_with_replacement("ab", 2)))
# expect: [1, 2] [1, 2] [('a', 'a'), ('a', 'b'), ('b', 'b')]

# case: functools
from functools import lru_cache, cache, cached_property, total_ordering, cmp_to_key
@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30), fib.cache_info(), fib.__name__)
# expect: 832040 CacheInfo(hits=28, misses=31, maxsize=None, currsize=31) fib
@cache
def double(x):
    print("computing", x)
    return 2 * x
print(double(2), double(2))
# expect: computing 2
# expect: 4 4
class Data:
    @cached_property
    def table(self):
        print("once")
        return [1]
d = Data()
print(d.table, d.table is d.table)
# expect: once
# expect: [1] True
@total_ordering
class Version:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
print(Version(1) <= Version(1), Version(2) > Version(1), Version(1) >= Version(2))  # expect: True True False
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))  # expect: [3, 2, 1]

# case: names that newer versions of PyTorch have, and names that nobody has
print(hasattr(torch, "compile"), getattr(nn, "RMSNorm", None), hasattr(torch, "arrange"), hasattr(torch, "bmm"))  # expect: False None False True
try:
    torch.zeros(2).shapee
except AttributeError as e:
    print(e)  # expect: 'Tensor' object has no attribute 'shapee'
try:
    nn.Linearr
except AttributeError as e:
    print(e)  # expect: module 'torch.nn' has no attribute 'Linearr'
nn.Linear(1, 1).wieght  # expect error[AttributeError]: 'Linear' object has no attribute 'wieght'

# case: settings that change nothing here
import torch.backends.cudnn as cudnn
torch.backends.cudnn.deterministic = True
cudnn.benchmark = False
torch.set_num_threads(1); torch.set_float32_matmul_precision("highest"); torch.set_default_tensor_type("torch.FloatTensor")
torch.set_default_tensor_type(torch.FloatTensor); torch.use_deterministic_algorithms(False)
print(cudnn.benchmark, hasattr(torch.backends.cudnn, "deterministic"))  # expect: False True

# case: abstract classes
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
class Square(Shape):
    def area(self): return 4
print(Square().area(), isinstance(Square(), ABC))  # expect: 4 True

# case: layers by the files that define them
import torch.nn.modules.activation
from torch.nn.modules import Linear, Module, container
from torch.nn.modules.linear import Identity
from torch.nn.modules.transformer import MultiheadAttention, TransformerEncoderLayer
from torch.nn.modules.normalization import LayerNorm
print(Linear is nn.Linear, Module is nn.Module, Identity is nn.Identity, LayerNorm is nn.LayerNorm, MultiheadAttention is nn.MultiheadAttention)
print(torch.nn.modules.activation.ReLU(), container.Sequential(Linear(2, 3)), torch.nn.modules.loss.MSELoss is nn.MSELoss, TransformerEncoderLayer)
class Block(torch.nn.modules.module.Module):
    def forward(self, x):
        return x * 2
print(Block()(torch.ones(1)), isinstance(Block(), nn.Module), hasattr(torch.nn.modules.linear, 'LayerNorm'), hasattr(torch.nn.modules, 'linear'))
# expect: True True True True True
# expect: ReLU() Sequential(
# expect:   (0): Linear(in_features=2, out_features=3, bias=True)
# expect: ) True <class 'torch.nn.modules.transformer.TransformerEncoderLayer'>
# expect: tensor([2.]) True False True
from torch.nn.modules.linear import Conv2d  # expect error[ImportError]

# case: optimizers and data sets by the files that define them
from torch.optim.adam import Adam
from torch.optim.adamw import AdamW
from torch.optim.optimizer import Optimizer
from torch.optim.sgd import SGD
from torch.utils.data.dataloader import DataLoader, default_collate
from torch.utils.data.dataset import ConcatDataset, Dataset, Subset, TensorDataset, random_split
from torch.utils.data.sampler import RandomSampler, SequentialSampler
from torch.optim.rmsprop import RMSprop
print(Adam is torch.optim.Adam, AdamW is torch.optim.AdamW, SGD is torch.optim.SGD, issubclass(SGD, Optimizer), RMSprop is torch.optim.RMSprop)
print(DataLoader is torch.utils.data.DataLoader, Dataset is torch.utils.data.Dataset, len(Subset(TensorDataset(torch.ones(3)), [0])), list(SequentialSampler([1, 2])), default_collate([1, 2]))
# expect: True True True True True
# expect: True True 1 [0, 1] tensor([1, 2])

# case: characters that can be printed
import string
print(repr(string.printable), len(string.printable), [c for c in 'aé\n\0' if c in string.printable])
# expect: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\x0b\x0c' 100 ['a', '\n']

# case: torch.functional names F
from torch.functional import F as G
print(G.relu(torch.tensor([-1., 2.])))
# expect: tensor([0., 2.])
