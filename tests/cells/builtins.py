# Python's built-in functions and types. What belongs to numbers, texts and containers stands in their files.
import torch

# case: print
print()  # expect:
print(1, "a", None, 2.5, [1], True)  # expect: 1 a None 2.5 [1] True
print(1, 2, sep=", ", end=".\n")  # expect: 1, 2.
print("a", "b", sep="")  # expect: ab
print("a", end=""); print("b")  # expect: ab
print("x", end=None, sep=None)  # expect: x
print(*[1, 2, 3], sep="-")  # expect: 1-2-3
print("flush", flush=True)  # expect: flush

# case: print: unknown keyword
print(1, color="red")  # expect error[TypeError]: 'color' is an invalid keyword argument for print()

# case: print: separator that is no string
print(1, 2, sep=0)  # expect error[TypeError]: sep must be None or a string, not int

# case: len
print(len([1, 2]), len("abc"), len({}), len((1,)), len({1, 2}), len(range(5)), len(torch.zeros(3, 4)), len(range(0, 10, 3)))
# expect: 2 3 0 1 2 5 3 4

# case: len of a number
len(5)  # expect error[TypeError]: object of type 'int' has no len()

# case: len of nothing
len()  # expect error[TypeError]: len() takes exactly one argument (0 given)

# case: len of two
len([], [])  # expect error[TypeError]: len() takes exactly one argument (2 given)

# case: range
print(range(3), list(range(3)), list(range(1, 4)), list(range(10, 0, -3)), range(0, 10, 2), list(range(0)), list(range(5, 2)))
# expect: range(0, 3) [0, 1, 2] [1, 2, 3] [10, 7, 4, 1] range(0, 10, 2) [] []
r = range(2, 20, 3)
print(r[0], r[-1], r[1:3], len(r), 5 in r, 6 in r, r.index(8) if False else 2, list(reversed(r)), r == range(2, 20, 3), sum(r))
# expect: 2 17 range(5, 11, 3) 6 True False 2 [17, 14, 11, 8, 5, 2] True 57
print(range(5).start, range(5).stop, range(1, 5, 2).step)  # expect: 0 5 2

# case: range of a float
range(1.5)  # expect error[TypeError]: 'float' object cannot be interpreted as an integer

# case: range of nothing
range()  # expect error[TypeError]: range expected at least 1 argument, got 0

# case: range with step zero
range(1, 5, 0)  # expect error[ValueError]: range() arg 3 must not be zero

# case: range index out of range
range(3)[3]  # expect error[IndexError]: range object index out of range

# case: enumerate
print(list(enumerate("ab")), list(enumerate("ab", 1)), list(enumerate(["x"], start=5)), dict(enumerate("ab")))
# expect: [(0, 'a'), (1, 'b')] [(1, 'a'), (2, 'b')] [(5, 'x')] {0: 'a', 1: 'b'}

# case: enumerate of a number
enumerate(5)  # expect error[TypeError]: 'int' object is not iterable

# case: zip
print(list(zip([1, 2], "ab")), list(zip([1, 2, 3], "ab")), list(zip()), list(zip([1])), dict(zip("ab", range(2))), list(zip(*[(1, 2), (3, 4)])))
# expect: [(1, 'a'), (2, 'b')] [(1, 'a'), (2, 'b')] [] [(1,)] {'a': 0, 'b': 1} [(1, 3), (2, 4)]

# case: zip strict
print(list(zip([1, 2], "ab", strict=True)))  # expect: [(1, 'a'), (2, 'b')]

# case: zip strict, second shorter
list(zip([1, 2], "a", strict=True))  # expect error[ValueError]: zip() argument 2 is shorter than argument 1

# case: zip strict, second longer
list(zip([1], "ab", strict=True))  # expect error[ValueError]: zip() argument 2 is longer than argument 1

# case: map
print(list(map(str, [1, 2])), list(map(lambda a, b: a + b, [1, 2], [10, 20, 30])), sum(map(len, ["a", "bb"])), list(map(int, "123")))
# expect: ['1', '2'] [11, 22] 3 [1, 2, 3]
print(*map(lambda x: x ** 2, range(4)))  # expect: 0 1 4 9

# case: map is lazy
def show(x):
    print("called", x)
    return x
