"""Arrays of str: what lists of words become in numpy."""
import numpy as np


class TextType:
    def __init__(self, width):
        self.str, self.kind = f'<U{width}', 'U'

    def __repr__(self):
        return f"dtype('{self.str}')"

    def __str__(self):
        return self.str

    def __eq__(self, other):
        return str(self) == str(other)


def shape_of(items):
    if isinstance(items, str):
        return ()
    shapes = {shape_of(item) for item in items}
    if len(shapes) > 1:
        refuse("unsupported.array.items", "type", "lists of different lengths")
    return (len(items), *(shapes.pop() if shapes else ()))


def plain(items):
    """Lists of str; numbers beside them become text."""
    if isinstance(items, (list, tuple, ndarray)):
        return [plain(item) for item in items]
    return str(items)


def leaves(items):
    return [items] if isinstance(items, str) else [text for item in items for text in leaves(item)]


class ndarray:
    def __init__(self, items):
        self.items = plain(items)
        self.shape = shape_of(self.items)
        self.ndim, self.size = len(self.shape), len(leaves(self.items))
        self.dtype = TextType(max([len(text) for text in leaves(self.items)] + [1]))

    def tolist(self):
        return plain(self.items)

    def copy(self):
        return ndarray(self.items)

    def flatten(self):
        return ndarray(leaves(self.items))

    def reshape(self, *shape):
        numbers = np.arange(self.size).reshape(*shape)
        texts = leaves(self.items)
        fill = lambda rows: [fill(row) for row in rows] if isinstance(rows, list) else texts[rows]
        return ndarray(fill(numbers.tolist()))

    def astype(self, dtype):
        if dtype is str:
            return self.copy()
        number = int if dtype in (int, np.int64, np.int32) else float
        return np.array([number(text) for text in leaves(self.items)], dtype=dtype).reshape(self.shape)

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter([item if isinstance(item, str) else ndarray(item) for item in self.items])

    def __contains__(self, text):
        return text in leaves(self.items)

    def __getitem__(self, index):
        first, *rest = index if isinstance(index, tuple) else (index,)
        if isinstance(first, slice):
            chosen = self.items[first]
        elif isinstance(first, (list, np.ndarray)):
            places = np.asarray(first).tolist()
            if places and isinstance(places[0], bool):
                places = [place for place, is_chosen in enumerate(places) if is_chosen]
            chosen = [self[place] for place in places]
        else:
            chosen = self.items[int(first)]
            return ndarray(chosen)[tuple(rest)] if rest else chosen if isinstance(chosen, str) else ndarray(chosen)
        return ndarray([ndarray(row)[tuple(rest)] for row in chosen] if rest else chosen)

    def __setitem__(self, index, text):
        self.items[index] = str(text)[:int(self.dtype.str[2:])]

    def __eq__(self, other):
        others = leaves(plain(other))
        texts = leaves(self.items)
        others = others * len(texts) if len(others) == 1 else others
        return np.array([a == b for a, b in zip(texts, others)]).reshape(self.shape)

    def __ne__(self, other):
        return ~(self == other)

    def __str__(self):
        return drawn(self.items, ' ', 75, ' ')

    def __repr__(self):
        text = 'array(' + drawn(self.items, ', ', 74, ' ' * 7) + ','
        kind = f"dtype='{self.dtype}')"
        fits = len(text.split('\n')[-1]) + len(kind) + 1 <= 75
        return text + (' ' if fits else '\n' + ' ' * 6) + kind


def converted(items, dtype):
    return ndarray(items).astype(dtype)


def drawn(items, separator, width, indent):
    if items and not isinstance(items[0], str):
        rows = [drawn(row, separator, width - 1, indent + ' ') for row in items]
        return '[' + (separator.rstrip() + '\n' * (len(shape_of(items)) - 1) + indent).join(rows) + ']'
    text, line = '', indent
    for place, item in enumerate(items):
        if len(line) + len(repr(item)) > width - 1 and line != indent:
            text, line = text + line.rstrip() + '\n', indent
        line += repr(item) + (separator if place + 1 < len(items) else '')
    return '[' + (text + line)[len(indent):] + ']'
