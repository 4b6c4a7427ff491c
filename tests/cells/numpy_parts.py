# numpy's rarer draws, the states of its generator, what comes so far, places of the smallest.
import numpy as np


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__)


# case: numbers of successes and arrivals
np.random.seed(0)
print(np.random.binomial(10, 0.5, 5), np.random.binomial(1, 0.3), np.random.binomial(1000, [0.2, 0.9, 0.001]), np.random.binomial(100, 0.4, (2, 2)))
# expect: [5 6 5 5 5] 0 [195 878   2] [[41 32]
# expect:  [47 46]]
print(np.random.poisson(3, 5), np.random.poisson(50., 4), np.random.poisson(), np.random.poisson([[1.], [200.]], (2, 3)))
# expect: [3 3 1 6 1] [53 43 46 51] 1 [[  0   0   1]
# expect:  [199 184 206]]
print(np.random.multinomial(20, [0.2, 0.3, 0.5]), np.random.multinomial(1, [0.1] * 10, 2))
# expect: [ 2  6 12] [[0 0 0 0 1 0 0 0 0 0]
# expect:  [0 1 0 0 0 0 0 0 0 0]]
rng = np.random.default_rng(7)
print(rng.binomial(10, 0.5, 5), rng.binomial(10000, 0.3, 3), rng.poisson(3, 5), rng.poisson(30, 3), rng.multinomial(5, [0.5, 0.5]), rng.random())
# expect: [6 7 6 4 4] [3023 2974 3032] [2 6 2 0 5] [26 24 25] [0 5] 0.8300477298017456
print(np.random.RandomState(3).binomial(10, 0.5, 3), np.random.binomial(0, 0.5), np.random.binomial(5, 1.0))
# expect: [5 6 4] 0 5
for call in (lambda: np.random.binomial(-1, 0.5), lambda: np.random.binomial(1, 1.5), lambda: np.random.poisson(-1),
             lambda: np.random.multinomial(1, [0.9, 0.9, 0.9])):
    attempt(call)
# expect: ValueError
# expect: ValueError
# expect: ValueError
# expect: ValueError

# case: waiting times and other curves
np.random.seed(1)
for draw in (np.random.exponential, np.random.gumbel, np.random.laplace, np.random.logistic):
    print(np.round(draw(size=3), 9), type(draw()).__name__, np.round(draw(scale=2., size=2), 9))
# expect: [5.39605837e-01 1.27412525e+00 1.14381000e-04] float [0.31741919 0.19376774]
# expect: [1.57932279 0.85807729 0.68230113] float [ 1.22004233 -0.28972341]
# expect: [-0.89427365  1.41155011 -2.90451799] float [-0.3615824   0.24972027]
# expect: [-1.8120799  -1.39820258  1.39095443] float [-1.56831838  1.62200055]
rng = np.random.default_rng(2)
print(np.round(rng.gumbel(size=2), 9), np.round(rng.laplace(1., 2., 2), 9), np.round(rng.logistic(size=2), 9))
# expect: [1.19307893 1.03698557] [ 2.98015164 -2.38746722] [0.40588398 0.98733153]

# case: states of numpy.random
np.random.seed(3)
np.random.randn(3)
state = np.random.get_state()
first = np.random.rand(2), np.random.randn(2), np.random.permutation(4)
np.random.set_state(state)
again = np.random.rand(2), np.random.randn(2), np.random.permutation(4)
print([np.array_equal(a, b) for a, b in zip(first, again)], state[0], state[1][:2], len(state[1]), state[2], state[3], round(state[4], 9))
# expect: [True, True, True] MT19937 [2266350226  522119106] 624 8 1 -1.863492703

# case: largest so far
print(np.maximum.accumulate([1, 3, 2, 5]), np.minimum.accumulate(np.array([[3., 1.], [2., 4.]]), axis=1), np.maximum.accumulate(np.array([[1, 5], [2, 3]])))
# expect: [1 3 3 5] [[3. 1.]
# expect:  [2. 2.]] [[1 5]
# expect:  [2 5]]
print(np.maximum.reduce([1, 3, 2]), np.minimum.reduce(np.array([[3., 1.], [2., 4.]]), axis=1), np.maximum.outer([1, 2], [0, 3]))
# expect: 3 [1. 2.] [[1 3]
# expect:  [2 3]]
a = np.zeros(3)
np.maximum.at(a, [0, 0, 2], [5., 4., 1.])
print(a, np.maximum(a, 2), np.maximum.__name__)  # expect: [5. 0. 1.] [5. 2. 2.] maximum