m = map(show, [1, 2])
print("made")  # expect: made
print(next(m))
# expect: called 1
# expect: 1

# case: filter
print(list(filter(None, [0, 1, "", "a"])), list(filter(lambda x: x > 1, [1, 2, 3])), list(filter(str.isdigit, "a1b2")))
# expect: [1, 'a'] [2, 3] ['1', '2']

# case: sum
print(sum([1, 2, 3]), sum([]), sum([0.1] * 3), sum([[1], [2]], []), sum(x for x in range(5)), sum([1], 10), sum((1.5, 2), start=1))
# expect: 6 0 0.30000000000000004 [1, 2] 10 11 4.5
print(sum(torch.tensor([1.0, 2.0])), sum([torch.ones(2), torch.ones(2)]))  # expect: tensor(3.) tensor([2., 2.])

# case: sum of strings
sum(["a", "b"])  # expect error[TypeError]: unsupported operand type(s) for +: 'int' and 'str'

# case: sum of strings from a string
sum(["a"], "")  # expect error[TypeError]: sum() can't sum strings [use ''.join(seq) instead]

# case: sorted
print(sorted([3, 1, 2]), sorted("bca"), sorted([3, 1], reverse=True), sorted(["bb", "a"], key=len), sorted({"b": 1, "a": 2}))
# expect: [1, 2, 3] ['a', 'b', 'c'] [3, 1] ['a', 'bb'] ['a', 'b']
print(sorted([("a", 2), ("b", 1)], key=lambda p: p[1]), sorted([1, -2, 3], key=abs, reverse=True), sorted([True, 0, 2.5]))
# expect: [('b', 1), ('a', 2)] [3, -2, 1] [0, True, 2.5]

# case: sorted is stable
rows = [("x", 1), ("y", 0), ("z", 1), ("w", 0)]
print(sorted(rows, key=lambda r: r[1]), sorted(rows, key=lambda r: r[1], reverse=True))
# expect: [('y', 0), ('w', 0), ('x', 1), ('z', 1)] [('x', 1), ('z', 1), ('y', 0), ('w', 0)]

# case: sorted of unlike things
sorted([1, "a"])  # expect error[TypeError]: '<' not supported between instances of 'str' and 'int'

# case: sorted of a number
sorted(5)  # expect error[TypeError]: 'int' object is not iterable

# case: reversed
print(list(reversed([1, 2, 3])), "".join(reversed("abc")), list(reversed(range(3))), list(reversed((1, 2))), tuple(reversed({"a": 1, "b": 2})))
# expect: [3, 2, 1] cba [2, 1, 0] [2, 1] ('b', 'a')

# case: reversed of a set
reversed({1})  # expect error[TypeError]: 'set' object is not reversible

# case: any and all
print(any([0, 1]), any([]), all([]), all([1, 0]), any(x > 2 for x in [1, 3]), all(x > 2 for x in [1, 3]), all("abc"))
# expect: True False True False True False True

# case: any stops early
def check(x):
    print("checking", x)
    return x
print(any(check(x) for x in [0, 1, 2]))
# expect: checking 0
# expect: checking 1
# expect: True

# case: abs of a string
abs("a")  # expect error[TypeError]: bad operand type for abs(): 'str'

# case: iter and next
it = iter([1, 2])
print(next(it), next(it), next(it, "done"))  # expect: 1 2 done
it = iter("ab")
print(list(it), list(it))  # expect: ['a', 'b'] []

# case: iter of two arguments wants a function
try:
    iter([1], 2)
except TypeError:
    print("no function")  # expect: no function

# case: iter shares its place
it = iter(range(5))
print(next(it), [x for x in it if x < 3], list(it))  # expect: 0 [1, 2] []
it = iter([1, 2, 3, 4])
print(list(zip(it, it)))  # expect: [(1, 2), (3, 4)]

# case: next at the end
it = iter([])
next(it)  # expect error[StopIteration]:

# case: next of a list
next([1])  # expect error[TypeError]: 'list' object is not an iterator

# case: iter of a number
iter(5)  # expect error[TypeError]: 'int' object is not iterable

