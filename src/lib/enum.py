"""Enumerations: a class that derives from Enum turns the values of its body into members."""


class auto:
    """The next number. What is joined with | before the class is there has parts."""

    def __init__(self, *parts):
        self.parts = parts

    def __or__(self, other):
        return auto(self, other)

    __ror__ = __or__

    def number(self):
        if not self.parts:
            return self.value
        first, second = [part.number() if isinstance(part, auto) else part for part in self.parts]
        return first | second


METHODS = ('function', 'property')


class EnumMeta:
    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is not None:
            return made(cls, value, names, start)
        for member in cls.__members__.values():
            if member.value == value:
                return member
        if issubclass(cls, Flag) and isinstance(value, int):
            return joined(cls, value)
        member = cls._missing_(value)
        if member is None:
            raise ValueError(f'{value!r} is not a valid {cls.__qualname__}')
        return member

    def __iter__(cls):
        return iter([member for name, member in cls.__members__.items() if name == member.name
                     and (not issubclass(cls, Flag) or is_bit(member.value))])

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
        cls.__members__, cls.__joined__ = {}, {}
        for name, value in list(cls.__dict__.items()):
            if not name.startswith('_') and type(value).__name__ not in METHODS:
                setattr(cls, name, add_member(cls, name, value))

    @classmethod
    def _missing_(cls, value):
        return None

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return max([value for value in last_values if isinstance(value, int)], default=start - 1) + 1

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
    if isinstance(value, auto) and value.parts:
        value = value.number()
    elif isinstance(value, auto):
        values = [one.value for one in cls.__members__.values()]
        value.value = value = cls._generate_next_value_(name, 1, len(values), values)
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
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __str__(self):
        return self.value


class IntEnum(int, Enum):
    def __str__(self):
        return str(self.value)


# ---- members that are joined by | ----

def is_bit(value):
    return value > 0 and value & (value - 1) == 0


def joined(cls, value):
    """What is not a member is left out, as in Python 3.11."""
    parts = list(iter(cls))
    value &= sum([part.value for part in parts])
    for member in cls.__members__.values():
        if member.value == value:
            return member
    if value not in cls.__joined__:
        member = new_object(cls)
        member.name, member.value = '|'.join([part.name for part in parts if part.value & value]) or None, value
        cls.__joined__[value] = member
    return cls.__joined__[value]


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return 2 ** max(last_values, default=0).bit_length() if count else start

    def __repr__(self):
        name = f'.{self.name}' if self.name else ''
        return f'<{type(self).__name__}{name}: {self.value!r}>'

    def __str__(self):
        return f'{type(self).__name__}.{self.name}' if self.name else f'{type(self).__name__}({self.value})'

    def joined_with(self, other, value):
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(value(self.value, other.value))

    def __or__(self, other):
        return self.joined_with(other, lambda a, b: a | b)

    def __and__(self, other):
        return self.joined_with(other, lambda a, b: a & b)

    def __xor__(self, other):
        return self.joined_with(other, lambda a, b: a ^ b)

    def __invert__(self):
        return type(self)(~self.value)

    def __contains__(self, other):
        return other.value & self.value == other.value

    def __iter__(self):
        return iter([part for part in type(self) if part.value & self.value])

    def __len__(self):
        return len(list(iter(self)))

    def __bool__(self):
        return self.value != 0


def unique(enumeration):
    for name, member in enumeration.__members__.items():
        if name != member.name:
            raise ValueError(f'duplicate values found in {enumeration!r}: {name} -> {member.name}')
    return enumeration