# case: places of the smallest
a = np.array([7, 1, 5, 3, 9, 0, 4, 8])
print(np.argpartition(a, 3), np.argpartition(a, -3)[-3:], np.partition(a, 2), np.argpartition(a, 0), np.argpartition(a, 7), np.partition(a * 1.5, -1))
# expect: [1 5 3 6 2 0 4 7] [0 4 7] [0 1 3 5 9 7 4 8] [5 1 2 3 4 0 6 7] [5 3 2 1 6 0 7 4] [10.5  1.5  7.5  4.5 12.   0.   6.  13.5]
print(np.argpartition(a.reshape(2, 4), 1, axis=1), np.partition(a.reshape(2, 4), 1, axis=0), np.partition(a.reshape(2, 4), 4, axis=None))
# expect: [[1 3 2 0]
# expect:  [1 2 0 3]] [[7 0 4 3]
# expect:  [9 1 5 8]] [1 0 3 4 5 7 9 8]
attempt(lambda: np.argpartition(a, 8))  # expect: ValueError

# case: functions of rows, areas
a = np.arange(12).reshape(3, 4)
print(np.apply_along_axis(np.sum, 0, a), np.apply_along_axis(lambda row: row[::-1] * 2, 1, a), np.apply_along_axis(lambda row, k: (row - k).mean(), 1, a, 2))
# expect: [12 15 18 21] [[ 6  4  2  0]
# expect:  [14 12 10  8]
# expect:  [22 20 18 16]] [-0.5  3.5  7.5]
print(np.apply_along_axis(lambda row: np.array([row.min(), row.max()]), 0, a), np.apply_along_axis(np.diag, 1, a[:2, :2]))
# expect: [[ 0  1  2  3]
# expect:  [ 8  9 10 11]] [[[0 0]
# expect:   [0 1]]
# expect:
# expect:  [[4 0]
# expect:   [0 5]]]
print(np.trapz([1, 2, 4]), np.trapz([[1, 2], [3, 4]], axis=0), np.trapz(a, x=[0, 1, 3], axis=0), np.trapz(a, dx=0.5))
# expect: 4.5 [2. 3.] [14. 17. 20. 23.] [ 2.25  8.25 14.25]
# case: arrays that overlap, lists of arrays without axes, medians with nan, axes that are not there
import json
a = np.arange(5.)
a[1:] = a[:-1]
print(a, np.mean([np.array(1.), np.array(2.)]), np.array([np.array(1.), np.float32(2.)]))
print(np.median([1., np.nan, 2.]), np.median(np.array([[1., np.nan], [2., 3.]]), axis=0), np.median([3, 1, 2]))
try:
    np.sum(np.ones((2, 2)), axis=2)
except ValueError as error:
    print(type(error).__name__, error)
print(json.dumps({'loss': np.float64(1.5), 'n': [1, 2]}, separators=(',', ':')), json.dumps([1, 2], indent=1).split('\n'))
try:
    json.dumps(np.float32(1.5))
except TypeError as error:
    print(error)
# expect: [0. 0. 1. 2. 3.] 1.5 [1. 2.]
# expect: nan [1.5 nan] 2.0
# expect: AxisError axis 2 is out of bounds for array of dimension 2
# expect: {"loss":1.5,"n":[1,2]} ['[', ' 1,', ' 2', ']']
# expect: Object of type float32 is not JSON serializable

# case: arrays of what can be gone through
import numpy as np
import torch
from collections import deque
print(np.mean(deque([1., 2.])), np.array(deque([1, 2, 3])), np.fromiter((i * i for i in range(5)), dtype=np.float32))
print(np.fromiter(range(10), int, 3), np.where(torch.tensor([0., 1., 1.])), np.where(torch.tensor([True, False]), 1, 2))
print(np.argsort(np.array([[3, 1], [2, 0]]), axis=None))
try: np.fromiter(range(2), int, 3)
except ValueError as error: print(error)
# expect: 1.5 [1 2 3] [ 0.  1.  4.  9. 16.]
# expect: [0 1 2] (array([1, 2]),) [1 2]
# expect: [3 1 2 0]
# expect: iterator too short: Expected 3 but iterator had only 2 items.

# case: numpy asks a tensor for its shape
import torch
print(np.shape(torch.ones(2, 3)), np.ndim(torch.ones(2, 3)))
a = np.arange(6).reshape(2, 3)
print([int(v) for v in np.nditer(a, order='F')], [int(v) for v in np.nditer(a.T)], [int(v) for v in np.nditer(a.T, order='C')])
# expect: torch.Size([2, 3]) 2
# expect: [0, 3, 1, 4, 2, 5] [0, 1, 2, 3, 4, 5] [0, 3, 1, 4, 2, 5]
