"""What typing has beside annotations."""


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound
        self.sign = '+' if covariant else '-' if contravariant else '~'

    def __repr__(self):
        return self.sign + self.__name__


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = obj.__annotations__
    written = {'int': int, 'float': float, 'str': str, 'bool': bool, 'list': list, 'dict': dict, 'tuple': tuple,
               'set': set, 'bytes': bytes, 'object': object, 'None': type(None)}
    known = {**written, **(globalns or {}), **(localns or {})}
    for name, hint in hints.items():
        if isinstance(hint, str) and hint not in known:
            raise NameError(f"name '{hint}' is not defined")
        hints[name] = known[hint] if isinstance(hint, str) else type(None) if hint is None else hint
    return hints


def get_origin(tp):
    return getattr(tp, '__origin__', None)


def get_args(tp):
    return getattr(tp, '__args__', ())


def cast(typ, val):
    return val


def overload(func):
    return func


def final(f):
    return f


def runtime_checkable(cls):
    cls._is_runtime_protocol = True  # isinstance() asks for its members
    return cls


def no_type_check(arg):
    return arg


TYPE_CHECKING = False
