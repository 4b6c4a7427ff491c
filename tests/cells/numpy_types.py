# numpy: types of numbers, how arrays lie in memory, parameters that are rarely given.
import numpy as np

# case: keywords that numpy has and this program has not
try:
    np.max(np.arange(3), bogus=1)
except TypeError as error:
    print(type(error).__name__)
# expect: TypeError

# case: parameters of functions
r = np.array([[0.5, -1.25, 2.0], [3.5, 0.25, -2.0]])
print(np.bincount([1, 2], minlength=4), np.bincount([0, 0, 1], weights=[0.5, 1, 2]), np.einsum("ij,kj->ik", r, r, optimize=True).shape)
print(np.sum(r, where=r > 0), r.sum(axis=1, where=r > 0), r.mean(axis=0, where=[True, False, True]).shape, np.sum([1, 2], initial=5))
print(np.mean(np.float32([1, 2]), dtype=np.float64).dtype, np.max(r, initial=9), r.min(axis=0, initial=-1), np.prod([2, 3], initial=2), np.max(r, axis=1, initial=-9, where=r < 1))
print(np.sort([3, 1, 2], kind="stable"), np.sort([[3, 1], [2, 0]], axis=None), np.concatenate([[1], [2]], dtype=np.float32), np.concatenate([[[1]], [[2]]], axis=None), np.stack([[1], [2]], dtype=float).tolist())
print(np.linspace(0, 1, 5, retstep=True)[1], np.linspace(0, 1, 4, False), np.percentile([1, 2, 3, 4], 40, method="nearest"), np.quantile([1, 2, 3, 4], [0.3, 0.6], method="lower"), np.quantile([1, 2], 0.3, method="midpoint"))
print(np.cov([1.0, 2.0, 3.0, 6.0], bias=True), np.cov([[1.0, 2.0], [3.0, 5.0]], rowvar=False), np.corrcoef([[1.0, 2.0, 3.0, 6.0], [1.0, 0.0, 1.0, 0.0]])[0, 0])
print(np.array([1, 2], ndmin=2), np.array(r, copy=False) is r, r.astype(float, copy=False) is r, np.zeros((2, 3), order="F").strides, np.array(["1.5", "2"], dtype=float))
print(np.arange(6).reshape(2, 3, order="F"), np.arange(6).reshape(2, 3).flatten("F"), np.ravel([[1, 2], [3, 4]], order="F"), np.count_nonzero(r > 0, axis=1))
print(np.transpose(np.zeros((2, 3)), axes=(1, 0)).shape, np.cumsum(np.float32([0.1, 0.2, 0.3])), np.add(1, 2, out=np.zeros(2)))
# expect: [0 1 1 0] [1.5 2. ] (2, 2)
# expect: 6.25 [2.5  3.75] (3,) 8
# expect: float64 9.0 [-1.   -1.25 -2.  ] 12 [0.5  0.25]
# expect: [1 2 3] [0 1 2 3] [1. 2.] [1 2] [[1.0], [2.0]]
# expect: 0.25 [0.   0.25 0.5  0.75] 2 [1 2] 1.5
# expect: 3.5 [[2.  3. ]
# expect:  [3.  4.5]] 1.0
# expect: [[1 2]] True True (8, 16) [1.5 2. ]
# expect: [[0 2 4]
# expect:  [1 3 5]] [0 3 1 4 2 5] [1 3 2 4] [2 2]
# expect: (3, 2) [0.1 0.3 0.6] [3. 3.]

# case: results written where out= says
a = np.arange(4.0).reshape(2, 2)
out = np.zeros((2, 2))
print(np.dot(a, a, out=out) is out, out, np.divide(1, a, out=np.zeros_like(a), where=a != 0))
np.maximum(a, 2, out=out)
print(out, np.concatenate([a, a], out=np.zeros((4, 2)))[3], np.add(a, a, out=out), np.sqrt(a, out=a) is a)
try:
    np.add([1.5], [2], out=np.zeros(1, dtype=int))
except TypeError as error:
    print(error)
