# Every method of list, and lists under operators, slices and del.
import torch

# case: append, extend, insert
a = [1]
a.append(2); a.append([3]); a.extend((4, 5)); a.extend("xy"); a.insert(0, "first"); a.insert(-1, "z"); a.insert(100, "end")
print(a, a.append(0))  # expect: ['first', 1, 2, [3], 4, 5, 'x', 'z', 'y', 'end', 0] None

# case: append: no argument
[].append()  # expect error[TypeError]: list.append() takes exactly one argument (0 given)

# case: append: two arguments
[].append(1, 2)  # expect error[TypeError]: list.append() takes exactly one argument (2 given)

# case: extend: not iterable
[].extend(5)  # expect error[TypeError]: 'int' object is not iterable

# case: extend and += by what fails half-way
def two():
    yield 1
    yield 2
    raise ValueError
a, b = [0], [0]
try:
    a.extend(two())
except ValueError:
    pass
try:
    b += two()
except ValueError:
    pass
print(a, b)  # expect: [0, 1, 2] [0, 1, 2]

# case: extend by an iterator that sees the list grow
a = [1]
a.extend(x + 1 for x in a if len(a) < 5)
a += [*a]
a.extend(a)
print(a)  # expect: [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]

# case: pop
a = [1, 2, 3, 4]
print(a.pop(), a.pop(0), a.pop(-1), a)  # expect: 4 1 3 [2]

# case: pop from nothing
[].pop()  # expect error[IndexError]: pop from empty list

# case: pop out of range
[1].pop(5)  # expect error[IndexError]: pop index out of range

# case: pop of a string
[1].pop("a")  # expect error[TypeError]: 'str' object cannot be interpreted as an integer

# case: remove
a = [1, 2, 1]
a.remove(1)
print(a)  # expect: [2, 1]

# case: remove what is not there
[1].remove(2)  # expect error[ValueError]: list.remove(x): x not in list

# case: index and count
print([1, 2, 3, 2].index(2), [1, 2, 3, 2].index(2, 2), [1, 2, 1].count(1), [1, True, 1.0].count(1), ["a"].count("b"))
# expect: 1 3 2 3 0

# case: index of what is not there
[1].index("a")  # expect error[ValueError]: 'a' is not in list

# case: sort and reverse
a = [3, 1, 2]
a.sort(); print(a)  # expect: [1, 2, 3]
a.sort(reverse=True); print(a)  # expect: [3, 2, 1]
a.sort(key=lambda v: -v % 3); print(a)  # expect: [3, 2, 1]
a.reverse(); print(a, a.sort())  # expect: [1, 2, 3] None
words = ["bb", "a", "ccc", "dd"]
words.sort(key=len); print(words)  # expect: ['a', 'bb', 'dd', 'ccc']
words.sort(key=len, reverse=True); print(words)  # expect: ['ccc', 'bb', 'dd', 'a']

# case: sort of unlike things
[1, "a"].sort()  # expect error[TypeError]: '<' not supported between instances of 'str' and 'int'

# case: sort by position
[1].sort(len)  # expect error[TypeError]: sort() takes no positional arguments

# case: copy and clear
a = [[1], 2]
b = a.copy()
b[0].append(9); b[1] = 3
print(a, b)  # expect: [[1, 9], 2] [[1, 9], 3]
a.clear()
print(a, b)  # expect: [] [[1, 9], 3]

# case: indexing
a = [10, 20, 30]
print(a[0], a[-1], a[True], a[1:], a[:-1], a[::-1], a[5:], a[-2:], a[::2], a[2:0:-1], a[-100:100], a[0:0])
# expect: 10 30 20 [20, 30] [10, 20] [30, 20, 10] [] [20, 30] [10, 30] [30, 20] [10, 20, 30] []

# case: index out of range
[1, 2][2]  # expect error[IndexError]: list index out of range

# case: index below the range
[1, 2][-3]  # expect error[IndexError]: list index out of range

# case: index of a string
[1]["a"]  # expect error[TypeError]: list indices must be integers or slices, not str

# case: index of a float
[1][0.5]  # expect error[TypeError]: list indices must be integers or slices, not float

# case: index of a tuple
[1, 2][0, 1]  # expect error[TypeError]: list indices must be integers or slices, not tuple

# case: assignment out of range
a = [1]
a[1] = 2  # expect error[IndexError]: list assignment index out of range

# case: slices with a zero step
[1][::0]  # expect error[ValueError]: slice step cannot be zero

# case: slices with a float
[1, 2][:1.5]  # expect error[TypeError]: slice indices must be integers or None or have an __index__ method

# case: slice assignment
a = [1, 2, 3, 4, 5]
a[1:3] = ["x"]; print(a)  # expect: [1, 'x', 4, 5]
a[:0] = [0, 0]; print(a)  # expect: [0, 0, 1, 'x', 4, 5]
a[::2] = [7, 7, 7]; print(a)  # expect: [7, 0, 7, 'x', 7, 5]
a[2:] = []; print(a)  # expect: [7, 0]
a[:] = range(3); print(a)  # expect: [0, 1, 2]
a[10:] = "ab"; print(a)  # expect: [0, 1, 2, 'a', 'b']

# case: slice assignment of a wrong size
a = [1, 2, 3, 4]
a[::2] = [1]  # expect error[ValueError]: attempt to assign sequence of size 1 to extended slice of size 2

# case: slice assignment of a number
a = [1, 2]
a[0:1] = 5  # expect error[TypeError]: can only assign an iterable