# case: isinstance
print(isinstance(1, int), isinstance(1, (str, float)), isinstance(True, int), isinstance("a", str), isinstance([], list), isinstance(1.0, (int, float)))
# expect: True False True True True True
print(isinstance(None, type(None)), isinstance(int, type), isinstance(torch.zeros(1), torch.Tensor), isinstance({}, dict), isinstance(1, object))
# expect: True True True True True
print(isinstance(print, object), isinstance((1,), tuple), isinstance({1}, set))  # expect: True True True

# case: isinstance of a wrong type
isinstance(1, 5)  # expect error[TypeError]: isinstance() arg 2 must be a type, a tuple of types, or a union

# case: issubclass
print(issubclass(bool, int), issubclass(int, str), issubclass(ValueError, Exception), issubclass(KeyError, (LookupError, str)), issubclass(int, object))
# expect: True False True True True

# case: type
print(type(1), type("a"), type([]), type(None), type(1.5), type(True), type(int), type(print), type(lambda: 0), type({}), type(range(1)))
# expect: <class 'int'> <class 'str'> <class 'list'> <class 'NoneType'> <class 'float'> <class 'bool'> <class 'type'> <class 'builtin_function_or_method'> <class 'function'> <class 'dict'> <class 'range'>
print(type(1) == int, type(1) is int, type("a").__name__, type([1]) == list, type(torch.zeros(1)), type({1}), type(()), type(enumerate([])).__name__)
# expect: True True str True <class 'torch.Tensor'> <class 'set'> <class 'tuple'> enumerate
print(type(x for x in []).__name__, type(ValueError("a")), type(...), type(torch), type(torch.float32), type(slice(1)))
# expect: generator <class 'ValueError'> <class 'ellipsis'> <class 'module'> <class 'torch.dtype'> <class 'slice'>

# case: callable
print(callable(print), callable(5), callable(lambda: 0), callable(int), callable("a".upper))
# expect: True False True True True

# case: getattr, hasattr, setattr, delattr
class A:
    x = 1
a = A()
setattr(a, "y", 2)
print(getattr(a, "x"), getattr(a, "y"), getattr(a, "z", "none"), hasattr(a, "y"), hasattr(a, "z"), getattr("abc", "upper")())
# expect: 1 2 none True False ABC
delattr(a, "y")
print(hasattr(a, "y"), hasattr([], "append"), hasattr(5, "append"), getattr(torch, "pi") == torch.pi)
# expect: False True False True

# case: names of attributes have an end
x = "a" * 65536
print(hasattr(5, x), getattr(5, x, 7))  # expect: False 7
getattr(5, x + "a", 7)  # expect error[unsupported]: an attribute whose name has more than 65,536 letters

# case: getattr without the attribute
getattr(5, "missing")  # expect error[AttributeError]: 'int' object has no attribute 'missing'

# case: repr
print(repr(1.0), repr("a"), repr([1, "b"]), repr(None), repr((1,)), repr({"k": "v"}), repr(True), repr(range(2)), repr(...))
# expect: 1.0 'a' [1, 'b'] None (1,) {'k': 'v'} True range(0, 2) Ellipsis

# case: ascii
print(ascii("é한"), ascii(["a"]))  # expect: '\xe9\ud55c' ['a']

# case: slice
s = slice(1, 5, 2)
print(s, list(range(10))[s], "abcdef"[slice(2)], s.start, s.stop, s.step, slice(None, 3))
# expect: slice(1, 5, 2) [1, 3] ab 1 5 2 slice(None, 3, None)

# case: vars and __dict__
class P:
    def __init__(self):
        self.x = 1
        self.y = [2]
print(vars(P()), P().__dict__)  # expect: {'x': 1, 'y': [2]} {'x': 1, 'y': [2]}

# case: dir
class P:
    def __init__(self): self.x = 1
    def method(self): pass
print([n for n in dir(P()) if not n.startswith("_")])  # expect: ['method', 'x']

# case: dir of modules and arrays
import re, os, numpy as np
print([n in dir(m) for m, n in ((re, 'compile'), (os, 'getcwd'), (torch.optim, 'SGD'), (torch, 'save'), (torch, 'matmul'), (np.ones(2), 'T'))])
# expect: [True, True, True, True, True, True]

# case: dir of an object that says it itself; vars of where it stands
class Own:
    def __dir__(self): return ['z', 'a']
def inside(a):
    b = 2
    return vars()
