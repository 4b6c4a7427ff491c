# What notebooks ask of torch beside attention: sets, running extremes, windows put back, losses of pairs, ranks.
import torch
from torch import nn
from torch.nn import functional as F


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__)


# case: among others
print(torch.isin(torch.arange(5), torch.tensor([1, 3])), torch.isin(torch.arange(4), 3), torch.isin(2, torch.arange(3)))
# expect: tensor([False,  True, False,  True, False]) tensor([False, False, False,  True]) tensor(True)
print(torch.isin(torch.arange(5), torch.tensor([[1], [3]]), invert=True))
# expect: tensor([ True, False,  True, False,  True])


# case: the best so far
a = torch.tensor([[3., 1., 3.], [2., 5., float('nan')]])
for dim in (0, -1):
    print(torch.cummax(a, dim))
    print(a.cummin(dim).indices)
    print(torch.logcumsumexp(a, dim))
# expect: torch.return_types.cummax(
# expect: values=tensor([[3., 1., 3.],
# expect:         [3., 5., nan]]),
# expect: indices=tensor([[0, 0, 0],
# expect:         [0, 1, 1]]))
# expect: tensor([[0, 0, 0],
# expect:         [1, 0, 1]])
# expect: tensor([[3.0000, 1.0000, 3.0000],
# expect:         [3.3133, 5.0181,    nan]])
# expect: torch.return_types.cummax(
# expect: values=tensor([[3., 3., 3.],
# expect:         [2., 5., nan]]),
# expect: indices=tensor([[0, 0, 2],
# expect:         [0, 1, 2]]))
# expect: tensor([[0, 1, 1],
# expect:         [0, 0, 2]])
# expect: tensor([[3.0000, 3.1269, 3.7586],
# expect:         [2.0000, 5.0486,    nan]])
print(torch.cummax(torch.tensor([1, 3, 3, 2]), 0), torch.tensor(4.).cummax(0), torch.zeros(0).cummax(0))
# expect: torch.return_types.cummax(
# expect: values=tensor([1, 3, 3, 3]),
# expect: indices=tensor([0, 1, 2, 2])) torch.return_types.cummax(
# expect: values=tensor(4.),
# expect: indices=tensor(0)) torch.return_types.cummax(
# expect: values=tensor([]),
# expect: indices=tensor([], dtype=torch.int64))


# case: without nan
a = torch.tensor([[3., 1., 3.], [2., 5., float('nan')]])
print(a.nansum(), a.nanmean(), a.nansum(0), a.nanmean(1, keepdim=True), torch.tensor([1, 2]).nansum(dtype=torch.float64))
# expect: tensor(14.) tensor(2.8000) tensor([5., 6., 3.]) tensor([[2.3333],
# expect:         [3.5000]]) tensor(3., dtype=torch.float64)
attempt(lambda: torch.tensor([1, 2]).nanmean())  # expect: RuntimeError


# case: blocks and shapes
print(torch.kron(torch.eye(2), torch.arange(4.).view(2, 2)), torch.kron(torch.arange(2), torch.arange(3)))
# expect: tensor([[0., 1., 0., 0.],
# expect:         [2., 3., 0., 0.],
# expect:         [0., 0., 0., 1.],
# expect:         [0., 0., 2., 3.]]) tensor([0, 0, 0, 0, 1, 2])
print(torch.kron(torch.ones(2), torch.arange(4.).view(2, 2)))
# expect: tensor([[0., 1., 0., 1.],
# expect:         [2., 3., 2., 3.]])
print(torch.broadcast_shapes((2, 1), (3,), 1), torch.broadcast_shapes((5, 1, 4), (1, 3, 1)), torch.block_diag().shape)
# expect: torch.Size([2, 3]) torch.Size([5, 3, 4]) torch.Size([1, 0])
attempt(lambda: torch.broadcast_shapes((2,), (3,)))  # expect: RuntimeError


# case: most often
print(torch.mode(torch.tensor([1, 2, 2, 3])), torch.tensor([[2, 1, 1], [3, 3, 2]]).mode(0))
# expect: torch.return_types.mode(
# expect: values=tensor(2),
# expect: indices=tensor(2)) torch.return_types.mode(
# expect: values=tensor([2, 1, 1]),
# expect: indices=tensor([0, 0, 0]))
print(torch.tensor([[4, 1, 1, 4]]).mode(keepdim=True))
# expect: torch.return_types.mode(
# expect: values=tensor([[1]]),
# expect: indices=tensor([[2]]))


