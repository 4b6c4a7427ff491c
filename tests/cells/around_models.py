# What notebooks ask for around their models: states of generators, Jacobians, samplers, schedules, numpy's odds and ends.
import os
import re
import tempfile

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__)


# case: the state of the generator
torch.manual_seed(3)
state = torch.get_rng_state()
first = torch.rand(2), torch.randn(3)
torch.set_rng_state(state)
print(torch.equal(first[0], torch.rand(2)), state.shape, state.dtype, state[:8].tolist(), state[8:40].tolist())
# expect: True torch.Size([5056]) torch.uint8 [3, 0, 0, 0, 0, 0, 0, 0] [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 48, 156, 22, 68, 0, 0, 0, 0]
print(torch.equal(first[1], torch.randn(3)))  # expect: True
state = torch.random.get_rng_state()
print(state.long().sum(), state[-40:].tolist())
# expect: tensor(323474) [0, 0, 0, 0, 0, 0, 0, 0, 248, 55, 106, 75, 229, 234, 247, 63, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
torch.rand(1000)
print(torch.get_rng_state()[8:24].tolist())  # expect: [239, 0, 0, 0, 1, 0, 0, 0, 130, 1, 0, 0, 0, 0, 0, 0]
with torch.random.fork_rng():
    torch.manual_seed(1)
    torch.rand(5)
print(torch.rand(2))  # expect: tensor([0.0175, 0.0676])
attempt(lambda: torch.set_rng_state(torch.zeros(3, dtype=torch.uint8)))  # expect: RuntimeError
attempt(lambda: torch.set_rng_state(3))  # expect: TypeError


# case: Jacobians and differences
x, y = torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([5., 6.])
jacobian = torch.autograd.functional.jacobian
print(jacobian(lambda x, y: (x * y).sum(0), (x, y)), jacobian(lambda x: (x ** 2).sum(), y))
# expect: (tensor([[[5., 0.],
# expect:          [5., 0.]],
# expect:
# expect:         [[0., 6.],
# expect:          [0., 6.]]]), tensor([[4., 0.],
# expect:         [0., 6.]])) tensor([10., 12.])
print(jacobian(lambda x: (x, x * 2), y), jacobian(lambda x: torch.ones(2), y))
# expect: (tensor([[1., 0.],
# expect:         [0., 1.]]), tensor([[2., 0.],
# expect:         [0., 2.]])) tensor([[0., 0.],
# expect:         [0., 0.]])
ones = torch.ones(2, dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(lambda x: x.exp(), ones))  # expect: True
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 3
print(torch.autograd.gradcheck(Wrong.apply, ones, raise_exception=False))  # expect: False
attempt(lambda: torch.autograd.gradcheck(Wrong.apply, ones))  # expect: GradcheckError
attempt(lambda: torch.autograd.gradcheck(lambda x: x.exp(), torch.ones(2)))  # expect: ValueError
with torch.autograd.set_detect_anomaly(True):
    print(1)
# expect: 1


# case: attention as a function
torch.manual_seed(0)
mha, q = nn.MultiheadAttention(8, 2), torch.ones(3, 1, 8)
out, w = F.multi_head_attention_forward(q, q, q, 8, 2, mha.in_proj_weight, mha.in_proj_bias, None, None, False, 0.,
                                        mha.out_proj.weight, mha.out_proj.bias)
print(torch.equal(out, mha(q, q, q)[0]), w.shape)  # expect: True torch.Size([1, 3, 3])


# case: rows by weight, rows of a stream
from torch.utils.data import DataLoader, IterableDataset, WeightedRandomSampler, get_worker_info
torch.manual_seed(0)
print(list(WeightedRandomSampler([.1, .9, .5], 6)), len(WeightedRandomSampler([1, 1], 3)))
# expect: [2, 2, 1, 2, 1, 2] 3
class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(5))
print([batch for batch in DataLoader(Stream(), batch_size=2)], get_worker_info())
# expect: [tensor([0, 1]), tensor([2, 3]), tensor([4])] None
attempt(lambda: DataLoader(Stream(), shuffle=True))  # expect: ValueError


