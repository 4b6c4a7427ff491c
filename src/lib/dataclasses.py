"""What dataclasses has beside @dataclass and field."""
from copy import deepcopy


class Field:
    def __init__(self, name, default):
        self.name, self.default = name, default


def fields(class_or_instance):
    names = getattr(class_or_instance, '__dataclass_fields__', None)
    if names is None:
        raise TypeError('must be called with a dataclass type or instance')
    return tuple(Field(name, default) for name, default in names.items())


def is_instance(obj):
    return hasattr(obj, '__dataclass_fields__') and not isinstance(obj, type)


def plain(value, whole):
    """`value` with every dataclass in it replaced by what `whole` makes of its fields."""
    if is_instance(value):
        return whole([(field.name, plain(getattr(value, field.name), whole)) for field in fields(value)])
    if isinstance(value, tuple) and hasattr(value, '_fields'):
        return type(value)(*[plain(item, whole) for item in value])
    if isinstance(value, (list, tuple)):
        return type(value)(plain(item, whole) for item in value)
    if isinstance(value, dict):
        return type(value)((plain(key, whole), plain(item, whole)) for key, item in value.items())
    return deepcopy(value)


def asdict(obj, *, dict_factory=dict):
    if not is_instance(obj):
        raise TypeError('asdict() should be called on dataclass instances')
    return plain(obj, dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    if not is_instance(obj):
        raise TypeError('astuple() should be called on dataclass instances')
    return plain(obj, lambda items: tuple_factory([item for _, item in items]))


def replace(obj, /, **changes):
    if not is_instance(obj):
        raise TypeError('replace() should be called on dataclass instances')
    return type(obj)(**{**{field.name: getattr(obj, field.name) for field in fields(obj)}, **changes})
