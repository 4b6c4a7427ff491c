# case: sets of numbers
import numpy as np
a, b = np.array([3, 1, 2, 3]), [5, 3, 2]
print(np.intersect1d(a, b), np.union1d(a, b), np.setdiff1d(a, b), np.setxor1d(a, b), np.setdiff1d(b, a, assume_unique=True))
print(np.union1d([1.5], [1, 2]).dtype, np.setdiff1d([], [1]).shape)
# expect: [2 3] [1 2 3 5] [1] [1 5] [5]
# expect: float64 (0,)

# case: what conditions choose
import numpy as np
x = np.arange(6).reshape(2, 3)
print(np.extract(x % 2 == 0, x), np.compress([True, False, True], x, axis=1).tolist(), np.compress([0, 1], x))
print(np.select([x < 2, x > 3], [x, x * 10], default=-1))
y = x.copy()
np.putmask(y, y > 2, [7, 8, 9, 10])
z = x.astype(float)
np.place(z, z > 2, [0.5, 1.5])
w = np.zeros((2, 3))
np.copyto(w, x, where=x > 1)
print(y, z, w)
print(np.trim_zeros(np.array([0, 0, 1, 0, 2, 0])), np.trim_zeros([0, 1, 0], 'f'), np.trim_zeros([0, 0]))
print(x[np.ix_([1, 0], [True, False, True])], [i.shape for i in np.ix_([0, 1], [2])])
try:
    np.select([x < 1], [])
except ValueError as e:
    print(e)
# expect: [0 2 4] [[0, 2], [3, 5]] [1]
# expect: [[ 0  1 -1]
# expect:  [-1 40 50]]
# expect: [[ 0  1  2]
# expect:  [10  7  8]] [[0.  1.  2. ]
# expect:  [0.5 1.5 0.5]] [[0. 0. 2.]
# expect:  [3. 4. 5.]]
# expect: [1 0 2] [1, 0] []
# expect: [[3 5]
# expect:  [0 2]] [(2, 1), (1, 1)]
# expect: list of cases must be same length as list of conditions

# case: pieces turned and laid side by side
import numpy as np
x = np.arange(6).reshape(2, 3)
print(np.rot90(x).tolist(), np.rot90(x, 2).tolist(), np.rot90(x, -1).tolist(), np.rot90(x, 4) is x)
print(np.dstack(([1, 2], [3, 4])), np.atleast_3d([1, 2]).shape, np.atleast_3d(5).shape, np.atleast_3d(x).shape)
print(np.rollaxis(np.ones((3, 4, 5)), 2).shape, np.rollaxis(np.ones((3, 4, 5)), 0, 3).shape)
t = np.ascontiguousarray(x.T)
print(t.flags['C_CONTIGUOUS'], t.strides, np.ascontiguousarray(x) is x, np.ascontiguousarray(3).shape, np.asanyarray([1, 2]))
print(np.diag_indices(3), np.triu_indices_from(x), np.tril_indices_from(x, -1))
print([np.isscalar(v) for v in (3, 2.5, 'a', np.float32(1), np.array(1), None, [1])])
# expect: [[2, 5], [1, 4], [0, 3]] [[5, 4, 3], [2, 1, 0]] [[3, 0], [4, 1], [5, 2]] False
# expect: [[[1 3]
# expect:   [2 4]]] (1, 2, 1) (1, 1, 1) (2, 3, 1)
# expect: (5, 3, 4) (4, 5, 3)
# expect: True (16, 8) True (1,) [1 2]
# expect: (array([0, 1, 2]), array([0, 1, 2])) (array([0, 0, 0, 1, 1]), array([0, 1, 2, 1, 2])) (array([1]), array([0]))
# expect: [True, True, True, True, False, False, False]