# case: windows put back
x = torch.arange(32.).view(1, 2, 4, 4)
columns = nn.Unfold(2, stride=2)(x)
print(columns.shape, nn.Unfold(2, stride=2), nn.Fold((4, 4), kernel_size=2, stride=2))
# expect: torch.Size([1, 8, 4]) Unfold(kernel_size=2, dilation=1, padding=0, stride=2) Fold(output_size=(4, 4), kernel_size=2, dilation=1, padding=0, stride=2)
print(torch.equal(nn.Fold((4, 4), 2, stride=2)(columns), x))  # expect: True
for settings in ({'kernel_size': 3, 'padding': 1}, {'kernel_size': (2, 3)}, {'kernel_size': 2, 'dilation': 2}):
    columns = F.unfold(x, **settings)
    print(columns.shape, F.fold(columns, (4, 4), **settings)[0, 0])
# expect: torch.Size([1, 18, 16]) tensor([[ 0.,  6., 12., 12.],
# expect:         [24., 45., 54., 42.],
# expect:         [48., 81., 90., 66.],
# expect:         [48., 78., 84., 60.]])
# expect: torch.Size([1, 12, 6]) tensor([[ 0.,  2.,  4.,  3.],
# expect:         [ 8., 20., 24., 14.],
# expect:         [16., 36., 40., 22.],
# expect:         [12., 26., 28., 15.]])
# expect: torch.Size([1, 8, 4]) tensor([[ 0.,  1.,  2.,  3.],
# expect:         [ 4.,  5.,  6.,  7.],
# expect:         [ 8.,  9., 10., 11.],
# expect:         [12., 13., 14., 15.]])
print(F.fold(torch.ones(4, 4), 4, 2, stride=2).shape)  # expect: torch.Size([1, 4, 4])
attempt(lambda: F.fold(torch.ones(1, 5, 4), (4, 4), 2, stride=2))  # expect: RuntimeError
attempt(lambda: F.fold(torch.ones(1, 4, 5), (4, 4), 2, stride=2))  # expect: RuntimeError


# case: losses of pairs
torch.manual_seed(0)
u, v, w = torch.randn(3, 4, requires_grad=True), torch.randn(3, 4), torch.randn(3, 4)
sign = torch.tensor([1., -1., 1.])
for reduction in ('mean', 'sum', 'none'):
    print(F.cosine_embedding_loss(u, v, sign, 0.1, reduction=reduction))
    print(F.margin_ranking_loss(u[:, 0], v[:, 0], sign, margin=0.5, reduction=reduction))
    print(F.triplet_margin_loss(u, v, w, 2., swap=True, reduction=reduction))
# expect: tensor(0.8265, grad_fn=<MeanBackward0>)
# expect: tensor(0.5299, grad_fn=<MeanBackward0>)
# expect: tensor(3.2018, grad_fn=<MeanBackward0>)
# expect: tensor(2.4795, grad_fn=<SumBackward0>)
# expect: tensor(1.5897, grad_fn=<SumBackward0>)
# expect: tensor(9.6054, grad_fn=<SumBackward0>)
# expect: tensor([0.8428, 0.0000, 1.6367], grad_fn=<AddBackward0>)
# expect: tensor([0.0000, 0.0000, 1.5897], grad_fn=<ClampMinBackward0>)
# expect: tensor([3.6021, 3.3794, 2.6239], grad_fn=<ClampMinBackward0>)
print(nn.CosineEmbeddingLoss(margin=0.2)(u, v, sign), nn.MarginRankingLoss(0.3)(u[:, 1], w[:, 1], sign))
# expect: tensor(0.8265, grad_fn=<MeanBackward0>) tensor(1.0344, grad_fn=<MeanBackward0>)
print(nn.TripletMarginLoss(margin=0.5, p=1)(u, v, w), nn.TripletMarginLoss(), nn.CosineEmbeddingLoss())
# expect: tensor(1.7120, grad_fn=<MeanBackward0>) TripletMarginLoss() CosineEmbeddingLoss()
(nn.CosineEmbeddingLoss()(u, v, sign) + nn.TripletMarginLoss()(u, v, w)).backward()
print(u.grad)
# expect: tensor([[ 0.1630, -0.0339,  0.0492, -0.1280],
# expect:         [ 0.0890, -0.0906,  0.1480, -0.0468],
# expect:         [ 0.0926, -0.2402, -0.4859, -0.2258]])


