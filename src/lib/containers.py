"""nn.Sequential, ModuleList, ModuleDict and ParameterList: what is put into them and taken out again.

`held(self)` lists what a container holds, with its names.
"""
from collections import OrderedDict

import torch
from torch import nn


def checked(module):
    if not isinstance(module, nn.Module):
        fail('type', f'{typename(module)} is not a Module subclass')
    return module


def place(container, index):
    """The index from the front; of a slice, all of them."""
    try:
        return range(len(container))[index]
    except IndexError:
        fail('index', f'index {index} is out of range')


def refill(container, values):
    """After a change in the middle the names are the numbers again."""
    empty(container)
    for i, value in enumerate(values):
        setattr(container, str(i), value)


def empty(container):
    for name, _ in held(container):
        unregister(container, name)


def as_parameter(value):
    is_plain = isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter)
    return nn.Parameter(value) if is_plain else value


class ModuleList:
    def __init__(self, modules):
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index):
        if type(index).__name__ == 'slice':
            return type(self)(list(self)[index])
        return list(self)[place(self, index)]

    def __setitem__(self, index, module):
        register(self, held(self)[place(self, index)][0], checked(module), 'child')

    def __delitem__(self, index):
        gone = place(self, index)
        gone = gone if isinstance(gone, range) else [gone]
        refill(self, [module for i, module in enumerate(self) if i not in gone])

    def append(self, module):
        register(self, str(len(self)), checked(module), 'child')
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

    def pop(self, key):
        module = self[key]
        del self[key]
        return module


class Sequential(ModuleList):
    def __init__(self, args):
        named = len(args) == 1 and isinstance(args[0], OrderedDict)
        for name, module in args[0].items() if named else enumerate(args):
            register(self, str(name), checked(module), 'child')

    def __getitem__(self, index):
        if type(index).__name__ == 'slice':
            return type(self)(OrderedDict(held(self)[index]))
        return list(self)[place(self, index)]

    def insert(self, index, module):
        ModuleList.insert(self, index, module)
        return self


class ModuleDict:
    def __init__(self, modules):
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return dict(held(self))[key]

    def __setitem__(self, key, module):
        register(self, key, checked(module), 'child')

    def __delitem__(self, key):
        self[key]
        unregister(self, key)

    def pop(self, key):
        return ModuleList.pop(self, key)

    def clear(self):
        empty(self)

    def keys(self):
        return OrderedDict(held(self)).keys()

    def values(self):
        return OrderedDict(held(self)).values()

    def items(self):
        return OrderedDict(held(self)).items()

    def update(self, modules):
        pairs = modules.items() if isinstance(modules, (nn.ModuleDict, dict)) else modules
        for name, module in pairs:
            self[name] = module


class ParameterList:
    def __init__(self, values):
        if values is not None:
            self.extend(values)

    def __getitem__(self, index):
        if type(index).__name__ == 'slice':
            return type(self)(list(self)[index])
        return list(self)[place(self, index)]

    def __setitem__(self, index, value):
        change(self)
        setattr(self, str(place(self, index)), as_parameter(value))

    def __delitem__(self, index):
        ModuleList.__delitem__(self, index)

    def append(self, value):
        change(self)
        setattr(self, str(len(self)), as_parameter(value))
        return self

    def extend(self, values):
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self):
        return '\n'.join(f'  ({i}): {described(value)}' for i, value in enumerate(self))


def described(value):
    if not isinstance(value, torch.Tensor):
        return f'Object of type: {type(value).__name__}'
    sizes = 'x'.join(str(size) for size in value.shape)
    return f'{type(value).__name__} containing: [{value.dtype} of size {sizes}]'
