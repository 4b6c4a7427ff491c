# def, lambda, arguments, closures, global and nonlocal, decorators, recursion.

# case: arguments
def f(a, b=2, *args, c=3, **kwargs):
    return a, b, args, c, kwargs
print(f(1), f(1, 5), f(1, 2, 3, 4), f(1, c=9), f(a=1, b=0), f(1, x=7), f(*[1, 2], **{"c": 4, "z": 5}), f(1, *(2, 3), c=1, **{}))
# expect: (1, 2, (), 3, {}) (1, 5, (), 3, {}) (1, 2, (3, 4), 3, {}) (1, 2, (), 9, {}) (1, 0, (), 3, {}) (1, 2, (), 3, {'x': 7}) (1, 2, (), 4, {'z': 5}) (1, 2, (3,), 1, {})

# case: positional-only and keyword-only
def f(a, /, b, *, c):
    return a, b, c
print(f(1, 2, c=3), f(1, b=2, c=3))  # expect: (1, 2, 3) (1, 2, 3)

# case: positional-only by keyword
def f(a, /): return a
f(a=1)  # expect error[TypeError]: f() got some positional-only arguments passed as keyword arguments: 'a'

# case: keyword-only by position
def f(a, *, b): return a
f(1, 2)  # expect error[TypeError]: f() takes 1 positional argument but 2 were given

# case: missing argument
def f(x): return x
f()  # expect error[TypeError]: f() missing 1 required positional argument: 'x'

# case: two missing arguments
def f(x, y): return x
f()  # expect error[TypeError]: f() missing 2 required positional arguments: 'x' and 'y'

# case: three missing arguments
def f(x, y, z): return x
f()  # expect error[TypeError]: f() missing 3 required positional arguments: 'x', 'y', and 'z'

# case: missing keyword-only argument
def f(*, key): return key
f()  # expect error[TypeError]: f() missing 1 required keyword-only argument: 'key'

# case: two missing keyword-only arguments
def f(*, key, other): return key
f()  # expect error[TypeError]: f() missing 2 required keyword-only arguments: 'key' and 'other'

# case: too many arguments
def f(x): return x
f(1, 2)  # expect error[TypeError]: f() takes 1 positional argument but 2 were given

# case: too many arguments for none
def f(): return 1
f(1)  # expect error[TypeError]: f() takes 0 positional arguments but 1 was given

# case: too many arguments with defaults
def f(x, y=1): return x
f(1, 2, 3)  # expect error[TypeError]: f() takes from 1 to 2 positional arguments but 3 were given

# case: too many arguments with a default and keyword-only
def f(x, *, y=1): return x
f(1, 2, y=3)  # expect error[TypeError]: f() takes 1 positional argument but 2 positional arguments (and 1 keyword-only argument) were given

# case: unexpected keyword
def f(x): return x
f(1, z=2)  # expect error[TypeError]: f() got an unexpected keyword argument 'z'

# case: multiple values
def f(x): return x
f(1, x=2)  # expect error[TypeError]: f() got multiple values for argument 'x'

# case: multiple values by unpacking
def f(**k): return k
f(a=1, **{"a": 2})  # expect error[TypeError]: __main__.f() got multiple values for keyword argument 'a'

# case: argument after two stars
def f(**k): return k
f(**5)  # expect error[TypeError]: __main__.f() argument after ** must be a mapping, not int

# case: argument after a star
def f(*a): return a
f(*5)  # expect error[TypeError]: __main__.f() argument after * must be an iterable, not int

# case: lambda with missing argument
g = lambda x: x
g()  # expect error[TypeError]: <lambda>() missing 1 required positional argument: 'x'

# case: method with missing argument
class A:
    def m(self, x): return x
A().m()  # expect error[TypeError]: A.m() missing 1 required positional argument: 'x'

# case: method with too many arguments
class A:
    def m(self): return 1
A().m(5)  # expect error[TypeError]: A.m() takes 1 positional argument but 2 were given

# case: method without self
class A:
    def m(): return 1
A().m()  # expect error[TypeError]: A.m() takes 0 positional arguments but 1 was given

# case: __init__ with missing arguments
class A:
    def __init__(self, x, y): pass
A(1)  # expect error[TypeError]: A.__init__() missing 1 required positional argument: 'y'