# expect: True [[ 2.  3.]
# expect:  [ 6. 11.]] [[0.         1.        ]
# expect:  [0.5        0.33333333]]
# expect: [[0. 2.]
# expect:  [4. 6.]] [2. 3.] [[0. 2.]
# expect:  [4. 6.]] True
# expect: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'

# case: arithmetic of short integers
a = np.array([1, 2, 100], dtype=np.int8)
print(a + a, a * 3, (a + 100).dtype, (a + 1000).dtype, (a * 1.5).dtype, (a / 2).dtype, a // 2, a % 3, -a, ~a, a ** 2, a << 1)
print(0 * np.ones(2, dtype=np.int32), 7 // np.int32(2), (np.int32(1) + np.int32(2)).dtype, np.uint8(200) + np.uint8(100), np.uint8([1]) - 1, (np.int32(1) << 40) == 0)
print(np.sum(a), np.sum(a).dtype, a.mean(), a.max(), a.argmax(), a.cumsum(), np.abs(-a), abs(-a), np.sqrt(a).dtype, np.sqrt(np.int32([4])), np.sort(a).dtype, np.dot(a, a), np.outer(a, a).dtype)
a += 1
a *= np.int64(2)
print(a, a.dtype, np.clip(a, 0, 10), np.where([True, False, True], a, a).dtype, np.maximum(a, 5))
try:
    b = np.array([1], dtype=np.uint8)
    b += np.array([1])
except TypeError as error:
    print(error)
# expect: [  2   4 -56] [ 3  6 44] int8 int16 float64 float64 [ 0  1 50] [1 2 1] [  -1   -2 -100] [  -2   -3 -101] [ 1  4 16] [  2   4 -56]
# expect: [0 0] 3 int32 44 [0] False
# expect: 103 int64 34.333333333333336 100 2 [  1   3 103] [  1   2 100] [  1   2 100] float16 [2.] int8 21 int8
# expect: [  4   6 -54] int8 [4 6 0] int8 [5 6 5]
# expect: Cannot cast ufunc 'add' output from dtype('int64') to dtype('uint8') with casting rule 'same_kind'

# case: functions of short integers
a = np.array([3, 1, 3], dtype=np.int32)
print(np.unique(a), np.unique(a).dtype, np.diff(a).dtype, np.diff(np.array([1, 200], dtype=np.uint8)), np.bincount(a), np.isin(a, [3]), np.searchsorted(np.sort(a), 2), np.median(a), np.linalg.norm(a))
# expect: [1 3] int32 int32 [199] [0 1 0 2] [ True False  True] 1 3.0 4.358898943540674
print(np.array(np.zeros((2, 3)).T).strides, np.zeros((2, 3, 4)).transpose(1, 0, 2).astype(np.float32).strides, np.zeros((2, 3)).T.copy().strides)  # expect: (8, 24) (16, 48, 4) (16, 8)
print(np.median(np.float32([1.1, 2.3])).dtype, np.quantile(np.float32([1.1, 2.3, 7.7]), 0.3))  # expect: float32 1.8199999809265137

# case: the size of bools
print(abs(np.array([True, False])), np.abs(np.bool_(True)))  # expect: [ True False] True

# case: arithmetic of float16
h = np.array([1.1, 2.2, 12.0], dtype=np.float16)
print(h + h, h * 2.5, np.exp(h), h.sum(), h.mean(), h.std(), (h + np.float32([1])).dtype, (h + 1e6).dtype, h ** 2, h // 1, h % 1, h < 2.2, np.float16(1) / 3)
print(np.float32([1]) + 100000, (np.float32([1]) * 2.5).dtype, np.float32([0.1]) == 0.1)
# expect: [ 2.2  4.4 24. ] [ 2.75  5.5  30.  ] [3.004 9.016   inf] 15.3 5.1 4.902 float32 float32 [  1.209   4.836 144.   ] [ 1.  2. 12.] [0.0996 0.1992 0.    ] [ True False False] 0.3333333333333333
# expect: [100001.] float32 [ True]

# case: how arrays lie in memory
a = np.arange(6.0).reshape(2, 3)
print(a.flags["C_CONTIGUOUS"], a.T.flags.c_contiguous, a.T.flags.f_contiguous, a[:, ::2].flags["C"], np.broadcast_to(a[0], (2, 3)).flags.writeable)
print(a.strides, a.T.strides, a[:, 1:].strides, a.nbytes, a.itemsize, a.astype(np.int16).strides)
v = a.view()
v[0, 0] = 9
print(a[0], a.item(1), a.item(1, 2), a.nonzero()[0], a.ptp(), a.ptp(axis=0), a.T.flags.forc, a.real is a)
print(np.array([1, -2], dtype=np.int16).tobytes(), len(a.tobytes()), np.float32([1.5]).tobytes())
print(np.lib.stride_tricks.as_strided(np.arange(4.0), (3, 2), (8, 8)), [float(x) for x in a.flat][:2], a.flat[2:4])
a.flat[[0, 5]] = [7, 8]
b = np.array([3, 1, 2])
b.sort()
print(a, b, b.searchsorted(2), b.take([0, 0]), b.cumprod(), a.conj()[0, 0])
# expect: True False True False False
# expect: (24, 8) (8, 24) (24, 8) 48 8 (6, 2)
# expect: [9. 1. 2.] 1.0 5.0 [0 0 0 1 1 1] 8.0 [6. 3. 3.] True True
# expect: b'\x01\x00\xfe\xff' 48 b'\x00\x00\xc0?'
# expect: [[0. 1.]
# expect:  [1. 2.]
# expect:  [2. 3.]] [9.0, 1.0] [2. 3.]
# expect: [[7. 1. 2.]
# expect:  [3. 4. 8.]] [1 2 3] 1 [1 1] [1 2 6] 7.0

# case: walks through an array
x = np.arange(4.0).reshape(2, 2)
it = np.nditer(x, flags=["multi_index"], op_flags=["readwrite"])
while not it.finished:
    print(it.multi_index, it[0], end=" ")
    it.iternext()
print()
with np.nditer(x, op_flags=["readwrite"]) as walk:
    for e in walk:
        e[...] = 2 * e
print(x, [int(e) for e in np.nditer(x)])
# expect: (0, 0) 0.0 (0, 1) 1.0 (1, 0) 2.0 (1, 1) 3.0 
# expect: [[0. 2.]
# expect:  [4. 6.]] [0, 2, 4, 6]

# case: small functions of arrays
print(np.tri(2, 3), np.vdot([[1, 2]], [[3], [4]]), np.flatnonzero([0, 3, 0, 4]), np.logaddexp(1, 2), np.logaddexp([-np.inf, 0.0], [-np.inf, 1.0]), np.rint([0.5, 1.5, 2.6]))
print(np.take([[1, 2], [3, 4]], [1, 0], axis=1), np.take([5, 6], 1), np.resize([1, 2, 3], (2, 2)))
print(np.pad([1, 2, 3], 2, mode="edge"), np.pad([1, 2, 3], 2, mode="reflect"), np.pad([1, 2, 3], 2, mode="wrap"), np.pad([[1, 2]], ((0, 1), (1, 0)), mode="symmetric"), np.pad([1, 2, 3], (1, 2)))
print(np.insert([1, 2, 3], 1, 5), np.insert([1, 2, 3], [0, 3], [8, 9]), np.insert([[1, 2], [3, 4]], 1, 7, axis=1), np.delete([1, 2, 3], 1), np.delete([[1, 2], [3, 4]], [0], axis=1), np.delete([1, 2, 3], slice(0, 2)))
print(np.array2string(np.array([[1.5, 2], [3, 4]]), separator=", "), np.array2string(np.array([1 / 3]), precision=2), np.array2string(np.arange(9), max_line_width=12, prefix="ab"))
try:
    np.delete([1, 2], 5)
except IndexError as error:
    print(error)
# expect: [[1. 0. 0.]
# expect:  [1. 1. 0.]] 11 [1 3] 2.313261687518223 [      -inf 1.31326169] [0. 2. 3.]
# expect: [[2 1]
# expect:  [4 3]] 6 [[1 2]
# expect:  [3 1]]
# expect: [1 1 1 2 3 3 3] [3 2 1 2 3 2 1] [2 3 1 2 3 1 2] [[1 1 2]
# expect:  [1 1 2]] [0 1 2 3 0 0]
# expect: [1 5 2 3] [8 1 2 3 9] [[1 7 2]
# expect:  [3 7 4]] [1 3] [[2]
# expect:  [4]] [3]
# expect: [[1.5, 2. ],
# expect:  [3. , 4. ]] [0.33] [0 1 2 3
# expect:    4 5 6 7
# expect:    8]
# expect: index 5 is out of bounds for axis 0 with size 2

# case: tables of numbers as text
import io
print(np.loadtxt(["1 2", "3 4  # note"]), np.loadtxt(io.StringIO("a,b\n1,2\n3,4"), delimiter=",", skiprows=1, dtype=int, usecols=1), np.loadtxt(["1 2"], ndmin=2), np.loadtxt(["1 2", "3 4"], unpack=True)[0])
text = io.StringIO()
np.savetxt(text, np.array([[1, 2], [3, 4]]), fmt="%d", delimiter=",", header="x,y")
print(text.getvalue().split("\n"))
text = io.StringIO()
np.savetxt(text, [0.5, 2.0])
print(text.getvalue().split("\n"), np.loadtxt(text.getvalue().split("\n")))
# expect: [[1. 2.]
# expect:  [3. 4.]] [2 4] [[1. 2.]] [1. 3.]
# expect: ['# x,y', '1,2', '3,4', '']
# expect: ['5.000000000000000000e-01', '2.000000000000000000e+00', ''] [0.5 2. ]

# case: draws without order
import random
g = np.random.default_rng(3)
print(g.permuted(np.arange(5)), g.permuted([[1, 2, 3], [4, 5, 6]], axis=1), g.choice(10, 3, replace=False, shuffle=False))
random.seed(5)
print(random.sample(["a", "b"], counts=[3, 2], k=4))
# expect: [4 2 1 3 0] [[1 2 3]
# expect:  [6 5 4]] [0 8 3]
# expect: ['b', 'a', 'b', 'a']

# case: parameters that are refused
np.percentile([1, 2], 50, keepdims=True, overwrite_input=True)  # expect error[unsupported]: percentile(overwrite_input=...) is not known here

# case: an array of records
try:
    e = np.array([("a", 1.5)], dtype=[("h", "U4"), ("v", "f8")])  # expect error[unsupported]: the type [('h', 'U4'), ('v', 'f8')] of a numpy array
except ValueError:
    print("no")

# case: a keyword of a function that takes none
try:
    np.exp2([1.0], where=[True])  # expect error[unsupported]
except TypeError:
    print("no")

# case: the owner of the numbers
np.zeros(2).flags.owndata  # expect error[unsupported]: numpy.ndarray.flags.owndata is not known here

# case: uint16 and uint32
for t in (np.uint16, np.uint32):
    a, b = np.array([65530, 43567, 3, 300], dtype=t), np.array([65535, 2, 7, 300]).astype(t)
    print(a + b, a - b, a * b, a // b, a % 7, a & b, a ^ b, ~b, -b, a << 2, a >> 3, b ** 2)
    print(a / b, a + 70000, (a + -1).dtype, (a + 1.5).dtype, np.sqrt(b).dtype, a < b, np.maximum(a, b), a.mean(), a.max(), a.nbytes)
    print(np.sort(a), np.unique([b, b]), np.concatenate([a, b]).dtype, a.astype(np.int16), np.array([-1, 70000]).astype(t), np.bincount(b[1:3]), np.diff(b))
    print(repr(a[0]), type(a[0]), a[0] + 1, np.iinfo(t).max, np.dtype(t), repr(a[:2]), a.tolist(), np.arange(9)[b[1:3]], a.strides, np.clip(a, 5, 100))
    print([(a + np.ones(4, o)).dtype.name for o in (np.bool_, np.uint8, np.int8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.float16, np.float32, np.float64)])
    c = a.copy()
    c += 5
    c[1:] = [1, 2, 3]
    print(c, c.view(), c.sum(dtype=np.int64), (c == t(1)).tolist(), np.zeros(2, t), t(7) // 2, np.full(2, 9, dtype=t).dtype == t)
print(np.array([1], 'u2').dtype, np.dtype('<u4'), np.dtype('i2').itemsize, np.dtype(np.uint8).kind, np.ones(2, np.uint8) + 300, np.ones(1, np.uint8) + 70000)
# expect: [65529 43569    10   600] [65531 43565 65532     0] [    6 21598    21 24464] [    0 21783     0     1] [3 6 3 6] [65530     2     3   300] [    5 43565     4     0] [    0 65533 65528 65235] [    1 65534 65529 65236] [65512 43196    12  1200] [8191 5445    0   37] [    1     4    49 24464]
# expect: [9.99923705e-01 2.17835000e+04 4.28571429e-01 1.00000000e+00] [135530 113567  70003  70300] int32 float64 float32 [ True False  True False] [65535 43567     7   300] 27350.0 65530 8
# expect: [    3   300 43567 65530] [    2     7   300 65535] uint16 [    -6 -21969      3    300] [65535  4464] [0 0 1 0 0 0 0 1] [  3   5 293]
# expect: 65530 <class 'numpy.uint16'> 65531 65535 uint16 array([65530, 43567], dtype=uint16) [65530, 43567, 3, 300] [2 7] (2,) [100 100   5 100]
# expect: ['uint16', 'uint16', 'int32', 'int32', 'uint16', 'int32', 'uint32', 'int64', 'float32', 'float32', 'float64']
# expect: [65535     1     2     3] [65535     1     2     3] 65541 [False, True, False, False] [0 0] 3 True
# expect: [131065  43569     10    600] [4294967291      43565 4294967292          0] [4294508550      87134         21      90000] [    0 21783     0     1] [3 6 3 6] [65530     2     3   300] [    5 43565     4     0] [4294901760 4294967293 4294967288 4294966995] [4294901761 4294967294 4294967289 4294966996] [262120 174268     12   1200] [8191 5445    0   37] [4294836225          4         49      90000]
# expect: [9.99923705e-01 2.17835000e+04 4.28571429e-01 1.00000000e+00] [135530 113567  70003  70300] int64 float64 float64 [ True False  True False] [65535 43567     7   300] 27350.0 65530 16
# expect: [    3   300 43567 65530] [    2     7   300 65535] uint32 [    -6 -21969      3    300] [4294967295      70000] [0 0 1 0 0 0 0 1] [4294901763          5        293]
# expect: 65530 <class 'numpy.uint32'> 65531 4294967295 uint32 array([65530, 43567], dtype=uint32) [65530, 43567, 3, 300] [2 7] (4,) [100 100   5 100]
# expect: ['uint32', 'uint32', 'int64', 'int64', 'uint32', 'int64', 'uint32', 'int64', 'float64', 'float64', 'float64']
# expect: [65535     1     2     3] [65535     1     2     3] 65541 [False, True, False, False] [0 0] 3 True
# expect: uint16 uint32 2 u [301 301] [70001]

# case: nothing but numbers is equal to an array of numbers
import numpy as np
print(np.int64(2) == 'a', np.float32(1) != None, np.arange(2) == None, np.arange(2) != object())
# expect: False True [False False] [ True  True]

# case: a bool of numpy beside a tensor counts as 1. or 0.
import numpy as np
import torch
yes = np.bool_(True)
x = torch.arange(3)
print(x * yes, yes - x, x / yes, x == yes, x > yes, yes == x, yes != x)
w = torch.ones(2, requires_grad=True)
print(w * yes)
y = torch.ones(2)
y += yes
print(y)
for call in (lambda: yes < x, lambda: x.add_(float(yes))):
    try:
        call()
    except (TypeError, RuntimeError) as error:
        print(error)
# expect: tensor([0., 1., 2.]) tensor([ 1.,  0., -1.]) tensor([0., 1., 2.]) tensor([False,  True, False]) tensor([False, False,  True]) False True
# expect: tensor([1., 1.], grad_fn=<MulBackward0>)
# expect: tensor([2., 2.])
# expect: '<' not supported between instances of 'numpy.ndarray' and 'Tensor'
# expect: result type Float can't be cast to the desired output type Long
