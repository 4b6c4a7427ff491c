# try, except, else, finally, raise, and the texts of exceptions.
import torch

# case: except
try:
    1 / 0
except ZeroDivisionError as error:
    print("caught", error, type(error), repr(error), error.args)
# expect: caught division by zero <class 'ZeroDivisionError'> ZeroDivisionError('division by zero') ('division by zero',)

# case: else and finally
def f(x):
    try:
        if x: raise ValueError("bad")
        print("body")
    except ValueError:
        print("except")
    else:
        print("else")
    finally:
        print("finally")
f(0)
# expect: body
# expect: else
# expect: finally
f(1)
# expect: except
# expect: finally

# case: several handlers
def kind(f):
    try:
        return f()
    except (KeyError, IndexError) as e:
        return f"lookup {e!r}"
    except ArithmeticError:
        return "arithmetic"
    except Exception as e:
        return f"other {type(e).__name__}"
print(kind(lambda: {}[1]), kind(lambda: [][0]), kind(lambda: 1 % 0), kind(lambda: int("x")), kind(lambda: None.x), kind(lambda: 5))
# expect: lookup KeyError(1) lookup IndexError('list index out of range') arithmetic other ValueError other AttributeError 5

# case: bare except
try:
    undefined
except:
    print("caught")
# expect: caught

# case: the name is gone afterwards
try:
    1 / 0
except ZeroDivisionError as error:
    pass
error  # expect error[NameError]: name 'error' is not defined

# case: not caught by another type
try:
    int("x")  # expect error[ValueError]: invalid literal for int() with base 10: 'x'
except KeyError:
    print("never")

# case: reraise
try:
    try:
        1 / 0
    except ZeroDivisionError:
        print("first")
        raise
except ArithmeticError as error:
    print("second", error)
# expect: first
# expect: second division by zero

# case: raise another
try:
    try:
        {}["k"]
    except KeyError as error:
        raise ValueError("wrapped") from error
except ValueError as error:
    print(error, repr(error.__cause__), error.__cause__.args)
# expect: wrapped KeyError('k') ('k',)

# case: context
try:
    try:
        {}["k"]
    except KeyError:
        raise ValueError("second")
except ValueError as error:
    print(repr(error.__context__), error.__cause__)
# expect: KeyError('k') None

# case: raise from None
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError("clean") from None
except ValueError as error:
    print(error.__cause__, error.__suppress_context__)
# expect: None True

# case: raise a class
try:
    raise ValueError
except ValueError as error:
    print(repr(error), str(error) == "", error.args)
# expect: ValueError() True ()

# case: raise with several arguments
try:
    raise ValueError("a", 1)
except ValueError as error:
    print(error, error.args, repr(error))
# expect: ('a', 1) ('a', 1) ValueError('a', 1)

# case: raise without anything to raise
raise  # expect error[RuntimeError]: No active exception to reraise

# case: raise a string
raise "text"  # expect error[TypeError]: exceptions must derive from BaseException

# case: raise a number
raise 5  # expect error[TypeError]: exceptions must derive from BaseException

# case: raise that is not caught
raise ValueError("message")  # expect error[ValueError]: message

# case: raise a class that is not caught
raise RuntimeError  # expect error[RuntimeError]:

# case: raise KeyError that is not caught
raise KeyError("name")  # expect error[KeyError]: 'name'

# case: custom exceptions
class ShapeError(ValueError):
    pass
class SizeError(ShapeError):
    def __init__(self, size, limit):
        super().__init__(f"size {size} exceeds {limit}")
        self.size, self.limit = size, limit
try:
    raise SizeError(5, 3)
except ShapeError as error:
    print(error, error.size, error.limit, type(error).__name__, isinstance(error, ValueError), error.args, repr(error))
# expect: size 5 exceeds 3 5 3 SizeError True ('size 5 exceeds 3',) SizeError('size 5 exceeds 3')

# case: custom exception that is not caught
class ShapeError(Exception): pass
raise ShapeError("sizes differ")  # expect error[ShapeError]: sizes differ

# case: custom exception with its own text
class Odd(Exception):
    def __str__(self): return f"odd: {self.args}"
try:
    raise Odd(1, 2)
except Odd as error:
    print(error, repr(error))
# expect: odd: (1, 2) Odd(1, 2)

# case: custom exception without super
class E(Exception):
    def __init__(self, code): self.code = code
try:
    raise E(7)
except E as error:
    print(error.code, error.args, str(error))
# expect: 7 (7,) 7

# case: catching by name of a variable
errors = (TypeError, ValueError)
try:
    len(5)
