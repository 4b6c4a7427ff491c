# Every method of tuple and torch.Size; unpacking.
import torch

# case: index and count
t = (1, 2, 3, 2)
print(t.index(2), t.index(2, 2), t.count(2), t.count(9))  # expect: 1 3 2 0

# case: index of what is not there
(1, 2).index(3)  # expect error[ValueError]: tuple.index(x): x not in tuple

# case: making tuples
print((), (1,), 1, (1, 2), tuple(), tuple([1, 2]), tuple("ab"), tuple(range(3)), (1, (2, 3)))
# expect: () (1,) 1 (1, 2) () (1, 2) ('a', 'b') (0, 1, 2) (1, (2, 3))
t = 1, 2
print(t, len(t), type(t).__name__, t + (3,), t * 2, 2 * (0,), (1, 2) == (1, 2), (1, 2) < (1, 3), (1,) < (1, 0))
# expect: (1, 2) 2 tuple (1, 2, 3) (1, 2, 1, 2) (0, 0) True True True

# case: slices
t = (0, 1, 2, 3, 4)
print(t[0], t[-1], t[1:3], t[::-1], t[::2], t[5:], 3 in t, sum(t), min(t), max(t))
# expect: 0 4 (1, 2) (4, 3, 2, 1, 0) (0, 2, 4) () True 10 0 4

# case: index out of range
(1, 2)[5]  # expect error[IndexError]: tuple index out of range

# case: index of a string
(1, 2)["a"]  # expect error[TypeError]: tuple indices must be integers or slices, not str

# case: assignment
t = (1, 2)
t[0] = 5  # expect error[TypeError]: 'tuple' object does not support item assignment

# case: deletion
t = (1, 2)
del t[0]  # expect error[TypeError]: 'tuple' object doesn't support item deletion

# case: adding a list
(1,) + [2]  # expect error[TypeError]: can only concatenate tuple (not "list") to tuple

# case: changing what is inside
t = ([1], 2)
t[0].append(3)
print(t)  # expect: ([1, 3], 2)

# case: plus-equals on an item of a tuple
t = ([1],)
try:
    t[0] += [2]
except TypeError as error:
    print(error, t)
# expect: 'tuple' object does not support item assignment ([1, 2],)

# case: numel
size = torch.zeros(2, 3).shape
print(size.numel(), size.count(2), size.index(3), size[0], size[-1], size[:1], len(size), list(size), tuple(size))
# expect: 6 1 1 2 3 torch.Size([2]) 2 [2, 3] (2, 3)
print(size == (2, 3), size + (4,), size * 2, torch.Size([1, 2]), isinstance(size, tuple), type(size))
# expect: True torch.Size([2, 3, 4]) torch.Size([2, 3, 2, 3]) torch.Size([1, 2]) True <class 'torch.Size'>

# case: unpacking
a, b = 1, 2
a, b = b, a
(c, d), e = [3, 4], "e"
[f, g] = "fg"
print(a, b, c, d, e, f, g)  # expect: 2 1 3 4 e f g

# case: starred targets
first, *rest = [1, 2, 3]
*start, last = "abc"
a, *middle, z = range(5)
(x, *y), w = (1, 2, 3), 4
head, *none = [1]
print(first, rest, start, last, a, middle, z, x, y, w, none)
# expect: 1 [2, 3] ['a', 'b'] c 0 [1, 2, 3] 4 1 [2, 3] 4 []

# case: starred displays
a, b = [1, 2], (3,)
print([*a, *b], (*a, 0), {*a, *b}, {**{"x": 1}, "y": 2, **{"x": 3}}, [*range(2), *"ab"], *a)
# expect: [1, 2, 3] (1, 2, 0) {1, 2, 3} {'x': 3, 'y': 2} [0, 1, 'a', 'b'] 1 2

# case: unpacking a dict
for key, (x, y) in {"a": (1, 2)}.items():
    print(key, x, y)
# expect: a 1 2
for i, (a, b) in enumerate(zip([1, 2], "xy"), start=1):
    print(i, a, b)
# expect: 1 1 x
# expect: 2 2 y

# case: too many values
a, b = 1, 2, 3  # expect error[ValueError]: too many values to unpack (expected 2)

# case: not enough values
a, b, c = 1, 2  # expect error[ValueError]: not enough values to unpack (expected 3, got 2)

# case: not enough values for a star
a, *b, c = [1]  # expect error[ValueError]: not enough values to unpack (expected at least 2, got 1)

# case: one value for two names
a, b = [1]  # expect error[ValueError]: not enough values to unpack (expected 2, got 1)

# case: unpacking a number
a, b = 5  # expect error[TypeError]: cannot unpack non-iterable int object

# case: unpacking None
a, b = None  # expect error[TypeError]: cannot unpack non-iterable NoneType object

# case: unpacking a tensor
a, b = torch.tensor([1, 2])
B, T, C = torch.zeros(2, 3, 4).shape
print(a, b, B, T, C)  # expect: tensor(1) tensor(2) 2 3 4

# case: chained assignment
a = b = c = []
a.append(1)
print(a, b, c, a is c)  # expect: [1] [1] [1] True
x = y = 5
x += 1
print(x, y)  # expect: 6 5
i, values = 0, [0, 0, 0]
i, values[i] = 1, 9
i = values[i] = 2
print(i, values)  # expect: 2 [0, 9, 2]

# case: swapping items
a = [1, 2, 3]
a[0], a[-1] = a[-1], a[0]
print(a)  # expect: [3, 2, 1]

# case: comparing with unlike things
(1, "a") < (1, 2)  # expect error[TypeError]: '<' not supported between instances of 'str' and 'int'

# case: hashing a tuple with a list
{(1, [2]): 3}  # expect error[TypeError]: unhashable type: 'list'

# case: sorting tuples
print(sorted([(2, "b"), (1, "z"), (2, "a")]), max((1, 5), (2, 0)), min([(3, 1), (3, 0)]))
# expect: [(1, 'z'), (2, 'a'), (2, 'b')] (2, 0) (3, 0)

# case: nested unpacking in comprehensions
pairs = [((1, 2), "a"), ((3, 4), "b")]
print([x + y for (x, y), name in pairs], {name: x for (x, _), name in pairs})  # expect: [3, 7] {'a': 1, 'b': 3}

# case: star arguments of print
rows = [[1, 2], [3, 4]]
print(*rows, sep="\n")
# expect: [1, 2]
# expect: [3, 4]
print(*zip(*rows), sep=" | ", end="!\n")  # expect: (1, 3) | (2, 4)!