# case: reductions by their old names
v = torch.tensor([[0.5, 0.5], [0.25, 0.75]])
for settings in ({'size_average': False}, {'reduce': False}, {'size_average': True}):
    print(nn.KLDivLoss(**settings)(v.log(), v.flip(0)), nn.MSELoss(**settings)(v, v.flip(0)))
# expect: tensor(0.2747) tensor(0.2500)
# expect: tensor([[-0.1733,  0.3041],
# expect:         [ 0.3466, -0.2027]]) tensor([[0.0625, 0.0625],
# expect:         [0.0625, 0.0625]])
# expect: tensor(0.0687) tensor(0.0625)


# case: gradients of them
torch.manual_seed(0)
u, v = torch.randn(3, 4, requires_grad=True), torch.randn(3, 4)
for function, dim in ((torch.cummax, 1), (torch.cummin, 0)):
    u.grad = None
    (function(u, dim).values * v).sum().backward()
    print(u.grad)
# expect: tensor([[-0.7046,  0.0000,  0.0000,  0.0000],
# expect:         [-0.1932,  0.0000, -0.8920, -1.5091],
# expect:         [ 0.3704,  2.3963,  0.0000,  0.7748]])
# expect: tensor([[-0.8567,  1.1006, -1.0234, -1.3864],
# expect:         [-0.1959,  1.8296,  0.0000,  0.0000],
# expect:         [ 0.0000,  0.0000,  0.0000,  0.7748]])
u.grad = None
(torch.logcumsumexp(u, 1) * v + u.nansum(1, keepdim=True) + u.mode(1, keepdim=True).values).sum().backward()
print(u.grad)
# expect: tensor([[3.2662, 4.0196, 7.9800, 4.0297],
# expect:         [3.3883, 7.9669, 2.8445, 3.2060],
# expect:         [9.3828, 5.3886, 4.4502, 4.3199]])


# case: a linear layer of three axes gives a view
layer = nn.Linear(2, 2)
x = layer(torch.ones(1, 3, 2))
x += 1
print(x.grad_fn.name(), x.requires_grad)  # expect: AsStridedBackward0 True


# case: matrices
L = torch.linalg
s = torch.tensor([[2., 1.], [1., 2.]])
b = torch.tensor([[2., 1., 0.], [1., 2., 1.]])
print(L.matrix_rank(b, 1.5), L.matrix_rank(b, torch.tensor([.5, 1.5, 3.])), L.matrix_rank(s, rtol=.5), L.matrix_rank(s, atol=1.5))
# expect: tensor(1) tensor([2, 1, 1]) tensor(1) tensor(1)
print(L.pinv(torch.stack([s, s]), torch.tensor([.1, .9])), L.pinv(b, rtol=0.6))
# expect: tensor([[[ 0.6667, -0.3333],
# expect:          [-0.3333,  0.6667]],
# expect:
# expect:         [[ 0.1667,  0.1667],
# expect:          [ 0.1667,  0.1667]]]) tensor([[0.1440, 0.1631],
# expect:         [0.1501, 0.1700],
# expect:         [0.0521, 0.0590]])
for wrong in (lambda: L.matrix_rank(b, None), lambda: L.pinv(b, None), lambda: L.eigvalsh(s, 'x'), lambda: L.matrix_rank(b, hermitian=True)):
    attempt(wrong)
# expect: TypeError
# expect: TypeError
# expect: RuntimeError
# expect: RuntimeError
try:
    torch.inverse(torch.zeros(1, 1))
except torch.linalg.LinAlgError as error:
    print(type(error).__name__, isinstance(error, RuntimeError), error)
# expect: _LinAlgError True linalg.inv: The diagonal element 1 is zero, the inversion could not be completed because the input matrix is singular.


