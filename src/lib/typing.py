"""What typing has beside annotations."""


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound
        self.sign = '+' if covariant else '-' if contravariant else '~'

    def __repr__(self):
        return self.sign + self.__name__


def cast(typ, val):
    return val


def overload(func):
    return func


def final(f):
    return f


def runtime_checkable(cls):
    return cls


def no_type_check(arg):
    return arg


TYPE_CHECKING = False
