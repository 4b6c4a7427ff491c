# Arrays of numpy: what notebooks do with them beside tensors.
import numpy as np
import torch

# case: made of others
x = np.arange(6).reshape(2, 3)
print(np.full_like(x, 7), np.zeros_like(x).dtype, np.ones_like(x, dtype=np.float32).dtype)
# expect: [[7 7 7]
# expect:  [7 7 7]] int64 float32

# case: sizes
x = np.arange(6).reshape(2, 3)
print(np.ndim(x), np.size(x), np.shape(x), x.ndim, x.size, x.shape, np.dtype("float32"))
# expect: 2 6 (2, 3) 2 6 (2, 3) float32

# case: arranged anew
x = np.arange(6).reshape(2, 3)
print(np.ravel(x), np.broadcast_to(np.array([1, 2]), (2, 2)), np.squeeze(x[:, :1], 1))
# expect: [0 1 2 3 4 5] [[1 2]
# expect:  [1 2]] [0 3]

# case: an axis that is too long to be squeezed away
np.squeeze(np.arange(6).reshape(2, 3), 1)  # expect error[ValueError]: cannot select an axis to squeeze out which has size not equal to one

# case: a remainder has the sign of the divisor
print(np.array([5.0, -5.0, 0.0]) % 3, np.array([5.0, -5.0]) % -3, np.array([7, -7]) % 3)
# expect: [2. 1. 0.] [-1. -2.] [1 2]

# case: a product of what has no axes
np.array([1.0, 2.0]) @ np.float64(3.0)  # expect error[ValueError]

# case: not of these types
-np.array([True])  # expect error[unsupported]: unary - of a numpy bool array

# case: bits of floats
~np.array([1.5])  # expect error[TypeError]: ufunc 'invert' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''

# case: a list times a float
[1, 2] * np.float64(2.0)  # expect error[TypeError]: can't multiply sequence by non-int of type 'numpy.float64'

# case: a list times a whole number
print([1, 2] * np.int64(2), np.int64(2) * [1])  # expect: [1, 2, 1, 2] [1, 1]

# case: added in place
x = np.array([1, 2])
x += 1
print(x)  # expect: [2 3]

# case: a float added to ints in place
x = np.array([1, 2])
try:
    x += 0.5
except TypeError as error:
    print(error)
# expect: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'

# case: a larger array added in place
x = np.array([1, 2])
x += np.ones((2, 2), dtype=np.int64)  # expect error[ValueError]: non-broadcastable output operand with shape (2,) doesn't match the broadcast shape (2,2)

# case: a maximum of nothing
np.array([]).max()  # expect error[ValueError]: zero-size array to reduction operation maximum which has no identity

# case: order of what has none
np.array([1, 2]) < "a"  # expect error[TypeError]: '<' not supported between instances of 'numpy.ndarray' and 'str'

# case: joined
x = np.arange(4).reshape(2, 2)
print(np.concatenate([x, x]).shape, np.concatenate((x, x), axis=1).shape, np.stack([x, x]).shape)  # expect: (4, 2) (2, 4) (2, 2, 2)

# case: joined without an axis
print(np.concatenate([np.arange(4).reshape(2, 2), [[7]]], axis=None))  # expect: [0 1 2 3 7]

# case: numbers of numpy in a tensor
t = torch.zeros(2)
t[0] = np.sin(0.5)
print(t)  # expect: tensor([0.4794, 0.0000])
t[:] = np.int64(3)
print(t)  # expect: tensor([3., 3.])
t[0] = np.float32(1.5)  # expect error[TypeError]: can't assign a numpy.float32 to a torch.FloatTensor

# case: tensors of lists of arrays
print(torch.LongTensor([np.asarray([1, 2]), np.asarray([3, 4])]).tolist())  # expect: [[1, 2], [3, 4]]
print(torch.tensor([np.array([1.5])]), torch.tensor([np.int64(1), 2]))  # expect: tensor([[1.5000]], dtype=torch.float64) tensor([1, 2])
torch.tensor([[np.array(1)]])  # expect error[TypeError]: len() of unsized object