# case: the gradient of logit at its ends
x = torch.tensor([0., 1., -1., 0.5], requires_grad=True)
torch.logit(x).sum().backward()
print(x.grad)  # expect: tensor([inf, inf, nan, 4.])


# case: members of an IntEnum are numbers
from enum import Enum, IntEnum
import json
import random
import numpy as np
class Token(IntEnum):
    PAD = 0
    BOS = 1
    EOS = 3
class Color(int, Enum):
    RED = 1
    BLUE = 2
print(torch.full((2,), Token.EOS), torch.tensor([[Token.PAD, 1], [2, Token.EOS]]), torch.zeros(Token.EOS, 2).shape)
# expect: tensor([3, 3]) tensor([[0, 1],
# expect:         [2, 3]]) torch.Size([3, 2])
print(torch.arange(4) == Token.BOS, torch.arange(4)[Token.BOS:Token.EOS], torch.arange(4)[[Token.EOS, Token.PAD]])
# expect: tensor([False,  True, False, False]) tensor([1, 2]) tensor([3, 0])
print(nn.Embedding(5, Token.EOS, padding_idx=Token.PAD), F.one_hot(torch.tensor([1]), Token.EOS))
# expect: Embedding(5, 3, padding_idx=0) tensor([[0, 1, 0]])
print(F.cross_entropy(torch.zeros(2, 3), torch.tensor([1, 0]), ignore_index=Token.PAD))
# expect: tensor(1.0986)
print(np.array([Token.PAD, Token.EOS]), np.arange(3) + Token.EOS, np.full(2, Token.BOS), np.arange(5)[Token.EOS])
# expect: [0 3] [3 4 5] [1 1] 3
print(Token.EOS - 1, 2 ** Token.EOS, -Token.EOS, Token.EOS / 2, abs(Token.EOS), Token.BOS < Token.EOS, 'ab' * Token.EOS)
# expect: 2 8 -3 1.5 3 True ababab
print(Token.PAD or 5, {1: 'x'}[Token.BOS], [7, 8][Token.BOS], f'{Token.EOS:03d}', f'{Token.EOS}', [Token.EOS], sum(Token))
# expect: 5 x 8 003 3 [<Token.EOS: 3>] 4
print(isinstance(Token.PAD, int), json.dumps({'a': Token.EOS}), random.Random(Token.EOS).random() == random.Random(3).random())
# expect: True {"a": 3} True
print(Color.RED + 1, Color.RED == 1, Color.RED, torch.tensor(Color.BLUE), sorted(Color, reverse=True), Color.RED in {1: 2})
# expect: 2 True Color.RED tensor(2) [<Color.BLUE: 2>, <Color.RED: 1>] True
attempt(lambda: Token.EOS + 'a')
# expect: TypeError


# case: what has no gradient though it meets infinity
a = torch.tensor([float('inf'), -1., 2.], requires_grad=True)
F.smooth_l1_loss(a, torch.zeros(3), reduction='sum').backward()
F.huber_loss(a, torch.zeros(3), reduction='sum', delta=2.).backward()
w = torch.tensor([float('inf')], requires_grad=True)
torch.prelu(a, w).sum().backward()
c = torch.tensor([2., float('nan')], requires_grad=True)
(-torch.addmv(c, torch.ones(2, 2), torch.ones(2), beta=0)).sum().backward()
print(a.grad, w.grad, c.grad)
# expect: tensor([4., inf, 4.]) tensor([-1.]) tensor([-0., -0.])
attempt(lambda: torch.kron(torch.ones(3, 4, 2).transpose(0, 2), torch.ones(2)))
# expect: RuntimeError
print(torch.tensor([], dtype=torch.int64).bincount(torch.ones(0), 3), torch.ones(2, 3).long().t().nan_to_num().stride())
# expect: tensor([0, 0, 0]) (1, 3)


# case: numpy without nan, by axes and types
import numpy as np
def kinds(function):
    found = function()
    print(np.asarray(found).tolist(), found.dtype)