except errors as error:
    print(error)
# expect: object of type 'int' has no len()

# case: exceptions as values
e = ValueError("x")
print(e, repr(e), type(e) is ValueError, isinstance(e, Exception), e.args[0], str(KeyError("k")), repr(KeyError("k")), str(IndexError()), [e])
# expect: x ValueError('x') True True x 'k' KeyError('k')  [ValueError('x')]

# case: return in finally
def f():
    try:
        return "try"
    finally:
        print("cleanup")
def g():
    try:
        raise ValueError
    finally:
        return "swallowed"
print(f(), g())
# expect: cleanup
# expect: try swallowed

# case: value of return is computed first
def f():
    x = 1
    try:
        return x
    finally:
        x = 2
print(f())  # expect: 1

# case: error in a handler
try:
    try:
        1 / 0
    except ZeroDivisionError:
        [][0]
except IndexError as error:
    print(error, type(error.__context__).__name__)
# expect: list index out of range ZeroDivisionError

# case: error in finally
try:
    try:
        1 / 0
    finally:
        int("x")
except ValueError as error:
    print(error)
# expect: invalid literal for int() with base 10: 'x'

# case: error in else is not caught by the handlers before
try:
    try:
        pass
    except ValueError:
        print("never")
    else:
        raise ValueError("from else")
except ValueError as error:
    print("outer", error)
# expect: outer from else

# case: in a loop
for text in ["1", "x", "2.5", "3"]:
    try:
        value = int(text)
    except ValueError as error:
        print("skip", error)
        continue
    print(value)
# expect: 1
# expect: skip invalid literal for int() with base 10: 'x'
# expect: skip invalid literal for int() with base 10: '2.5'
# expect: 3

# case: in a function
def safe_div(a, b, default=None):
    try:
        return a / b
    except ZeroDivisionError:
        return default
print(safe_div(1, 2), safe_div(1, 0), safe_div(1, 0, default=float("inf")))  # expect: 0.5 None inf

# case: assertion
try:
    assert 1 == 2, "numbers differ"
except AssertionError as error:
    print(error, repr(error))
# expect: numbers differ AssertionError('numbers differ')
try:
    assert []
except AssertionError as error:
    print(repr(str(error)), error.args)
# expect: '' ()

# case: texts of python
def text(f):
    try:
        f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"
print(text(lambda: undefined_thing))  # expect: NameError: name 'undefined_thing' is not defined
print(text(lambda: {"a": 1}["b"]))  # expect: KeyError: 'b'
print(text(lambda: {}[5]))  # expect: KeyError: 5
print(text(lambda: [1][3]))  # expect: IndexError: list index out of range
print(text(lambda: (1,)[3]))  # expect: IndexError: tuple index out of range
print(text(lambda: "a" + 1))  # expect: TypeError: can only concatenate str (not "int") to str
print(text(lambda: 1 + "a"))  # expect: TypeError: unsupported operand type(s) for +: 'int' and 'str'
print(text(lambda: [1] + "a"))  # expect: TypeError: can only concatenate list (not "str") to list
print(text(lambda: None + 1))  # expect: TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'
print(text(lambda: int("1.5")))  # expect: ValueError: invalid literal for int() with base 10: '1.5'
print(text(lambda: "abc".foo))  # expect: AttributeError: 'str' object has no attribute 'foo'
print(text(lambda: None.foo))  # expect: AttributeError: 'NoneType' object has no attribute 'foo'
print(text(lambda: (lambda x: x)()))
# expect: TypeError: <lambda>.<locals>.<lambda>() missing 1 required positional argument: 'x'
print(text(lambda: (lambda: 0)(1)))
# expect: TypeError: <lambda>.<locals>.<lambda>() takes 0 positional arguments but 1 was given
print(text(lambda: len(5)))  # expect: TypeError: object of type 'int' has no len()
print(text(lambda: 5()))  # expect: TypeError: 'int' object is not callable
print(text(lambda: [][0]))  # expect: IndexError: list index out of range
print(text(lambda: {} < {}))  # expect: TypeError: '<' not supported between instances of 'dict' and 'dict'
print(text(lambda: [3] > 5))  # expect: TypeError: '>' not supported between instances of 'list' and 'int'
print(text(lambda: 5 in 5))  # expect: TypeError: argument of type 'int' is not iterable
print(text(lambda: range("a")))  # expect: TypeError: 'str' object cannot be interpreted as an integer
print(text(lambda: "x" * "y"))  # expect: TypeError: can't multiply sequence by non-int of type 'str'
print(text(lambda: {[]: 1}))  # expect: TypeError: unhashable type: 'list'
print(text(lambda: "abc"[1.5]))  # expect: TypeError: string indices must be integers, not 'float'
print(text(lambda: max((), key=len)))  # expect: ValueError: max() arg is an empty sequence
print(text(lambda: max([])))  # expect: ValueError: max() arg is an empty sequence
print(text(lambda: float("x")))  # expect: ValueError: could not convert string to float: 'x'