# case: split and norm
x = np.arange(6.0)
print(np.split(x, 3), np.array_split(x, 4), np.split(x, [1, 4]), np.hsplit(x.reshape(2, 3), 3)[0].shape, np.vsplit(x.reshape(2, 3), 2)[1])
# expect: [array([0., 1.]), array([2., 3.]), array([4., 5.])] [array([0., 1.]), array([2., 3.]), array([4.]), array([5.])] [array([0.]), array([1., 2., 3.]), array([4., 5.])] (2, 1) [[3. 4. 5.]]
print(np.linalg.norm([3, 4]), np.linalg.norm(x.reshape(2, 3), axis=1), np.linalg.norm(x, 1), np.linalg.norm(x, np.inf), np.linalg.norm(np.eye(2)))
# expect: 5.0 [2.23606798 7.07106781] 15.0 5.0 1.4142135623730951
print(np.linalg.norm(x.reshape(2, 3), axis=-1, keepdims=True), np.linalg.norm(np.float32([3, 4])).dtype)
# expect: [[2.23606798]
# expect:  [7.07106781]] float32
np.split(x, 4)  # expect error[ValueError]: array split does not result in an equal division

# case: functions made of others
a = np.array([[3, 1], [2, 5]])
print(np.median(a), np.median(a, axis=0), np.percentile([1, 2, 3, 4], 50), np.percentile([1.0, 2, 4], [25, 75]), np.quantile([0.0, 10.0], 0.3))
# expect: 2.5 [2.5 3. ] 2.5 [1.5 3. ] 3.0
print(np.logical_and([1, 0], [1, 1]), np.logical_or([1, 0], [0, 0]), np.logical_not([True, False]), np.logical_xor([1, 0], [1, 1]), np.isclose([1.0, 2.0], [1.0, 2.1]))
# expect: [ True False] [ True False] [False  True] [False  True] [ True False]
print(np.roll([1, 2, 3], 1), np.append([1], [2, 3]), np.column_stack(([1, 2], [3, 4])), np.diff([1, 4, 9]), np.bincount([0, 2, 2]))
# expect: [3 1 2] [1 2 3] [[1 3]
# expect:  [2 4]] [3 5] [1 0 2]
print(np.nonzero(np.array([0, 3, 4])), np.argwhere(np.array([0, 3])), np.count_nonzero([1, 0, 2]), np.atleast_2d([1, 2]), np.moveaxis(np.zeros((2, 3)), 0, 1).shape)
# expect: (array([1, 2]),) [[1]] 2 [[1 2]] (3, 2)
print(np.einsum("ij,jk->ik", np.ones((2, 3)), np.ones((3, 2))), np.average([1.0, 3.0], weights=[3, 1]), np.inner([1, 2], [3, 4]))
# expect: [[3. 3.]
# expect:  [3. 3.]] 1.5 11
xs, ys = np.meshgrid([1, 2, 3], [4, 5])
print(xs, ys, np.meshgrid([1, 2], [3], indexing="ij")[0].shape)
# expect: [[1 2 3]
# expect:  [1 2 3]] [[4 4 4]
# expect:  [5 5 5]] (2, 1)

# case: RandomState
r = np.random.RandomState(42)
print(r.rand(2), r.randn(2), r.randint(0, 10, 5), r.randint(5), r.uniform(1, 2), r.normal(size=2))
# expect: [0.37454012 0.95071431] [0.64768854 1.52302986] [6 9 2 6 7] 4 1.6011150117432087 [-0.58087813 -0.52516981]
print(r.permutation(5), r.choice(5, 3), r.choice([1.5, 2.5]), r.choice(4, 2, replace=False), r.random_sample(), r.choice(3, p=[0.5, 0.25, 0.25]))
# expect: [3 2 1 0 4] [4 3 0] 1.5 [1 0] 0.13949386065204183 0
items = [1, 2, 3, 4]
r.shuffle(items)
x = np.arange(6).reshape(3, 2)
r.shuffle(x)
print(items, x)
# expect: [1, 2, 3, 4] [[4 5]
# expect:  [0 1]
# expect:  [2 3]]
r.seed(1)
a = r.rand()
np.random.seed(1)
print(a == np.random.rand(), np.random.RandomState(1).rand() == a)  # expect: True True
y = np.arange(5); np.random.shuffle(y)
print(y)  # expect: [3 2 1 0 4]