a = np.array([[1., np.nan, 3.], [4., 5., 6.]])
for x in (a, a.astype(np.float32), np.array([[3, 1], [2, 2]])):
    for function in (np.nansum, np.nanmax, np.nanmean, np.nanstd):
        kinds(lambda: function(x))
        kinds(lambda: function(x, axis=1))
    kinds(lambda: np.nanmean(x, axis=0, keepdims=True))
# expect: 19.0 float64
# expect: [4.0, 15.0] float64
# expect: 6.0 float64
# expect: [3.0, 6.0] float64
# expect: 3.8 float64
# expect: [2.0, 5.0] float64
# expect: 1.7204650534085253 float64
# expect: [1.0, 0.816496580927726] float64
# expect: [[2.5, 5.0, 4.5]] float64
# expect: 19.0 float32
# expect: [4.0, 15.0] float32
# expect: 6.0 float32
# expect: [3.0, 6.0] float32
# expect: 3.799999952316284 float32
# expect: [2.0, 5.0] float32
# expect: 1.7204649448394775 float32
# expect: [1.0, 0.8164966106414795] float32
# expect: [[2.5, 5.0, 4.5]] float32
# expect: 8 int64
# expect: [4, 4] int64
# expect: 3 int64
# expect: [3, 2] int64
# expect: 2.0 float64
# expect: [2.0, 2.0] float64
# expect: 0.7071067811865476 float64
# expect: [1.0, 0.0] float64
# expect: [[2.5, 1.5]] float64
kinds(lambda: np.nanmax(np.array([[np.nan, np.nan], [1., 2.]]), axis=1))
# expect: [nan, 2.0] float64
for x in ([1., 4., 9., 16.], np.array([1, 4, 9]), np.array([1, 4, 9], dtype=np.float32)):
    kinds(lambda: np.gradient(x, 0.5))
# expect: [6.0, 8.0, 12.0, 14.0] float64
# expect: [6.0, 8.0, 10.0] float64
# expect: [6.0, 8.0, 10.0] float32
print(np.trapz([[1, 2], [3, 5]]), np.trapz([1., 2., 3.], x=[0., 1., 4.]), np.logspace(0, 3, 4, base=2))
# expect: [1.5 4. ] 9.0 [1. 2. 4. 8.]
print(np.searchsorted([1., 2., 3.], [0, 2, 9]), np.searchsorted(np.array([1, 2, 2], dtype=np.float32), 2, side='right'))
# expect: [0 1 3] 3
print(np.c_[np.ones((2, 2)), [3, 4]].tolist(), np.r_[0:1:0.5], np.r_[[1, 2], 3], np.triu_indices(2, 0, 3), np.ptp(np.array([[3, 1], [2, 2]]), axis=0))
# expect: [[1.0, 1.0, 3.0], [1.0, 1.0, 4.0]] [0.  0.5] [1 2 3] (array([0, 0, 0, 1, 1]), array([0, 1, 2, 1, 2])) [1 1]
# case: lists of tensors are compared by their numbers
print([torch.tensor(1)] == [1], (torch.tensor(2.), 3) == (2., 3), {'a': torch.tensor(1)} == {'a': 1}, [torch.tensor(1)] != [1], 4 in [torch.tensor(4)])
a = torch.ones(2)
print([a] == [a])
try:
    [torch.ones(2)] == [torch.ones(2)]
except RuntimeError as error:
    print(error)
print(torch.quantile(torch.tensor([1., float('inf'), 3.]), torch.tensor([0., .4, .9]), interpolation='lower'))
norm = nn.BatchNorm1d(2)
norm(torch.randn(4, 2))
norm.reset_running_stats()
print(norm.running_mean, norm.running_var, norm.num_batches_tracked, hasattr(nn.Linear(1, 1), 'reset_running_stats'))
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.ones(1, 2)).sum().backward()
opt.step()
print(opt.state_dict()['state'])
print(torch.utils.data.default_collate([('a', 1), ('b', 2)]))
# expect: True True True False True
# expect: True
# expect: Boolean value of Tensor with more than one value is ambiguous
# expect: tensor([1., 1., 3.])
# expect: tensor([0., 0.]) tensor([1., 1.]) tensor(0) False
# expect: {0: {'momentum_buffer': None}, 1: {'momentum_buffer': None}}
# expect: [('a', 'b'), tensor([1, 2])]