print(dir(Own()), inside(1), 'Own' in vars())  # expect: ['a', 'z'] {'a': 1, 'b': 2} True

# case: object
o = object()
print(o == o, o == object(), o is o, isinstance(o, object), {o: 1}[o], type(o))
# expect: True False True True 1 <class 'object'>

# case: id tells objects apart
a, b = [], []
print(id(a) == id(a), id(a) == id(b), id(3) == id(3), len({id(x) for x in (a, b, None, print)}))  # expect: True False True 4

# case: input
input("name? ")  # expect error[unsupported]: input() is not known here

# case: open
open("file.txt")  # expect error[unsupported]: open() may not read files here

# case: eval
eval("1 + 1")  # expect error[unsupported]: eval() is not known here

# case: exec
exec("x = 1")  # expect error[unsupported]: exec() is not known here

# case: compile
compile("1", "", "eval")  # expect error[unsupported]: compile() is not known here

# case: help
help(len)  # expect error[unsupported]: help() is not known here

# case: breakpoint
breakpoint()  # expect error[unsupported]: breakpoint() is not known here

# case: bytearray
bytearray(3)  # expect error[unsupported]: bytearray() is not known here

# case: memoryview
memoryview("a")  # expect error[unsupported]: memoryview() is not known here

# case: complex
complex(1, 2)  # expect error[unsupported]: complex() is not known here

# case: globals and locals
x = 3
print(globals()["x"], locals()["x"], "y" in globals())  # expect: 3 3 False
print((lambda a: locals())(1))  # expect: {'a': 1}

# case: __name__
print(__name__)  # expect: __main__
if __name__ == "__main__":
    print("main")
# expect: main

# case: shadowing a built-in
list = [1, 2]
print(list, sum(list))  # expect: [1, 2] 3
len = lambda x: "my len"
print(len(5))  # expect: my len

# case: shadowed built-in called
list = [1, 2]
list("ab")  # expect error[TypeError]: 'list' object is not callable

# case: calling a number
5()  # expect error[TypeError]: 'int' object is not callable

# case: calling a string
"abc"()  # expect error[TypeError]: 'str' object is not callable

# case: calling None
def f(): pass
f()()  # expect error[TypeError]: 'NoneType' object is not callable

# case: functions of built-in types as values
print([f("3") for f in (int, float, str)], {str: 1}[str], int is int, list(map(type, [1, "a"])))
# expect: [3, 3.0, '3'] 1 True [<class 'int'>, <class 'str'>]

# case: names of functions
def g(): pass
print(g.__name__, print.__name__, int.__name__, (lambda: 0).__name__, torch.softmax.__name__, str.upper.__name__)
# expect: g print int <lambda> softmax upper

# case: bool of a tensor
if torch.tensor([1, 2]) > 1:  # expect error[RuntimeError]: Boolean value of Tensor with more than one value is ambiguous
    pass

# case: ellipsis
print(..., Ellipsis, type(...).__name__, ... is Ellipsis)  # expect: Ellipsis Ellipsis ellipsis True

# case: NotImplemented
print(NotImplemented)  # expect: NotImplemented

# case: assert
assert 1 + 1 == 2
assert [1], "not reached"
print("fine")  # expect: fine

# case: assert that fails
x = 1
assert x == 2  # expect error[AssertionError]:

# case: assert with a message
x = 1
assert x == 2, f"x is {x}"  # expect error[AssertionError]: x is 1

# case: assert with a value
assert False, (1, 2)  # expect error[AssertionError]: (1, 2)

# case: the types, by name
print(int, float, str, bool, list, tuple, set, dict, object)
# expect: <class 'int'> <class 'float'> <class 'str'> <class 'bool'> <class 'list'> <class 'tuple'> <class 'set'> <class 'dict'> <class 'object'>

# case: max asks with >, min with <
try:
    max(1, "a")
except TypeError as error:
    print(error)  # expect: '>' not supported between instances of 'str' and 'int'
try:
    min(1, "a")
except TypeError as error:
    print(error)  # expect: '<' not supported between instances of 'str' and 'int'

# case: sorted: reverse is a number
sorted([1], reverse="no")  # expect error[TypeError]: 'str' object cannot be interpreted as an integer