# case: class that takes no arguments
class A: pass
A(1)  # expect error[TypeError]: A() takes no arguments

# case: default evaluated once
def append(x, to=[]):
    to.append(x)
    return to
print(append(1), append(2), append(3, []))  # expect: [1, 2] [1, 2] [3]

# case: defaults see the definition
n = 1
def f(x=n): return x
n = 2
print(f())  # expect: 1

# case: return values
def nothing(): pass
def several(): return 1, 2
def early(x):
    if x: return "early"
print(nothing(), several(), early(1), early(0))  # expect: None (1, 2) early None

# case: lambda
add = lambda a, b=1: a + b
print(add(1), add(1, 2), (lambda *a, **k: (a, k))(1, x=2), [f(3) for f in (lambda x: x, lambda x: x * x)], (lambda: None)())
# expect: 2 3 ((1,), {'x': 2}) [3, 9] None

# case: closures
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
a, b = counter(), counter()
print(a(), a(), b(), a())  # expect: 1 2 1 3

# case: closures bind late
fs = [lambda: i for i in range(3)]
print([f() for f in fs])  # expect: [2, 2, 2]
fs = [lambda i=i: i for i in range(3)]
print([f() for f in fs])  # expect: [0, 1, 2]

# case: closure over an argument
def adder(n):
    return lambda x: x + n
print(adder(5)(1), list(map(adder(10), [1, 2])))  # expect: 6 [11, 12]

# case: three levels
def a():
    x = 1
    def b():
        def c():
            nonlocal x
            x += 10
            return x
        return c
    return b()(), x
print(a())  # expect: (11, 11)

# case: global
count = 0
def step():
    global count
    count += 1
step(); step()
print(count)  # expect: 2
def define():
    global made_here
    made_here = "yes"
define()
print(made_here)  # expect: yes

# case: reading a global
g = 5
def f(): return g * 2
g = 7
print(f())  # expect: 14

# case: unbound local
x = 1
def f():
    x += 1  # expect error[UnboundLocalError]: cannot access local variable 'x' where it is not associated with a value
f()

# case: unbound local before assignment
def f():
    print(y)  # expect error[UnboundLocalError]: cannot access local variable 'y' where it is not associated with a value
    y = 1
f()

# case: unbound local after del
def f():
    z = 1
    del z
    return z  # expect error[UnboundLocalError]: cannot access local variable 'z' where it is not associated with a value
f()

# case: local of one branch
def f(flag):
    if flag:
        value = 1
    return value  # expect error[UnboundLocalError]: cannot access local variable 'value' where it is not associated with a value
print(f(True))  # expect: 1
f(False)

# case: free variable before assignment
def f():
    def g(): return later  # expect error[NameError]: cannot access free variable 'later' where it is not associated with a value in enclosing scope
    g()
    later = 1
f()

# case: name error in a function
def f(): return missing_thing  # expect error[NameError]: name 'missing_thing' is not defined
f()

# case: functions defined later
def first(): return second()
def second(): return "second"
print(first())  # expect: second

# case: recursion
def factorial(n): return 1 if n < 2 else n * factorial(n - 1)
def fib(n, memo={}):
    if n < 2: return n
    if n not in memo: memo[n] = fib(n - 1) + fib(n - 2)
    return memo[n]
print(factorial(10), fib(60))  # expect: 3628800 1548008755920
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
print(depth(900))  # expect: 900

# case: endless recursion
def f(n): return f(n + 1)
try:
    f(0)
except RecursionError as error:
    print(type(error).__name__, str(error).startswith("maximum recursion depth exceeded"))
# expect: RecursionError True

# case: endless recursion that is not caught
def f(): return f()  # expect error[RecursionError]: maximum recursion depth exceeded  # expect error[RecursionError]: maximum recursion depth exceeded
f()

# case: mutual recursion
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
print(even(10), odd(7))  # expect: True True

# case: decorators
def twice(f):
    def wrapped(*args, **kwargs):
        return f(f(*args, **kwargs))
    return wrapped
def tagged(tag):
    def decorator(f):
        return lambda *a: f"<{tag}>{f(*a)}</{tag}>"
    return decorator
@twice
def inc(x): return x + 1
@tagged("b")
@tagged("i")
def text(x): return x
print(inc(1), text("hi"))  # expect: 3 <b><i>hi</i></b>