# case: one of several texts
np.random.seed(0)
print(np.random.choice(["a", "b", "c"]), np.random.RandomState(1).choice(("x", "y"), p=[0.1, 0.9]))  # expect: a y
print(np.random.choice(["a", "b"], 2))  # expect: ['b' 'b']

# case: steps backwards
import numpy as np
import torch
a = np.arange(6).reshape(2, 3)
print(a[::-1].tolist(), a[:, ::-1].tolist(), a[::-1, ::-1].tolist(), a[1, ::-1])
# expect: [[3, 4, 5], [0, 1, 2]] [[2, 1, 0], [5, 4, 3]] [[5, 4, 3], [2, 1, 0]] [5 4 3]
print(np.arange(10)[7:2:-2], a[..., ::-2].tolist(), a[:, None, ::-1].shape, np.arange(3)[5:0:-1], np.arange(3)[0:2:-1])
# expect: [7 5 3] [[2, 0], [5, 3]] (2, 1, 3) [2 1] []
print(torch.from_numpy(a[::-1].copy()).tolist())  # expect: [[3, 4, 5], [0, 1, 2]]
torch.from_numpy(a[::-1])  # expect error[ValueError]

# case: numbers of default_rng
import numpy as np
rng = np.random.default_rng(42)
print(rng.random(2), rng.integers(0, 10, 5), rng.integers(6, size=2, endpoint=True), rng.integers(0, 2**40))
# expect: [0.77395605 0.43887844] [4 8 0 6 2] [0 3] 836881952700
print(rng.standard_normal(2), rng.normal(1, 2), rng.uniform(-1, 1), rng.permutation(5))
# expect: [-0.31624259 -0.01680116] -0.7060878551471601 -0.25840395153483753 [0 3 4 2 1]
print(rng.choice(10, 3, replace=False), rng.choice([1.5, 2.5], 3), rng.choice(5, p=[.1, .2, .3, .2, .2]))
# expect: [2 4 3] [2.5 1.5 2.5] 3
items = [1, 2, 3, 4, 5]
rng.shuffle(items)
print(items, rng.permutation(np.arange(6).reshape(3, 2)).tolist())  # expect: [5, 4, 3, 2, 1] [[4, 5], [0, 1], [2, 3]]

# case: unique with its places and counts, indices of several axes
import numpy as np
print(np.unique([3, 1, 3, 2], return_index=True, return_inverse=True, return_counts=True))
# expect: (array([1, 2, 3]), array([1, 3, 0]), array([2, 0, 2, 1]), array([1, 1, 2]))
print(np.unravel_index(5, (2, 3)), [(place, value) for place, value in np.ndenumerate(np.array([[1, 2]]))])
# expect: (1, 2) [((0, 0), 1), ((0, 1), 2)]
print(np.isneginf(np.array([-np.inf, 0.])), list(np.ndindex(2, 2)))  # expect: [ True False] [(0, 0), (0, 1), (1, 0), (1, 1)]
np.testing.assert_allclose([1.0, 2.0], [1.0, 2.0])
np.testing.assert_allclose([1.0, 2.0], [1.0, 2.1])  # expect error[AssertionError]

# case: sums in numpy's order
import numpy as np
x = (np.arange(60000) * 7919 % 9973 / 997 - 3).astype(np.float32)
a, b = x[:5000].reshape(4, 250, 5), x.reshape(3, 20000)
print(x.sum().item(), x[:7].sum().item(), x[:100].mean().item(), x[:300].sum().item(), x[:129].std().item())
# expect: 120071.53125 15.76028060913086 2.05325984954834 609.1514892578125 2.8970680236816406
print(a.sum(axis=1).ravel()[:3].tolist(), a.sum(axis=(0, 2))[-1].item(), a.mean(axis=0).ravel()[-2:].tolist())
# expect: [531.2337646484375, 516.3390502929688, 481.4383239746094] 41.05316162109375 [2.493229866027832, 2.9338014125823975]
print(b.sum(axis=1).tolist(), b.T.sum(axis=0)[1].item(), b[:, ::3].sum().item(), b.var(axis=1, ddof=1).tolist(), b.T[:9].std(axis=1)[-1].item())
# expect: [40022.859375, 40027.1796875, 40021.5] 40027.1796875 40025.0234375 [8.3392333984375, 8.339238166809082, 8.338542938232422] 0.9933905601501465
print(np.var(a, axis=-1, keepdims=True).shape, a.astype(np.float64).std().item(), np.mean(np.arange(10)), np.sum(np.ones((2, 0)), axis=1), np.std([2, 4], ddof=1))
# expect: (4, 250, 1) 2.8876042723250257 4.5 [0. 0.] 1.4142135623730951