# case: repr of characters that cannot be printed
print(repr("\x85\x9b\u200b\u2028\ufeff\xa0"), repr("é한😀"), ascii("é\u200b"))
# expect: '\x85\x9b\u200b\u2028\ufeff\xa0' 'é한😀' '\xe9\u200b'

# case: ranges
r = range(1, 20, 3)
print(r.index(7), r.count(7), r.count(8), r.count(7.0), range(9)[-1:-2], range(9)[5:2], range(9)[::-2], range(0)[1:])
# expect: 2 1 0 1 range(8, 7) range(5, 2) range(8, -1, -2) range(0, 0)

# case: a range without the number
range(5).index(9)  # expect error[ValueError]: 9 is not in range

# case: classes of values
print((1).__class__, [].__class__.__name__, None.__class__.__name__, "a".__class__ is str)
# expect: <class 'int'> list NoneType True

# case: sorted: which items are compared first
nan = float("nan")
print(sorted([3, nan, 1]), sorted([3.0, 1.0, nan, 2.0]), sorted([nan, 2, 1, 3], reverse=True))
# expect: [3, nan, 1] [1.0, 2.0, 3.0, nan] [nan, 3, 2, 1]
for items in ([255, 100.0, "a"], [1, 2, "a", 0], ["a", 1]):
    try:
        sorted(items)
    except TypeError as error:
        print(error)
# expect: '<' not supported between instances of 'str' and 'float'
# expect: '<' not supported between instances of 'str' and 'int'
# expect: '<' not supported between instances of 'int' and 'str'
print(sorted([(1, "b"), (0, "c"), (1, "a")], key=lambda p: p[0], reverse=True), sorted(range(70, 0, -1))[:3])
# expect: [(1, 'b'), (1, 'a'), (0, 'c')] [1, 2, 3]

# case: nan is itself
a = b = float("nan")
print(a is b, a == b, 0.0 is -0.0)  # expect: True False False

# case: sorted: reverse beyond an int of C
sorted([1], reverse=2**40)  # expect error[OverflowError]: Python int too large to convert to C int

# case: hasattr of a property that uses what is not known here
import torch
class A:
    @property
    def p(self):
        return torch.fft.fft  # expect error[unsupported]: torch.fft is not known here
hasattr(A(), "p")

# case: functions refuse keywords that they do not have
for call in (lambda: range(3, step=2), lambda: hasattr(1, 'real', default=2), lambda: sum([1], by=2),
             lambda: isinstance(1, int, x=1), lambda: print(1, file_name=2), lambda: enumerate([1], begin=2)):
    try:
        call()
    except TypeError as error:
        print(error)
# expect: range() takes no keyword arguments
# expect: hasattr() takes no keyword arguments
# expect: 'by' is an invalid keyword argument for sum()
# expect: isinstance() takes no keyword arguments
# expect: 'file_name' is an invalid keyword argument for print()
# expect: 'begin' is an invalid keyword argument for enumerate()

# case: iter() with an end
import numpy as np
import torch
numbers = iter([3, 1, 4, 1, 5])
steps = iter(lambda: next(numbers), 4)
print(list(steps), list(steps), next(numbers))
print(np.float32(2) in torch.arange(3), np.int64(5) in torch.arange(3))
try:
    iter(3, 4)
except TypeError as error:
    print(error)
# expect: [3, 1] [] 1
# expect: True False
# expect: iter(v, w): v must be callable

# case: index() of a bool in a range, and a format of an unprintable type
for f in (lambda: range(71)[2:-1:-2].index(False), lambda: '{:{}}'.format(7, '\x00')):
    try: f()
    except ValueError as e: print(e)
# expect: False is not in range
# expect: Unknown format code '\x0' for object of type 'int'

# case: numbers in a range are found without a loop
far = range(10 ** 12)
print(2 ** 60 in far, -1 in far, 10 ** 12 - 1 in far, 10 ** 12 in far, True in far, 5.0 in range(9), 5.5 in range(9), float('nan') in range(9), 'a' in range(3))
# expect: False False True False True True False False False
import sys
most = sys.maxsize
down = range(most, -most, -3)
print(most in down, most - 3 in down, most - 4 in down, -most in down, -most + 1 in down, most - 3 * 10 ** 17 in down, 7 in range(7, 7), 1 in range(0, 10, 3), 9 in range(0, 10, 3))
# expect: True True False False False True False False True