# case: decorator that is a class
class Count:
    def __init__(self, f): self.f, self.n = f, 0
    def __call__(self, *a):
        self.n += 1
        return self.f(*a)
@Count
def hello(): return "hi"
hello(); hello()
print(hello.n)  # expect: 2

# case: functions as values
def apply(f, *args): return f(*args)
table = {"add": lambda a, b: a + b, "neg": lambda a: -a, "max": max}
print(apply(table["add"], 1, 2), apply(table["neg"], 3), apply(table["max"], 4, 5))  # expect: 3 -3 5

# case: attributes of functions
def f(): f.calls += 1
f.calls = 0
f(); f()
print(f.calls, f.__name__)  # expect: 2 f

# case: annotations are not evaluated as checks
def f(x: int, y: "str" = "a", *, z: float = 1.0) -> str:
    result: str = f"{x}{y}"
    return result
n: int = 5
m: list[int]
print(f("not an int"), n)  # expect: not an inta 5

# case: defaults of a function
def f(a, b=1, c="x"): pass
print(f.__defaults__)  # expect: (1, 'x')

# case: argument order
def show(x):
    print("eval", x)
    return x
def f(*a, **k): return a, k
print(f(show(1), *[show(2)], k=show(3)))
# expect: eval 1
# expect: eval 2
# expect: eval 3
# expect: ((1, 2), {'k': 3})

# case: mutable arguments
def change(values, number):
    values.append(99)
    values = [0]
    number += 1
v, n = [1], 1
change(v, n)
print(v, n)  # expect: [1, 99] 1

# case: star in the middle of a call
def f(*a): return a
print(f(0, *[1, 2], 3, *"ab"), [*f(), *f(1)], print(*[]))
# expect:
# expect: (0, 1, 2, 3, 'a', 'b') [1] None

# case: keyword arguments keep their order
def f(**k): return list(k.items())
print(f(z=1, a=2, m=3))  # expect: [('z', 1), ('a', 2), ('m', 3)]

# case: nested functions and default arguments
def outer(x):
    def inner(y=x * 2): return x + y
    return inner
print(outer(3)(), outer(3)(1))  # expect: 9 4

# case: conditional definition
if True:
    def f(): return "a"
else:
    def f(): return "b"
print(f())  # expect: a

# case: nonlocal without a binding
def f():
    nonlocal missing  # expect error[SyntaxError]: no binding for nonlocal 'missing' found
f()

# case: print of a function
def f(): pass
print(repr(len), f"{print}")  # expect: <built-in function len> <built-in function print>

# case: names of annotations must be bound
from typing import Optional
def f(x: Optional[int] = None, *y: "Later", z: int | None = 2) -> list[int]:
    inside: Unknown = z
    return [inside]
print(f())  # expect: [2]
count: int = 3
try:
    def g(x: Dict[str, int]): pass
except NameError as error:
    print(error)  # expect: name 'Dict' is not defined
def h() -> Tensor: pass  # expect error[NameError]: name 'Tensor' is not defined

# case: annotations that are texts
from __future__ import annotations
def f(x: Unknown) -> Other: return x
print(f(1), f.__annotations__)  # expect: 1 {'x': 'Unknown', 'return': 'Other'}

# case: annotations of a function
import torch
def f(x: int, *rest, y: 'str | None' = None, z: 'later' = 1, w: torch.Tensor = None) -> float: return x
print(f.__annotations__, hasattr(f, '__annotations__'), (lambda a: a).__annotations__)
# expect: {'x': <class 'int'>, 'y': 'str | None', 'z': 'later', 'w': <class 'torch.Tensor'>, 'return': <class 'float'>} True {}

# case: what the code of a function says of its parameters
def f(a, b=1, /, c=2, *rest, d, **more): pass
print(f.__code__.co_name, f.__code__.co_argcount, f.__code__.co_posonlyargcount, f.__code__.co_kwonlyargcount, hasattr(f, '__code__'))  # expect: f 3 2 1 True

# case: nonlocal through several functions
def outer():
    a = 1
    def middle():
        nonlocal a
        a += 1
        def inner():
            nonlocal a
            a *= 10
            return a
        return inner()
    return middle(), a
print(outer())  # expect: (20, 20)