# case: texts of PyTorch
def text(f):
    try:
        f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"
a, b = torch.zeros(2, 3), torch.zeros(2, 3)
print(text(lambda: a @ b))  # expect: RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)
print(text(lambda: a + torch.zeros(4)))
# expect: RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1
print(text(lambda: a.view(5)))  # expect: RuntimeError: shape '[5]' is invalid for input of size 6
print(text(lambda: a[5]))  # expect: IndexError: index 5 is out of bounds for dimension 0 with size 2
print(text(lambda: a.t().view(-1)))
# expect: RuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.
print(text(lambda: torch.cat([a, torch.zeros(1, 4)])))
# expect: RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list.
print(text(lambda: a.item()))  # expect: ValueError: only one element tensors can be converted to Python scalars
print(text(lambda: a.foo))  # expect: AttributeError: 'Tensor' object has no attribute 'foo'
print(text(lambda: torch.tensor([[1], [1, 2]])))  # expect: ValueError: expected sequence of length 1 at dim 1 (got 2)
print(text(lambda: bool(a)))  # expect: RuntimeError: Boolean value of Tensor with more than one value is ambiguous
print(text(lambda: a.transpose(0, 5)))
# expect: IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 5)
print(text(lambda: int(a)))  # expect: ValueError: only one element tensors can be converted to Python scalars
print(text(lambda: torch.nn.Linear(3, 2)(torch.zeros(4))))
# expect: RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x4 and 3x2)

# case: unsupported cannot be caught
try:
    2 ** 100  # expect error[unsupported]: 2 ** 100 does not fit 64 bits
except Exception:
    print("never")

# case: catching something that is no exception
try:
    1 / 0
except 5:  # expect error[TypeError]: catching classes that do not inherit from BaseException is not allowed
    pass

# case: StopIteration
it = iter([1])
next(it)
try:
    next(it)
except StopIteration as error:
    print("stop", error.args, error.value)
# expect: stop () None

# case: exception classes and their bases
print(issubclass(ZeroDivisionError, ArithmeticError), issubclass(FileNotFoundError, OSError), issubclass(NotImplementedError, RuntimeError))
# expect: True True True
print(issubclass(UnboundLocalError, NameError), issubclass(ModuleNotFoundError, ImportError), issubclass(KeyboardInterrupt, Exception))
# expect: True True False
print([c.__name__ for c in (BaseException, SystemExit, OverflowError, SyntaxError, Warning, UserWarning, DeprecationWarning, FutureWarning, RuntimeWarning)])
# expect: ['BaseException', 'SystemExit', 'OverflowError', 'SyntaxError', 'Warning', 'UserWarning', 'DeprecationWarning', 'FutureWarning', 'RuntimeWarning']
print(Exception("a") == Exception("a"), AttributeError.__name__, AssertionError, LookupError)
# expect: False AttributeError <class 'AssertionError'> <class 'LookupError'>

# case: with_traceback and notes
try:
    raise ValueError("x").with_traceback(None)
except ValueError as error:
    error.add_note("a note")
    print(error, error.__notes__)
# expect: x ['a note']

# case: exception group
try:
    pass
except* ValueError:  # expect error[unsupported]: 'except*' is not supported
    pass

# case: OverflowError
import math
try:
    math.exp(1000)
except OverflowError as error:
    print(error)
# expect: math range error

# case: attributes of KeyError
try:
    {"a": 1}["b"]
except KeyError as error:
    print(error.args, error.args[0], str(error), f"{error}", repr(error))
# expect: ('b',) b 'b' 'b' KeyError('b')

# case: exception in a comprehension
try:
    [1 / x for x in [1, 0]]
except ZeroDivisionError as error:
    print(error)
# expect: division by zero

# case: nested functions and finally order
log = []
def a():
    try:
        b()
    finally:
        log.append("a")
def b():
    try:
        raise RuntimeError("deep")
    finally:
        log.append("b")
try:
    a()
except RuntimeError as error:
    log.append(str(error))
print(log)  # expect: ['b', 'a', 'deep']