# case: angles
import numpy as np
print(np.radians(180), np.deg2rad([90, 45]), np.degrees(np.pi), np.rad2deg(np.float32(1)))
print(np.arctan2(1, -1), np.arctan2([1., 0.], [0., -1.]), np.hypot(3, 4), np.hypot(np.float32(3), 4).dtype, np.arctan2(np.ones(2, np.float32), 2).dtype)
print(np.arcsin(0.5), np.arccos([0.5]), np.arctan(1), np.sinh(1.0), np.cosh([0.0]), np.exp2([3, 4]))
print(np.trunc([-1.5, 2.7]), np.fix(-1.5), np.remainder([-3, 3], 2), np.bitwise_and(6, 3), np.bitwise_or([1, 2], 4), np.bitwise_xor(True, True))
print(np.unwrap([0, 3.2, 6.4, 0.1]), np.sinc([0, 0.5, 1.0]).round(6))
print(np.hanning(5), np.hamming(3), np.blackman(4).round(6), np.hanning(1), np.geomspace(1, 1000, 4), np.geomspace(2, 32, num=4, endpoint=False))
# expect: 3.141592653589793 [1.57079633 0.78539816] 180.0 57.295776
# expect: 2.356194490192345 [1.57079633 3.14159265] 5.0 float64 float32
# expect: 0.5235987755982989 [1.04719755] 0.7853981633974483 1.1752011936438014 [1.] [ 8. 16.]
# expect: [-1.  2.] -1.0 [1 1] 2 [5 6] False
# expect: [ 0.         -3.08318531 -6.16637061 -6.18318531] [1.      0.63662 0.     ]
# expect: [0.  0.5 1.  0.5 0. ] [0.08 1.   0.08] [-0.    0.63  0.63 -0.  ] [1.] [   1.   10.  100. 1000.] [ 2.  4.  8. 16.]

# case: matrices as a whole
import numpy as np
m = np.array([[4., 2.], [2., 3.]])
print(np.linalg.cholesky(m), np.linalg.slogdet(m), np.linalg.slogdet(-np.eye(3)))
print(np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), 10), np.linalg.matrix_power(m, -1), np.linalg.matrix_power(m, 0))
print(np.linalg.multi_dot([m, m, np.ones(2)]), np.cross([1, 0, 0], [0, 1, 0]), np.cross([1, 2], [3, 4]))
print(np.cross([[1., 2, 3], [4, 5, 6]], [1, 0, 2]), np.cross([1, 2], [3, 4, 5]))
try:
    np.cross([1], [2])
except ValueError as e:
    print(e)
try:
    np.linalg.cholesky(-m)
except np.linalg.LinAlgError as e:
    print(e)
np.random.seed(0)
print(np.random.sample(2), np.random.ranf())
# expect: [[2.         0.        ]
# expect:  [1.         1.41421356]] (1.0, 2.0794415416798357) (-1.0, 0.0)
# expect: [[89 55]
# expect:  [55 34]] [[ 0.375 -0.25 ]
# expect:  [-0.25   0.5  ]] [[1. 0.]
# expect:  [0. 1.]]
# expect: [34. 27.] [0 0 1] -2
# expect: [[ 4.  1. -2.]
# expect:  [10. -2. -5.]] [10 -5 -2]
# expect: incompatible dimensions for cross product
# expect: (dimension must be 2 or 3)
# expect: Matrix is not positive definite
# expect: [0.5488135  0.71518937] 0.6027633760716439


# case: near the ends of 64 bits
import numpy as np
n = -2**62 - 2**62
m = 2**62 - 1 + 2**62
print(round(m, -1) if m < 0 else 'too large', round(n + 8, -1), round(m - 7, -2) if m < 0 else round(m // 10, -1), round(n, -25), round(m - 6 * 10**18, -19))
print(np.arange(2**53, 2**53 + 3), np.arange(2**53 + 1, 2**53 + 2).size, np.arange(2**62, 2**62 + 3).tolist(), np.arange(10, 0, -3))
# expect: too large -9223372036854775800 922337203685477580 0 0
# expect: [9007199254740992 9007199254740993 9007199254740994] 1 [4611686018427387904, 4611686018427387905, 4611686018427387906] [10  7  4  1]

# case: rows of different lengths
import numpy as np
def attempt(rows):
    try: np.array(rows)
    except ValueError as error: print(str(error).split(". ")[-1])
attempt([[1, 2], [3]])  # expect: The detected shape was (2,) + inhomogeneous part.
attempt([[[1], [2]], [[3], []]])  # expect: The detected shape was (2, 2) + inhomogeneous part.
attempt([np.ones(2), np.ones(3)])  # expect: The detected shape was (2,) + inhomogeneous part.
attempt([[1, 2], 3])  # expect: The detected shape was (2,) + inhomogeneous part.
