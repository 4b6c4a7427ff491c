"""Enumerations: a class that derives from Enum turns the values of its body into members."""


class auto:
    """The next number."""


METHODS = ('function', 'property')


class EnumMeta:
    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is not None:
            return made(cls, value, names, start)
        for member in cls.__members__.values():
            if member.value == value:
                return member
        raise ValueError(f'{value!r} is not a valid {cls.__qualname__}')

    def __iter__(cls):
        return iter([member for name, member in cls.__members__.items() if name == member.name])

    def __len__(cls):
        return len(list(iter(cls)))

    def __getitem__(cls, name):
        return cls.__members__[name]

    def __contains__(cls, member):
        return any(member == one for one in cls.__members__.values())

    def __repr__(cls):
        return f'<enum {cls.__name__!r}>'


EnumType = EnumMeta


class Enum(metaclass=EnumMeta):
    __members__ = {}

    def __init_subclass__(cls):
        cls.__members__ = {}
        for name, value in list(cls.__dict__.items()):
            if not name.startswith('_') and type(value).__name__ not in METHODS:
                setattr(cls, name, add_member(cls, name, value))

    def __repr__(self):
        return f'<{type(self).__name__}.{self.name}: {self.value!r}>'

    def __str__(self):
        return f'{type(self).__name__}.{self.name}'

    def __hash__(self):
        return hash(self.value if isinstance(self, int) else self.name)

    def __eq__(self, other):
        if isinstance(self, (str, int)):
            return self.value == (other.value if isinstance(other, Enum) else other)
        return type(self) is type(other) and self.name == other.name


def made(cls, name, names, start):
    """Enum('Color', 'RED GREEN'): a class whose members are those names, numbered, or with values of their own."""
    if isinstance(names, str):
        names = names.replace(',', ' ').split()
    items = list(names.items()) if isinstance(names, dict) else list(names)
    if items and isinstance(items[0], str):
        items = [(item, start + place) for place, item in enumerate(items)]

    class Made(cls):
        pass

    Made.__name__ = Made.__qualname__ = name
    for item, value in items:
        setattr(Made, item, add_member(Made, item, value))
    return Made


def add_member(cls, name, value):
    if isinstance(value, auto):
        numbers = [one.value for one in cls.__members__.values() if isinstance(one.value, int)]
        value = max(numbers, default=0) + 1
    for member in cls.__members__.values():
        if member.value == value:
            cls.__members__[name] = member
            return member
    member = new_object(cls, value) if issubclass(cls, str) else new_object(cls)
    member.name, member.value = name, value
    cls.__members__[name] = member
    if hasattr(cls, '__init__'):
        member.__init__(*(value if isinstance(value, tuple) else (value,)))
    return member


class StrEnum(str, Enum):
    def __str__(self):
        return self.value


class IntEnum(int, Enum):
    def __str__(self):
        return str(self.value)


def unique(enumeration):
    for name, member in enumeration.__members__.items():
        if name != member.name:
            raise ValueError(f'duplicate values found in {enumeration!r}: {name} -> {member.name}')
    return enumeration