# case: numpy counts and joins
print(np.histogram(np.array([1, 2, 2, 3.5]), bins=3), np.histogram([1, 2, 1], bins=[0, 1, 2, 3]))
# expect: (array([1, 2, 1]), array([1.        , 1.83333333, 2.66666667, 3.5       ])) (array([0, 2, 1]), array([0, 1, 2, 3]))
print(np.histogram(np.arange(5), 4, density=True), np.histogram([1., 5.], 2, (0, 4)))
# expect: (array([0.2, 0.2, 0.2, 0.4]), array([0., 1., 2., 3., 4.])) (array([1, 0]), array([0., 2., 4.]))
print(np.convolve([1, 2, 3], [0, 1, 0.5]), np.convolve([1, 2, 3], [0, 1, 0.5], 'same'), np.convolve([1, 2, 3], [0, 1], 'valid'))
# expect: [0.  1.  2.5 4.  1.5] [1.  2.5 4. ] [1 2]
print(np.interp(1.5, [1, 2], [10, 20]), np.interp([0, 1.2, 5], [1, 2, 3], [10, 20, 15]))  # expect: 15.0 [10. 12. 15.]
print(np.tensordot(np.arange(6.).reshape(2, 3), np.ones((3, 2)), axes=1))
# expect: [[ 3.  3.]
# expect:  [12. 12.]]
print(np.tensordot(np.arange(8.).reshape(2, 2, 2), np.ones((2, 2)), axes=([1, 2], [0, 1])))  # expect: [ 6. 22.]
print(np.vectorize(lambda a, b: a + b)(np.arange(3), 2))  # expect: [2 3 4]


# case: correlations of two
print(np.corrcoef([1., 2., 4.], [2., 1., 5.]), np.cov([1., 2., 4.], [2., 1., 5.]))
# expect: [[1.         0.83862787]
# expect:  [0.83862787 1.        ]] [[2.33333333 2.66666667]
# expect:  [2.66666667 4.33333333]]

# case: groups of a match
found = re.match(r'(?P<a>x)(?P<b>y)?', 'xz')
print(found.lastgroup, found.regs, hasattr(found, 'lastgroup'), found.lastindex)
# expect: a ((0, 1), (0, 1), (-1, -1)) True 1


# case: special methods of what is built in
print([1, 2].__len__(), (1).__add__(2), max([1, 3, 2], key=[0, 3, 9, 1].__getitem__), (2.567).__round__(1))
# expect: 2 3 2 2.6
print(list.__len__([1]), [3].__iter__().__next__(), torch.ones(2).__getitem__(0), (5).__repr__(), float.__round__(2.5))
# expect: 1 3 tensor(1.) 5 2
numbers = [1, 2]
numbers.__setitem__(0, 5)
print(numbers, hasattr(5, '__iter__'), hasattr(range(3), '__len__'), hasattr(len, '__call__'), hasattr([1], '__next__'))
# expect: [5, 2] False True True False


# case: folders that go away
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'm.pt')
    torch.save({'a': torch.ones(2)}, path)
    print(torch.load(path), os.path.exists(path), os.listdir(folder))
# expect: {'a': tensor([1., 1.])} True ['m.pt']
print(os.path.exists(path), os.path.isdir(tempfile.mkdtemp()))  # expect: False True


# case: schedules
schedules = torch.optim.lr_scheduler
def rates(make, count=6):
    optimizer = torch.optim.SGD([nn.Parameter(torch.ones(2))], 0.1, momentum=0.9)
    schedule, out = make(optimizer), []
    for _ in range(count):
        optimizer.step()
        schedule.step()
        out.append(round(schedule.get_last_lr()[0], 8))
    return out
print(rates(lambda o: schedules.MultiplicativeLR(o, lambda epoch: 0.9)))
# expect: [0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.0531441]
print(rates(lambda o: schedules.ConstantLR(o, 0.5, 3)), rates(lambda o: schedules.PolynomialLR(o, 4, 2.)))
# expect: [0.05, 0.05, 0.1, 0.1, 0.1, 0.1] [0.05625, 0.025, 0.00625, 0.0, 0.0, 0.0]
parts = lambda o: [schedules.LinearLR(o, 0.1, 1., 3), schedules.CosineAnnealingLR(o, 5)]
print(rates(lambda o: schedules.SequentialLR(o, parts(o), milestones=[3])))
# expect: [0.04, 0.07, 0.1, 0.09045085, 0.06545085, 0.03454915]
class Warm(schedules._LRScheduler):
    def __init__(self, optimizer, warm, last_epoch=-1):
        self.warm = warm
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * min(1., (self.last_epoch + 1) / self.warm) for base in self.base_lrs]
print(rates(lambda o: Warm(o, 4)), torch.get_num_threads() > 0)  # expect: [0.05, 0.075, 0.1, 0.1, 0.1, 0.1] True

# case: what a type is
print([(t.is_floating_point, t.is_signed, t.is_complex) for t in (torch.float32, torch.int64, torch.bool, torch.uint8)])
# expect: [(True, True, False), (False, True, False), (False, False, False), (False, False, False)]


