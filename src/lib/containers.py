"""nn.Sequential, ModuleList, ModuleDict, ParameterList and ParameterDict: what is put into them and taken out again.

`held(self)` lists what a container holds, with its names.
"""
from collections import OrderedDict

import torch
from torch import nn


def as_parameter(value):
    is_plain = isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter)
    return nn.Parameter(value) if is_plain else value


def checked(module):
    if not isinstance(module, nn.Module):
        fail('type', f'{typename(module)} is not a Module subclass')
    return module


def put(container, name, value):
    if isinstance(container, nn.ParameterList):
        change(container)
        setattr(container, str(name), as_parameter(value))
    else:
        register(container, str(name), checked(value), 'child')


def is_slice(index):
    return type(index).__name__ == 'slice'


def place(container, index):
    """The index from the front; of a slice, all of them."""
    size = len(container)
    if is_slice(index):
        return range(size)[index]
    if index not in range(-size, size):
        range(index)  # has the error for what is not an int
        fail('index', f'index {index} is out of range')
    return index % size


def refill(container, values):
    """After a change in the middle the names are the numbers again."""
    empty(container)
    for i, value in enumerate(values):
        put(container, i, value)


def empty(container):
    for name, _ in held(container):
        unregister(container, name)


def pop(self, key):
    value = self[key]
    del self[key]
    return value


class ModuleList:
    pop = pop

    def __init__(self, values):
        if values is not None:
            self.extend(values)

    def __getitem__(self, index):
        return type(self)(list(self)[index]) if is_slice(index) else list(self)[place(self, index)]

    def __setitem__(self, index, value):
        change(self)
        name = held(self)[place(self, index)][0]
        setattr(self, name, as_parameter(value) if isinstance(self, nn.ParameterList) else value)

    def __add__(self, other):
        return nn.ModuleList([*self, *other])

    def __delitem__(self, index):
        gone = place(self, index)
        gone = gone if is_slice(index) else [gone]
        refill(self, [value for i, value in enumerate(self) if i not in gone])

    def append(self, module):
        put(self, len(self), module)
        return self

    def extend(self, modules):
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index, module):
        if not -len(self) <= index <= len(self):
            fail('index', f'Index out of range: {index}')
        modules = list(self)
        modules.insert(index, checked(module))
        refill(self, modules)


class Sequential(ModuleList):
    def __init__(self, args):
        is_named = len(args) == 1 and isinstance(args[0], OrderedDict)
        for name, module in args[0].items() if is_named else enumerate(args):
            put(self, name, module)

    def __getitem__(self, index):
        return type(self)(OrderedDict(held(self)[index])) if is_slice(index) else list(self)[place(self, index)]

    def insert(self, index, module):
        ModuleList.insert(self, index, module)
        return self

    def __add__(self, other):
        if not isinstance(other, nn.Sequential):
            raise ValueError(f'add operator supports only objects of Sequential class, but {type(other)} is given.')
        return nn.Sequential(*self, *other)


class ModuleDict:
    pop = pop
    clear = empty

    def __init__(self, modules):
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return dict(held(self))[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        self[key]
        unregister(self, key)

    def keys(self):
        return OrderedDict(held(self)).keys()

    def values(self):
        return OrderedDict(held(self)).values()

    def items(self):
        return OrderedDict(held(self)).items()

    def update(self, modules):
        for name, module in modules.items() if isinstance(modules, (nn.ModuleDict, dict)) else modules:
            self[name] = module


class ParameterList:
    __init__, __getitem__, __setitem__ = ModuleList.__init__, ModuleList.__getitem__, ModuleList.__setitem__
    __delitem__, append, extend = ModuleList.__delitem__, ModuleList.append, ModuleList.extend

    def extra_repr(self):
        return '\n'.join(f'  ({i}): {described(value)}' for i, value in enumerate(self))


class ParameterDict:
    keys, values, items = ModuleDict.keys, ModuleDict.values, ModuleDict.items
    pop, clear = pop, empty

    def __init__(self, parameters):
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key):
        check_key(key)
        values = dict(held(self))
        if key not in values:
            fail('attribute', f"'{name_of(self)}' object has no attribute '{key}'")
        return values[key]

    def __setitem__(self, key, value):
        check_key(key)
        change(self)
        setattr(self, key, as_parameter(value))

    def __delitem__(self, key):
        dict(held(self))[key]
        unregister(self, key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def popitem(self):
        key = list(self)[-1]
        return key, self.pop(key)

    def copy(self):
        return nn.ParameterDict(self)

    def fromkeys(self, keys, default=None):
        return nn.ParameterDict([(key, default) for key in keys])

    def update(self, parameters):
        if isinstance(parameters, dict) and not isinstance(parameters, OrderedDict):
            parameters = sorted(parameters.items())
        for key, value in parameters.items() if isinstance(parameters, (OrderedDict, nn.ParameterDict)) else parameters:
            self[key] = value

    def joined(self, parameters):
        self.update(parameters)
        return self

    def extra_repr(self):
        return '\n'.join(f'  ({key}): {described_by_type(value)}' for key, value in self.items())


def check_key(key):
    if not isinstance(key, str):
        fail('type', 'Index given to ParameterDict cannot be used as a key as it is not a string (type is '
             f"'{type(key).__name__}'). Open an issue on github if you need non-string keys.")


def described_by_type(value):
    text = described(value)
    return text.replace(str(value.dtype), typename(value)) if isinstance(value, torch.Tensor) else text


def described(value):
    if not isinstance(value, torch.Tensor):
        return f'Object of type: {type(value).__name__}'
    sizes = 'x'.join(str(size) for size in value.shape)
    return f'{type(value).__name__} containing: [{value.dtype} of size {sizes}]'
