"""torch.save, torch.load and pickle: values in files of the run, as deep copies."""
from copy import deepcopy
from os.path import normpath


def opened(f, mode):
    if not isinstance(f, str) and not hasattr(f, '__fspath__'):
        return f
    if mode == 'rb' and normpath(f) not in kept('files') and is_file(normpath(f), 'torch.load'):
        refuse("unsupported.pickle")
    return open(f, mode)


def save(obj, f, *args, **kwargs):
    opened(f, 'wb').parts.append((deepcopy(obj),))


def load(f, *args, **kwargs):
    file = opened(f, 'rb')
    values = [part for part in file.parts if isinstance(part, tuple)]
    if file.taken == len(values):
        if not values and (file.parts or file.on_disk):
            refuse("unsupported.pickle")
        raise EOFError('Ran out of input')
    file.taken += 1
    return deepcopy(values[file.taken - 1][0])


class Pickled:
    """What dumps() gives: a copy. How many bytes it would be is not known here."""

    def __init__(self, value):
        self.value = deepcopy(value)

    def __len__(self):
        refuse("unsupported.pickle.bytes")

    __getitem__ = __iter__ = __repr__ = __len__


def dumps(obj, *args, **kwargs):
    return Pickled(obj)


def loads(data, **kwargs):
    if not isinstance(data, Pickled):
        refuse("unsupported.pickle")
    return deepcopy(data.value)


dump = save