# case: a function is one, however often it is asked for
import math
import numpy as np
print(F.relu is F.relu, F.relu == F.gelu, F.relu in (F.gelu, F.relu), {F.relu: 'relu', torch.tanh: 'tanh'}[F.relu])
# expect: True False True relu
print(torch.cat is torch.cat, math.sin is math.sin, np.mean is np.mean, F.prelu is F.prelu, hash(F.relu) == hash(F.relu))
# expect: True True True True True
class Asked:
    def method(self):
        pass
one = Asked()
print(one.method == one.method, one.method == Asked().method, len({one.method, one.method}), Asked.method is Asked.method)
# expect: True False 1 True


# case: gradients of losses in PyTorch's order, to the last digit
torch.manual_seed(0)
x, y = (torch.randn(40) * 8).requires_grad_(), torch.randn(40).requires_grad_()
t, pos_weight, weight = torch.rand(40).requires_grad_(), torch.rand(40) * 3, torch.rand(40)
def gradients(loss):
    x.grad = y.grad = None
    (loss * 0.37).sum().backward()
    print(loss.detach().double().sum().item(), x.grad.double().sum().item(), x.grad.double().square().sum().item())
for how in ({}, {'pos_weight': pos_weight}, {'weight': weight, 'pos_weight': pos_weight}, {'reduction': 'none'}):
    gradients(F.binary_cross_entropy_with_logits(x, t, **how))
# expect: 3.352041244506836 0.0092980476692901 0.0010478799150070912
# expect: 3.8453431129455566 -0.019060589649598114 0.0017477692131365767
# expect: 1.9007704257965088 -0.004924412613036111 0.00046008907946125356
# expect: 134.08164450526237 0.3719219022896141 1.676607866765257
for how in ({}, {'reduction': 'sum'}, {'size_average': False}, {'reduction': 'none'}):
    gradients(F.mse_loss(x, y, **how))
# expect: 60.0942497253418 -0.5056517906486988 0.8226903268507245
# expect: 2403.77001953125 -20.226069182157516 1316.304531790462
# expect: 2403.77001953125 -20.226069182157516 1316.304531790462
# expect: 2403.7700404524803 -20.226069182157516 1316.304531790462
gradients(F.smooth_l1_loss(x, y, beta=0.3))
# expect: 6.1052961349487305 0.0 0.003422500088214875
gradients(F.smooth_l1_loss(x, x, beta=0, reduction='sum'))
# expect: 0.0 -29.600000381469727 21.9040005645752
print(F.binary_cross_entropy_with_logits(torch.tensor([15., 17.5, 100., float('inf')]), torch.tensor([0., 1., .5, 1.]), reduction='none'))
# expect: tensor([15.,  0., 50., nan])


# case: an index of numpy
import numpy as np
w = torch.arange(9.).view(3, 3).requires_grad_()
def indexed(index):
    w.grad = None
    try:
        found = w[index]
        found.sum().backward()
        print(list(found.shape), w.grad.flatten().tolist())
    except IndexError as error:
        print(error)
twice = np.array([0, 0, 1])
for index in (twice, (slice(None), twice), (twice, twice), (twice, 1), (..., twice), np.array([[0, 0], [1, 1]]), np.zeros((1, 2), dtype=int), np.zeros((32, 1), dtype=int), np.array([[[0, 1]], [[1, 2]]]), np.array([[True, False, True]] * 3), np.array([0, 1], dtype=np.int32), np.array([0, 1, 1], dtype=np.uint8), np.array([0., 1.])):
    indexed(index)
# expect: [3, 3] [2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
# expect: [3, 3] [2.0, 1.0, 0.0, 2.0, 1.0, 0.0, 2.0, 1.0, 0.0]
# expect: [3] [2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
# expect: [3] [0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
# expect: [3, 3] [2.0, 1.0, 0.0, 2.0, 1.0, 0.0, 2.0, 1.0, 0.0]
# expect: [2] [0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
# expect: [2, 3] [2.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
# expect: [32, 1, 3] [32.0, 32.0, 32.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
# expect: [1, 2] [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
# expect: too many indices for tensor of dimension 2
# expect: [2, 3] [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
# expect: [2, 3] [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
# expect: [2, 3] [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
rows = torch.zeros(3, 3)
rows[np.array([[0, 1], [1, 2]])] = 5
rows[np.array([0, 1]), 2] += 1
print(rows.tolist())
# expect: [[0.0, 5.0, 1.0], [0.0, 0.0, 6.0], [0.0, 0.0, 0.0]]


