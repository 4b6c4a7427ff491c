"""The methods that @dataclass makes from the annotated names of a class: fields(type) lists those."""


def default_of(value):
    if type(value).__name__ != 'Field':
        return value
    return value.default_factory() if hasattr(value, 'default_factory') else value.default


def listed(names):
    if len(names) < 3:
        return ' and '.join(names)
    return ', '.join(names[:-1]) + f', and {names[-1]}'


def values(self):
    return tuple([getattr(self, name) for name in fields(type(self))])


def same_type(compare):
    return lambda self, other: compare(values(self), values(other)) if type(self) is type(other) else NotImplemented


class Dataclass:
    def __init__(self, *given, **named):
        names, where = fields(type(self)), f'{type(self).__qualname__}.__init__()'
        if len(given) > len(names):
            fail('type', f"{where} takes {len(names) + 1} positional argument{'s' if names else ''} but "
                 f'{len(given) + 1} were given')
        missing = []
        for i, name in enumerate(names):
            if i < len(given):
                keep(self, name, given[i])
            elif name in named:
                keep(self, name, named[name])
            elif hasattr(type(self), name):
                keep(self, name, default_of(getattr(type(self), name)))
            else:
                missing.append(repr(name))
        for name in named:
            if name not in names:
                fail('type', f"{where} got an unexpected keyword argument '{name}'")
        if missing:
            plural = 's' if len(missing) > 1 else ''
            fail('type', f'{where} missing {len(missing)} required positional argument{plural}: {listed(missing)}')
        if hasattr(self, '__post_init__'):
            self.__post_init__()

    def __repr__(self):
        shown = [f'{name}={getattr(self, name)!r}' for name in fields(type(self))]
        return f"{type(self).__name__}({', '.join(shown)})"

    __eq__ = same_type(lambda a, b: a == b)


class Ordered:
    __lt__ = same_type(lambda a, b: a < b)
    __le__ = same_type(lambda a, b: a <= b)
    __gt__ = same_type(lambda a, b: a > b)
    __ge__ = same_type(lambda a, b: a >= b)
