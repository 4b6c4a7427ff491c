"""What functools has beside reduce and wraps."""
from collections import namedtuple
from functools import wraps

CacheInfo = namedtuple('CacheInfo', ['hits', 'misses', 'maxsize', 'currsize'])


class partial:
    def __init__(self, func, *args, **keywords):
        if not callable(func):
            raise TypeError('the first argument must be callable')
        if isinstance(func, partial):
            func, args, keywords = func.func, func.args + args, {**func.keywords, **keywords}
        self.func, self.args, self.keywords = func, args, keywords

    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

    def __repr__(self):
        parts = [repr(self.func), *[repr(item) for item in self.args], *[f'{k}={v!r}' for k, v in self.keywords.items()]]
        return f"functools.partial({', '.join(parts)})"


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return lru_cache()(maxsize)

    def decorate(function):
        results, counts = {}, [0, 0]

        @wraps(function)
        def cached(*args, **kwargs):
            key = (args, tuple(kwargs.items()), tuple(type(item) for item in args) if typed else None)
            if key in results:
                counts[0] += 1
                result = results[key] = results.pop(key)
                return result
            counts[1] += 1
            result = function(*args, **kwargs)
            if maxsize != 0:
                results[key] = result
            if maxsize is not None and len(results) > maxsize:
                del results[next(iter(results))]
            return result

        def cache_clear():
            results.clear()
            counts[:] = [0, 0]

        cached.cache_clear = cache_clear
        cached.cache_info = lambda: CacheInfo(*counts, maxsize, len(results))
        return cached

    return decorate


def cache(function):
    return lru_cache(None)(function)


def cached_property(function):
    name = function.__name__

    def get(self):
        kept = self.__dict__
        if name not in kept:
            kept[name] = function(self)
        return kept[name]

    def put(self, value):
        self.__dict__[name] = value

    def drop(self):
        if name not in self.__dict__:
            raise AttributeError(name)
        del self.__dict__[name]

    return property(get, put, drop)


def total_ordering(cls):
    if hasattr(cls, '__lt__'):
        rest = {'__gt__': lambda a, b: not (a < b or a == b), '__le__': lambda a, b: a < b or a == b,
                '__ge__': lambda a, b: not a < b}
    elif hasattr(cls, '__gt__'):
        rest = {'__lt__': lambda a, b: not (a > b or a == b), '__ge__': lambda a, b: a > b or a == b,
                '__le__': lambda a, b: not a > b}
    elif hasattr(cls, '__le__'):
        rest = {'__ge__': lambda a, b: not a <= b or a == b, '__lt__': lambda a, b: a <= b and not a == b,
                '__gt__': lambda a, b: not a <= b}
    elif hasattr(cls, '__ge__'):
        rest = {'__le__': lambda a, b: not a >= b or a == b, '__gt__': lambda a, b: a >= b and not a == b,
                '__lt__': lambda a, b: not a >= b}
    else:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    for name, method in rest.items():
        if not hasattr(cls, name):
            setattr(cls, name, method)
    return cls


def singledispatch(func):
    registry = {object: func}

    def register(cls, function=None):
        if type(cls).__name__ == 'function':
            cls, function = next(iter(cls.__annotations__.values())), cls
        if function is None:
            return lambda function: register(cls, function)
        registry[cls] = function
        return function

    def dispatch(cls):
        for base in getattr(cls, '__mro__', (cls,)):
            if base in registry and base is not object:
                return registry[base]
        return next((registry[kind] for kind in registry if kind is not object and issubclass(cls, kind)), func)

    @wraps(func)
    def wrapper(*args, **kwargs):
        return dispatch(type(args[0]))(*args, **kwargs)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

    return K