# case: grids of indices
import numpy as np
u, v = np.meshgrid([0.5, 1.5], np.arange(3))
print(u.tolist(), v.dtype, [g.shape for g in np.meshgrid([1], [1, 2], [3, 4, 5], indexing='ij')], np.meshgrid([1, 2])[0])
# expect: [[0.5, 1.5], [0.5, 1.5], [0.5, 1.5]] int64 [(1, 2, 3), (1, 2, 3), (1, 2, 3)] [1 2]
print(np.mgrid[0:2, 1:4].tolist(), np.mgrid[1:4].tolist(), np.mgrid[0:1:0.5, 0:2].dtype, np.mgrid[:2, :3].shape)
# expect: [[[0, 0, 0], [1, 1, 1]], [[1, 2, 3], [1, 2, 3]]] [1, 2, 3] float64 (2, 2, 3)
print([g.tolist() for g in np.ogrid[0:2, 0:3]], (np.ogrid[0:2, 0:3][0] + np.ogrid[0:2, 0:3][1]).tolist(), np.indices((2, 2)).tolist())
# expect: [[[0], [1]], [[0, 1, 2]]] [[0, 1, 2], [1, 2, 3]] [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
print(np.mgrid[0:1:0.25].tolist(), np.mgrid[5:0:-2, 0:2].tolist(), [i.shape for i in np.indices((2, 3), sparse=True)], np.indices((2, 1), dtype=float).dtype)
# expect: [0.0, 0.25, 0.5, 0.75] [[[5, 5], [3, 3], [1, 1]], [[0, 1], [0, 1], [0, 1]]] [(2, 1), (1, 3)] float64

# case: singular values and eigenvalues
import numpy as np
a = np.array([[3., 0.], [4., 5.]])
u, s, vh = np.linalg.svd(a)
print(s.round(6), np.allclose((u * s) @ vh, a), np.linalg.svd(a, compute_uv=False).shape)  # expect: [6.708204 2.236068] True (2,)
values, vectors = np.linalg.eigh(a + a.T)
print(values.round(6), np.allclose((vectors * values) @ vectors.T, a + a.T), np.linalg.eigvalsh(np.eye(2)))  # expect: [ 3.527864 12.472136] True [1. 1.]

# case: a number of an array is a copy
x = np.array([1., 2., 3.])
first, (second, _, last) = x[0], x
x[0], x[1] = x[1], x[0]
print(x, first, second, last)  # expect: [2. 1. 3.] 1.0 1.0 3.0
w, kept = np.zeros(2), []
for _ in range(3):
    w[0] += 1
    kept.append(w[0])
print(kept, list(w))  # expect: [1.0, 2.0, 3.0] [3.0, 0.0]
row = np.arange(4).reshape(2, 2)
corner, part = row[1, 1], row[1]
row[1, 1] = 9
print(corner, part)  # expect: 3 [2 9]