# case: exit
raise SystemExit("bye")  # expect error[SystemExit]: bye

# case: errors of the system are kinds of OSError
for kind in (PermissionError, TimeoutError, ConnectionError):
    try:
        raise kind("not now")
    except OSError as error:
        print(type(error).__name__, error)
# expect: PermissionError not now
# expect: TimeoutError not now
# expect: ConnectionError not now

# case: an error of floats
try:
    raise FloatingPointError('nan in layer 3')
except ArithmeticError as error:
    print(type(error).__name__, error, issubclass(FloatingPointError, ArithmeticError))  # expect: FloatingPointError nan in layer 3 True

# case: a built-in without its argument
import torch
for call in (lambda: list.__setitem__([1], [2]), lambda: dict.__getitem__({}), lambda: torch.typename(), lambda: ValueError().add_note()):
    try:
        call()
    except TypeError:
        print('missing')
# expect: missing
# expect: missing
# expect: missing
# expect: missing

# case: what is nested too deeply is a RecursionError
import copy
import json
from types import SimpleNamespace
import torch.nn as nn
def nest(levels, wrap):
    out = 1
    for _ in range(levels):
        out = wrap(out)
    return out
def attempt(work):
    try:
        work()
        print('fine')
    except RecursionError as error:
        print(type(error).__name__)
for wrap in (lambda x: [x], lambda x: (x,), lambda x: {'a': x}):
    for levels in (300, 2000):
        attempt(lambda: repr(nest(levels, wrap)))
        attempt(lambda: nest(levels, wrap) == nest(levels, wrap))
        attempt(lambda: copy.deepcopy(nest(levels, wrap)))
        attempt(lambda: json.dumps(nest(levels, wrap)))
attempt(lambda: nest(2000, lambda x: [x]) < nest(2000, lambda x: [x]))
a, b = [], []
a.append(a)
b.append(b)
attempt(lambda: a == b)
a, b = SimpleNamespace(), SimpleNamespace()
a.a, b.a = a, b
attempt(lambda: a == b)
layer = nn.Module()
layer.layer = layer
attempt(lambda: layer.apply(lambda one: None))
attempt(lambda: layer.eval())
attempt(lambda: repr(layer))
layer = nn.Sequential()
layer.add_module('layer', layer)
attempt(lambda: layer(1))
# expect: fine
# expect: fine
# expect: fine
# expect: fine
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: fine
# expect: fine
# expect: fine
# expect: fine
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: fine
# expect: fine
# expect: fine
# expect: fine
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError

# case: args may be set anew
class Refused(Exception):
    def __init__(self, word):
        self.args = [word]
error = Refused('no')
print(error, repr(error), error.args)  # expect: no Refused('no') ('no',)
error.args = ('never', 2)
print(error, repr(error))  # expect: ('never', 2) Refused('never', 2)
try:
    try:
        float('x')
    except ValueError as error:
        error.args = (error.args[0] + ' in line 3',) + error.args[1:]
        raise
except ValueError as error:
    print(error, error.args)
# expect: could not convert string to float: 'x' in line 3 ("could not convert string to float: 'x' in line 3",)
for wrong in 5, None:
    try:
        error = Refused('x')
        error.args = wrong
    except TypeError as refusal:
        print(refusal)
# expect: 'int' object is not iterable
# expect: 'NoneType' object is not iterable

# case: a __str__ that fails is passed over until it is asked for
class Silent(Exception):
    def __str__(self): return 1 / 0
try:
    raise Silent()
except Silent as error:
    print(type(error).__name__)  # expect: Silent

# case: notes
error = ValueError('x')
error.add_note('in line 3')
print(error.__notes__)  # expect: ['in line 3']
error.__notes__ = None
for note in 'a', 5:
    try:
        error.add_note(note)
    except TypeError as refusal:
        print(refusal)
# expect: Cannot add note: __notes__ is not a list
# expect: note must be a str, not 'int'

# case: classes that hold each other too deeply
class Wrapping(Exception):
    pass
classes, chain = int, 1
for _ in range(3000):
    classes, chain = (classes,), Wrapping(chain)
for walk in (lambda: isinstance('x', classes), lambda: issubclass(str, classes), lambda: str(chain), lambda: repr(list[[classes]]) and 1 / 0):
    try:
        print(walk())
    except RecursionError:
        print('RecursionError')
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
# expect: RecursionError
try:
    try:
        raise KeyError(1)
    except ((KeyError,), ValueError):
        print('caught')
except TypeError as error:
    print(error)  # expect: catching classes that do not inherit from BaseException is not allowed