# case: del
a = list(range(10))
del a[0]; print(a)  # expect: [1, 2, 3, 4, 5, 6, 7, 8, 9]
del a[-1]; print(a)  # expect: [1, 2, 3, 4, 5, 6, 7, 8]
del a[1:3]; print(a)  # expect: [1, 4, 5, 6, 7, 8]
del a[::2]; print(a)  # expect: [4, 6, 8]
del a[:]; print(a)  # expect: []

# case: del out of range
a = []
del a[0]  # expect error[IndexError]: list assignment index out of range

# case: operators
print([1] + [2, 3], [0] * 3, 2 * [1, 2], [] * 5, [1, 2] == [1, 2], [1, 2] < [1, 3], [1] < [1, 0], [[1]] == [[1.0]], [1] != [2])
# expect: [1, 2, 3] [0, 0, 0] [1, 2, 1, 2] [] True True True True True
print(2 in [1, 2], "a" not in ["b"], [1] in [[1]], [] == (), [1, 2] > [1], [2] >= [1, 5])
# expect: True True True False True True

# case: adding a tuple
[1] + (2,)  # expect error[TypeError]: can only concatenate list (not "tuple") to list

# case: multiplied by a list
[1] * [2]  # expect error[TypeError]: can't multiply sequence by non-int of type 'list'

# case: aliasing
a = [1, 2]
b = a
b += [3]
a.append(4)
print(a, b, a is b)  # expect: [1, 2, 3, 4] [1, 2, 3, 4] True
b = b + [5]
print(a, b, a is b)  # expect: [1, 2, 3, 4] [1, 2, 3, 4, 5] False

# case: multiplication copies references
grid = [[0] * 2] * 2
grid[0][0] = 1
print(grid)  # expect: [[1, 0], [1, 0]]
grid = [[0] * 2 for _ in range(2)]
grid[0][0] = 1
print(grid)  # expect: [[1, 0], [0, 0]]

# case: plus-equals takes any iterable
a = []
a += "ab"; a += (1, 2); a += range(2); a += {"k": 0}; a *= 2
print(a)  # expect: ['a', 'b', 1, 2, 0, 1, 'k', 'a', 'b', 1, 2, 0, 1, 'k']

# case: plus-equals of a number
a = []
a += 5  # expect error[TypeError]: 'int' object is not iterable

# case: list()
print(list(), list("abc"), list(range(3)), list({"a": 1}), list((1, 2)), list(x * x for x in range(4)), list(enumerate("ab")))
# expect: [] ['a', 'b', 'c'] [0, 1, 2] ['a'] [1, 2] [0, 1, 4, 9] [(0, 'a'), (1, 'b')]

# case: list() of a number
list(5)  # expect error[TypeError]: 'int' object is not iterable

# case: list() of two arguments
list(1, 2)  # expect error[TypeError]: list expected at most 1 argument, got 2

# case: nesting
a = [1, [2, [3, [4]]]]
print(a[1][1][1][0], a, len(a), str(a[1]))  # expect: 4 [1, [2, [3, [4]]]] 2 [2, [3, [4]]]

# case: a list in itself
a = [1]
a.append(a)
print(a)  # expect: [1, [...]]

# case: growing while iterating
a = [1, 2, 3]
for v in a:
    if len(a) < 6:
        a.append(v * 10)
print(a)  # expect: [1, 2, 3, 10, 20, 30]

# case: shrinking while iterating
a = [1, 2, 3, 4]
for v in a:
    a.remove(v)
print(a)  # expect: [2, 4]

# case: tensors inside
a = [torch.tensor([1, 2]), torch.tensor(3.0), [torch.zeros(1)]]
print(a)  # expect: [tensor([1, 2]), tensor(3.), [tensor([0.])]]
print((torch.tensor(1),), {"t": torch.ones(2)}, [t.shape for t in a[:2]])
# expect: (tensor(1),) {'t': tensor([1., 1.])} [torch.Size([2]), torch.Size([])]

# case: truth
print(bool([]), not [], [] or "empty", [0] and "full")  # expect: False True empty full

# case: no such method
[].push(1)  # expect error[AttributeError]: 'list' object has no attribute 'push'

# case: attribute of a list
[1, 2].shape  # expect error[AttributeError]: 'list' object has no attribute 'shape'

# case: comparison of lists of unlike things
[1, "a"] < [1, 2]  # expect error[TypeError]: '<' not supported between instances of 'str' and 'int'

# case: a list is no place for text
[1]["a"] = 2  # expect error[TypeError]: list indices must be integers or slices, not str

# case: deleting by a float
a = [1]
del a[1.0]  # expect error[TypeError]: list indices must be integers or slices, not float

# case: deleting from a tuple
t = (1, 2)
del t[0]  # expect error[TypeError]: 'tuple' object doesn't support item deletion

# case: unpacking what is no iterable
[1, *5]  # expect error[TypeError]: Value after * must be an iterable, not int

# case: deleting by what is no index
t = (1, 2)
del t["a"]  # expect error[TypeError]: 'tuple' object does not support item deletion

# case: a number for an extended slice
a = [1, 2, 3]
a[::2] = 5  # expect error[TypeError]: must assign iterable to extended slice

# case: an object is found by itself
import torch
x, y = torch.ones(2), torch.zeros(2)
print(x in [x], x in (x, y), [x].index(x), [x, x].count(x))
try: y in [x]
except RuntimeError as e: print(str(e)[:20])
# expect: True True 0 2
# expect: Boolean value of Ten