# case: ufuncs that count an index as often as it stands there
a = np.zeros(4)
np.add.at(a, [0, 0, 1], 1.)
m = np.zeros((2, 3))
np.add.at(m, (np.array([0, 0, 1]), np.array([1, 1, 2])), 2.0)
np.subtract.at(m, [0, 1, 0], np.array([1., 2., 3.]))
print(a, m.tolist())
print(np.add.accumulate([1, 3, 2]), np.subtract.outer([1, 2], [3, 4]).tolist(), np.add.reduce([[1, 2], [3, 4]]))
print(np.multiply.outer(np.arange(3), np.arange(2)).tolist(), np.add(1, 2), np.add, np.subtract.accumulate([5, 1, 1]), np.subtract.accumulate([.1, .2, .7]).tolist())
# expect: [2. 1. 0. 0.] [[-2.0, 0.0, -6.0], [-1.0, -2.0, -1.0]]
# expect: [1 4 6] [[-2, -3], [-1, -2]] [4 6]
# expect: [[0, 0], [0, 1], [0, 2]] 3 <ufunc 'add'> [5 4 3] [0.1, -0.1, -0.7999999999999999]

# case: limits of numpy types
print(np.finfo(np.float32).min, np.finfo(np.float32).eps, np.finfo(float).max, np.finfo(np.float64).tiny)
print(np.iinfo(np.int64).max, np.iinfo(np.int32).min, np.iinfo(np.uint8).max, np.finfo(np.float16).bits)
# expect: -3.4028235e+38 1.1920929e-07 1.7976931348623157e+308 2.2250738585072014e-308
# expect: 9223372036854775807 -2147483648 255 16

# case: what is close to what
print(np.isclose([1, np.nan, np.inf, 2], [1, np.nan, np.inf, np.inf]), np.isclose([np.nan], [np.nan], equal_nan=True))
print(np.isclose(1, 1 + 1e-9), np.isclose(np.inf, -np.inf), np.allclose([1, np.nan], [1, np.nan], equal_nan=True))
# expect: [ True False  True False] [ True]
# expect: True False True

# case: the order in which numpy leaves equal elements
ties = np.array([3, 1, 2, 1, 3, 2, 1, 1, 2, 3, 3, 1, 2, 2, 1, 3, 1, 2, 3, 1, 1])
print(np.argsort(ties).tolist())
print(np.argsort(ties.astype(np.float32)).tolist() == np.argsort(ties).tolist(), np.argsort(np.zeros(17)).tolist())
print(np.argsort(ties, kind='stable').tolist())
print(np.lexsort(([3, 1, 2], [1, 1, 0])), torch.from_numpy(ties).mode(), np.argsort(np.zeros((2, 18)), axis=1).tolist()[1])
# expect: [20, 1, 3, 6, 7, 19, 11, 14, 16, 2, 5, 8, 17, 12, 13, 18, 0, 9, 4, 15, 10]
# expect: True [0, 14, 13, 12, 11, 10, 9, 15, 8, 6, 5, 4, 3, 2, 1, 7, 16]
# expect: [1, 3, 6, 7, 11, 14, 16, 19, 20, 2, 5, 8, 12, 13, 17, 0, 4, 9, 10, 15, 18]
# expect: [2 1 0] torch.return_types.mode(
# expect: values=tensor(1),
# expect: indices=tensor(3)) [0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 16, 17]

# case: diagonals, windows, slices that differ
print(np.diag(np.eye(3), 1), np.diagonal(np.arange(9).reshape(3, 3), offset=-1), np.diag([1, 2], k=1).tolist())
print(np.lib.stride_tricks.sliding_window_view(np.arange(5), 3).tolist())
print(np.lib.stride_tricks.sliding_window_view(np.arange(6).reshape(2, 3), (2, 2)).tolist())
print(np.unique(np.array([[1, 2], [0, 1], [1, 2]]), axis=0, return_counts=True, return_index=True, return_inverse=True))
print(np.unique([[1, 1], [2, 2]], axis=1).tolist(), np.kron([1, 2], [1, 1]), np.kron(np.eye(2), np.ones((1, 2))).tolist())
print(np.nan_to_num(np.array([1, np.nan, np.inf])), np.nan_to_num([np.nan], nan=7.), np.nan_to_num([1, 2]))
# expect: [0. 0.] [3 7] [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
# expect: [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
# expect: [[[[0, 1], [3, 4]], [[1, 2], [4, 5]]]]
# expect: (array([[0, 1],
# expect:        [1, 2]]), array([1, 0]), array([1, 0, 1]), array([1, 2]))
# expect: [[1], [2]] [1 1 2 2] [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
# expect: [1.00000000e+000 0.00000000e+000 1.79769313e+308] [7.] [1 2]