# case: what notebooks take from Python's library
from collections import ChainMap
from contextlib import ExitStack, redirect_stdout
from functools import partial, singledispatch
import io
import textwrap
import warnings
add = partial(partial(sorted, [3, 1, 2]), reverse=True)
print(add.func is sorted, add.args, add.keywords, add(), add(reverse=False))
# expect: True ([3, 1, 2],) {'reverse': True} [3, 2, 1] [1, 2, 3]
settings = ChainMap({'lr': .02}, {'lr': .1, 'decay': 0})
print(dict(settings), settings['decay'], {**settings}, len(settings), (lambda **given: given)(**settings))
# expect: {'lr': 0.02, 'decay': 0} 0 {'lr': 0.02, 'decay': 0} 2 {'lr': 0.02, 'decay': 0}
@singledispatch
def kind(value):
    return 'any'
@kind.register(int)
def _(value):
    return 'int'
@kind.register
def _(value: torch.Tensor):
    return f'Tensor of {value.dim()}'
@kind.register
def _(value: list):
    return [kind(item) for item in value]
print(kind(1), kind('a'), kind(True), kind(torch.ones(2, 3)), kind([1, 'b', torch.tensor(1)]), kind(nn.Parameter(torch.ones(1))))
# expect: int any int Tensor of 2 ['int', 'any', 'Tensor of 0'] Tensor of 1
print(kind.dispatch(bool)(7), kind.dispatch(str) is kind.registry[object], list in kind.registry, str in kind.registry)
# expect: int True True False
heard = io.StringIO()
with redirect_stdout(heard):
    print('inside', 1)
print(repr(heard.getvalue()))
# expect: 'inside 1\n'
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter('always')
    warnings.warn('careful')
print(len(seen), seen[0].category.__name__, seen[0].message)
# expect: 1 UserWarning careful
with ExitStack() as stack:
    stack.enter_context(torch.no_grad())
    print(torch.is_grad_enabled())
# expect: False
print(torch.is_grad_enabled())
# expect: True
with ExitStack() as stack:
    stack.callback(print, 'first in, last out')
    stack.push(lambda kind, error, trace: print(kind, error))
    later = stack.pop_all()
    print('nothing is left to do')
later.close()
# expect: nothing is left to do
# expect: None None
# expect: first in, last out
print(textwrap.wrap('the quick brown fox jumps over the lazy dog', 16), textwrap.shorten('hello there world', 12, placeholder='..'))
# expect: ['the quick brown', 'fox jumps over', 'the lazy dog'] hello..
print(textwrap.fill('one two three four', width=10, initial_indent='* ', subsequent_indent='  '))
# expect: * one two
# expect:   three
# expect:   four
device = torch.device('cpu')
print(type(device), isinstance(device, torch.device), hash(np.int64(3)) == 3)
# expect: <class 'torch.device'> True True
try:
    raise MemoryError('no room')
except MemoryError as error:
    print(error)
# expect: no room


# case: places and curves of numpy
a = np.array([[1., np.nan, 3.], [4., 5., 6.]])
print(np.nansum(a), np.nanmean(a, axis=1), np.nanmax(a, axis=0), np.nanmin(a), np.nanstd(a))
# expect: 19.0 [2. 5.] [4. 5. 6.] 1.0 1.7204650534085253
print(np.triu_indices(3, 1), np.tril_indices(2), np.c_[np.array([1, 2]), np.array([3, 4])].tolist(), np.r_[1:4, 7])
# expect: (array([0, 0, 1]), array([1, 2, 2])) (array([0, 1, 1]), array([0, 0, 1])) [[1, 3], [2, 4]] [1 2 3 7]
square = np.zeros((2, 2))
np.fill_diagonal(square, 7)
print(square.tolist(), np.searchsorted([1, 2, 3], 2.5), np.digitize([.5, 1.5], [0, 1, 2]), np.isin([1, 2], [2]))
# expect: [[7.0, 0.0], [0.0, 7.0]] 2 [1 2] [False  True]
print(np.gradient(np.array([1., 4., 9., 16.])), np.trapz([1, 2, 3]), np.logspace(0, 2, 3), np.ptp([1, 5]))
# expect: [3. 4. 6. 7.] 4.0 [  1.  10. 100.] 4
print(np.take_along_axis(np.array([[1, 2], [3, 4]]), np.array([[0], [1]]), 1).tolist())
# expect: [[1], [4]]
print(np.random.default_rng(0).choice(['a', 'b', 'c'], 4))
# expect: ['c' 'b' 'b' 'a']


# case: arguments of the wrong kind
import itertools
import re
import numpy as np
for wrong in (lambda: re.sub('a', 'b', 'aaa', count=None), lambda: re.compile('b').search('ab', None), lambda: re.split('a', 'bab', 1.5), lambda: list(itertools.islice([1, 2], 0, 1.5)), lambda: np.random.permutation(float('nan'))):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__)
# expect: TypeError
# expect: TypeError
# expect: TypeError
# expect: ValueError
# expect: IndexError
print(np.random.permutation(-1))
# expect: []
