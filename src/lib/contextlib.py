"""contextlib: what `with` enters."""
from functools import wraps


class _GeneratorContextManager:
    """A generator up to its yield, and from there to its end."""

    def __init__(self, function, args, kwds):
        self.made_by, self.gen = (function, args, kwds), function(*args, **kwds)

    def __call__(self, function):
        @wraps(function)
        def inner(*args, **kwds):
            with _GeneratorContextManager(*self.made_by):
                return function(*args, **kwds)

        return inner

    def __enter__(self):
        for value in self.gen:
            return value
        raise RuntimeError("generator didn't yield")

    def __exit__(self, kind, value, traceback):
        if kind is None:
            for _ in self.gen:
                raise RuntimeError("generator didn't stop")
            return False
        try:
            self.gen.throw(value)
        except StopIteration:
            return True
        except BaseException as error:
            if error is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(func):
    @wraps(func)
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)

    return helper


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass


class suppress:
    def __init__(self, *exceptions):
        self.exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, kind, value, traceback):
        return kind is not None and isinstance(value, self.exceptions)


class redirect_stdout(nullcontext):
    """What is printed inside goes to a file; `print` looks for it there."""

    def __enter__(self):
        printed = kept('print')
        self.before, printed['file'] = printed.get('file'), self.enter_result
        return self.enter_result

    def __exit__(self, *excinfo):
        kept('print')['file'] = self.before


class closing(nullcontext):
    def __exit__(self, *excinfo):
        self.enter_result.close()


class ExitStack:
    def __init__(self):
        self.exits = []

    def enter_context(self, cm):
        value = cm.__enter__()
        self.exits.append(cm.__exit__)
        return value

    def callback(self, callback, *args, **kwds):
        self.exits.append(lambda *error: callback(*args, **kwds) and None)
        return callback

    def push(self, exit):
        self.exits.append(exit.__exit__ if hasattr(exit, '__exit__') else exit)
        return exit

    def pop_all(self):
        other = ExitStack()
        other.exits, self.exits = self.exits, []
        return other

    def close(self):
        self.__exit__(None, None, None)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        is_handled = False
        while self.exits:
            if self.exits.pop()(*error):
                is_handled, error = error[0] is not None, (None, None, None)
        return is_handled