# case: how arrays are printed here and there
print(np.array_str(np.array([.123, 2]), precision=2), np.array2string(np.arange(3.) / 3, precision=3))
with np.printoptions(precision=2, suppress=True):
    print(np.array([1.23456, 1e-5]))
print(np.array([1.23456]), np.get_printoptions()['precision'])
with np.errstate(divide='ignore'):
    print(np.log(np.array([1.])))
# expect: [0.12 2.  ] [0.    0.333 0.667]
# expect: [1.23 0.  ]
# expect: [1.23456] 8
# expect: [0.]

# case: lines through points
print(np.polyfit([0, 1, 2, 3], [1, 3, 5, 7.5], 1).round(6), np.polyval([1, 2, 3], 2), np.polyval([1, 2], np.arange(3)))
x, rest, rank, sizes = np.linalg.lstsq(np.array([[1., 1], [1, 2], [1, 3]]), np.array([1., 2, 2]), rcond=None)
print(x.round(6), rest.round(6), rank, sizes.round(6))
# expect: [2.15 0.9 ] 11 [2 3 4]
# expect: [0.666667 0.5     ] [0.166667] 2 [4.079143 0.600491]

# case: a sample of a negative size
np.random.choice(3, -1, False)  # expect error[ValueError]: Negative dimensions are not allowed

# case: nan in sign and unique, rounding to tens and as numpy rounds
print(np.sign(np.nan), np.sign(np.array([np.nan, 1., -2., 0.])), np.sign(np.array([-3, 2])))
print(np.unique([np.nan, np.nan, 1.]), np.unique([np.nan, 1., np.nan], return_counts=True, return_inverse=True))
print(np.round(15, -1), np.array([15, 25, -15]).round(-1), np.around(1234, -2), np.round(np.array([25]), -1).dtype)
print(round(np.float64(2.675), 2), round(np.float32(2.345), 2), round(np.float64(2.5)), type(round(np.float64(1.25), 1)).__name__)
# expect: nan [nan  1. -1.  0.] [-1  1]
# expect: [ 1. nan] (array([ 1., nan]), array([1, 0, 1]), array([1, 2]))
# expect: 20 [ 20  20 -20] 1200 int64
# expect: 2.68 2.34 2 float64

# case: arrays of nothing, of one bool, of other types
x = np.zeros((0, 3))
print(x[x > 0].shape, np.zeros((2, 0))[np.zeros((2, 0)) > 0].shape, x[x[:, 0] > 0].shape)
print(repr(np.array(True)), repr(torch.tensor(True).numpy()), repr(np.array([True])))
print(np.einsum('i->', np.ones(2, dtype=np.int32)).dtype, np.einsum('ij,jk->ik', np.ones((2, 2), np.float32), np.ones((2, 2))).dtype)
counts, edges = np.histogram(np.ones(2, np.float32), 2)
print(counts.dtype, edges.dtype, np.histogram([1, 2, 3], 3)[1].dtype)
# expect: (0,) (0,) (0, 3)
# expect: array(True) array(True) array([ True])
# expect: int32 float64
# expect: int64 float32 float64

# case: turned arrays, shapes that are set, repeats of each
a = np.arange(5)[::-1]
print(np.diff(a), np.roll(a, 1), np.nonzero(a), np.bincount(a), np.digitize(a, [1, 3]), np.einsum('i->', a), np.unique(a))
print(np.searchsorted(np.arange(5), a), np.isin(a, [1, 2]), np.argwhere(a).T, np.moveaxis(a.reshape(1, 5), 0, 1).shape)
b = np.arange(6)
b.shape = (2, 3)
print(b)
try:
    b.shape = (4,)
except ValueError as error:
    print(error)
b.shape = -1
print(b.shape)
c = b.reshape(2, 3)
print(np.repeat(c, [1, 2], axis=0), c.repeat([0, 1, 2], axis=1), np.repeat([1, 2], [2, 3]))
print(np.expand_dims(b, (0, 2)).shape, np.expand_dims(b, -1).shape)
# expect: [-1 -1 -1 -1] [0 4 3 2 1] (array([0, 1, 2, 3]),) [1 1 1 1 1] [2 2 1 1 0] 10 [0 1 2 3 4]
# expect: [4 3 2 1 0] [False False  True  True False] [[0 1 2 3]] (5, 1)
# expect: [[0 1 2]
# expect:  [3 4 5]]
# expect: cannot reshape array of size 6 into shape (4,)
# expect: (6,)
# expect: [[0 1 2]
# expect:  [3 4 5]
# expect:  [3 4 5]] [[1 2 2]
# expect:  [4 5 5]] [1 1 2 2 2]
# expect: (1, 6, 1) (6, 1)

# case: a list in itself becomes no array
import numpy as np
inside = []
inside.append(inside)
deep = 1
for _ in range(33):
    deep = [deep]
for data in (inside, deep):
    for make in (np.array, np.asarray):
        try:
            print(make(data))
        except ValueError as error:
            print(error)
print(np.array(deep[0]).ndim)
# expect: setting an array element with a sequence. The requested array would exceed the maximum number of dimension of 32.
# expect: setting an array element with a sequence. The requested array would exceed the maximum number of dimension of 32.
# expect: setting an array element with a sequence. The requested array would exceed the maximum number of dimension of 32.
# expect: setting an array element with a sequence. The requested array would exceed the maximum number of dimension of 32.
# expect: 32

# case: arrays that do not fit are refused in words of numpy
import numpy as np
o = np.ones
def tried(f):
    try:
        print(f())
    except (ValueError, IndexError, np.linalg.LinAlgError) as e:
        print(type(e).__name__, '|', e)
tried(lambda: np.concatenate([o((2, 2)), o((2, 3))]))
tried(lambda: np.concatenate([o((2, 2)), o(3)]))
tried(lambda: np.concatenate([o((2, 2)), o((2, 3))], axis=2))
tried(lambda: np.concatenate([np.float64(1), np.float64(2)]))
tried(lambda: np.stack([]))
tried(lambda: np.stack([o(2), o(3)]))
tried(lambda: np.stack([o(2), o(2)], axis=3))
tried(lambda: np.vstack([o(2), o(3)]))
tried(lambda: np.hstack([o((2, 3)), o((3, 3))]))
tried(lambda: np.transpose(o((2, 3)), (0, 1, 2)))
tried(lambda: np.transpose(o((2, 3)), (0, 0)))
tried(lambda: o((2, 3)).transpose(0, 2))
tried(lambda: np.broadcast_to(o(3), (2, 2)))
tried(lambda: np.broadcast_to(o((3, 3)), (3,)))
tried(lambda: np.expand_dims(o(2), 3))
tried(lambda: np.swapaxes(o((2, 3)), 0, 2))
tried(lambda: np.moveaxis(o((2, 3)), 0, 5))
tried(lambda: np.dot(o((2, 3)), o((2, 3))))
tried(lambda: np.dot(o(3), o(2)))
tried(lambda: o((2, 2)) @ 3)
tried(lambda: o((2, 3))[0, 0, 0])
tried(lambda: o(3)[0.5])
# expect: ValueError | all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size 2 and the array at index 1 has size 3
# expect: ValueError | all the input arrays must have same number of dimensions, but the array at index 0 has 2 dimension(s) and the array at index 1 has 1 dimension(s)
# expect: AxisError | axis 2 is out of bounds for array of dimension 2
# expect: ValueError | zero-dimensional arrays cannot be concatenated
# expect: ValueError | need at least one array to stack
# expect: ValueError | all input arrays must have the same shape
# expect: AxisError | axis 3 is out of bounds for array of dimension 2
# expect: ValueError | all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size 2 and the array at index 1 has size 3
# expect: ValueError | all the input array dimensions except for the concatenation axis must match exactly, but along dimension 0, the array at index 0 has size 2 and the array at index 1 has size 3
# expect: ValueError | axes don't match array
# expect: ValueError | repeated axis in transpose
# expect: AxisError | axis 2 is out of bounds for array of dimension 2
# expect: ValueError | operands could not be broadcast together with remapped shapes [original->remapped]: (3,)  and requested shape (2,2)
# expect: ValueError | input operand has more dimensions than allowed by the axis remapping
# expect: AxisError | axis 3 is out of bounds for array of dimension 2
# expect: AxisError | axis2: axis 2 is out of bounds for array of dimension 2
# expect: AxisError | destination: axis 5 is out of bounds for array of dimension 2
# expect: ValueError | shapes (2,3) and (2,3) not aligned: 3 (dim 1) != 2 (dim 0)
# expect: ValueError | shapes (3,) and (2,) not aligned: 3 (dim 0) != 2 (dim 0)
# expect: ValueError | matmul: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)
# expect: IndexError | too many indices for array: array is 2-dimensional, but 3 were indexed
# expect: IndexError | only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices

# case: an einsum that does not fit is refused in words of numpy
import numpy as np
o = np.ones
def tried(*given):
    try:
        print(np.einsum(*given))
    except ValueError as e:
        print(e)
tried('ij,jk->ik', o((2, 3)), o((4, 5)))
tried('bij,bjk->bik', o((2, 3, 4)), o((3, 4, 5)))
tried('ij,jk', o((2, 3)), o((4, 5)))
tried('ijk,jk->ik', o((2, 3)), o((3, 5)))
tried('i,jk->ik', o((2, 3)), o((3, 5)))
tried('ij,jk->iz', o((2, 3)), o((3, 5)))
# expect: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3)->(2,newaxis,3) (4,5)->(5,4) 
# expect: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3,4)->(2,3,newaxis,4) (3,4,5)->(3,newaxis,5,4) 
# expect: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3)->(2,newaxis,3) (4,5)->(5,4) 
# expect: einstein sum subscripts string contains too many subscripts for operand 0
# expect: operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the extra dimensions.
# expect: einstein sum subscripts string included output subscript 'z' which never appeared in an input

# case: matrices that have no inverse
import numpy as np
def tried(f, *given):
    try:
        print(f(*given))
    except np.linalg.LinAlgError as e:
        print(e)
tried(np.linalg.inv, np.ones((2, 2)))
tried(np.linalg.inv, np.ones((2, 3)))
tried(np.linalg.det, np.ones(3))
tried(np.linalg.solve, np.ones((2, 2)), np.ones(2))
# expect: Singular matrix
# expect: Last 2 dimensions of the array must be square
# expect: 1-dimensional array given. Array must be at least two-dimensional
# expect: Singular matrix

# case: older names of numpy
import numpy as np
print(np.infty, np.NINF, np.NaN, np.Inf, np.PINF, np.product([2, 3]), np.cumproduct([2, 3]), np.in1d([[1, 2]], [2, 3]))
print(np.row_stack([[1], [2]]).shape, np.NAN, np.Infinity)
# expect: inf -inf nan inf inf 6 [2 6] [False  True]
# expect: (2, 1) nan inf

# case: what numpy refuses
def refused(*makers):
    for make in makers:
        try:
            print(make())
        except ValueError as error:
            print(error)
nan = float('nan')
refused(lambda: np.random.choice(3, p=[nan, 0.5, 0.5]), lambda: np.random.choice(3, p=[-0.5, 0.5, 1]))
refused(lambda: np.percentile([1, 2], -1), lambda: np.percentile([1, 2], [50, 101]), lambda: np.quantile([1, 2], 1.5))
refused(lambda: np.histogram([1, 2], bins=0), lambda: np.histogram([1, 2], [3, 2, 1]), lambda: np.histogram([nan, 2]))
refused(lambda: np.histogram([1, 2], range=(3, 1)), lambda: np.diff([1, 2], -1), lambda: np.tri(-1).shape, lambda: np.tri(2, -1).shape)
# expect: probabilities contain NaN
# expect: probabilities are not non-negative
# expect: Percentiles must be in the range [0, 100]
# expect: Percentiles must be in the range [0, 100]
# expect: Quantiles must be in the range [0, 1]
# expect: `bins` must be positive, when an integer
# expect: `bins` must increase monotonically, when an array
# expect: autodetected range of [nan, nan] is not finite
# expect: max must be larger than min in range parameter.
# expect: order must be non-negative but got -1
# expect: (0, 0)
# expect: (2, 0)
