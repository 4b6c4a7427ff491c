"""open(), json.load() and what notebooks ask of os and os.path: text files in the program's folder, to read."""
import json


class TextIOWrapper:
    def __init__(self, name, text):
        self.name, self.mode, self.closed = name, 'r', False
        pieces = text.replace('\r\n', '\n').replace('\r', '\n').split('\n')
        # The next line is the last, to be taken off at once.
        self.lines = [line + '\n' for line in pieces[:-1]] + [line for line in pieces[-1:] if line]
        self.lines.reverse()

    def _check(self):
        if self.closed:
            raise ValueError('I/O operation on closed file.')

    def read(self, size=-1):
        self._check()
        text = ''.join(reversed(self.lines))
        if size is None or size < 0 or size >= len(text):
            self.lines = []
            return text
        self.lines = TextIOWrapper(self.name, text[size:]).lines
        return text[:size]

    def readline(self):
        self._check()
        return self.lines.pop() if self.lines else ''

    def readlines(self):
        return list(self)

    def __iter__(self):
        self._check()
        return self

    def __next__(self):
        if not self.lines:
            raise StopIteration
        return self.readline()

    def close(self):
        self.closed = True

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, kind, value, traceback):
        self.close()


def open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
    if mode not in ('r', 'rt'):
        refuse("unsupported.files.mode", 'mode', repr(mode))
    text = file_text(file, 'open')
    if text is None:
        raise FileNotFoundError("[Errno 2] No such file or directory: " + repr(file))
    return TextIOWrapper(file, text)


def load(fp):
    return json.loads(fp.read())


def exists(path):
    return is_file(path)


def isfile(path):
    return is_file(path)


def join(path, *paths):
    for part in paths:
        path = part if part.startswith('/') else path + part if not path or path.endswith('/') else path + '/' + part
    return path


def basename(p):
    return p[p.rfind('/') + 1:]


def dirname(p):
    return p[:max(p.rfind('/'), 0)] or p[:1].strip(p.lstrip('/'))


def splitext(p):
    dot = p.rfind('.')
    begin = p.rfind('/') + 1
    is_hidden = not p[begin:dot].strip('.')
    return (p, '') if dot < begin or is_hidden else (p[:dot], p[dot:])


class Environment:
    """os.environ: empty when a run begins."""

    def __getitem__(self, key):
        return kept('os.environ')[key]

    def __setitem__(self, key, value):
        if not isinstance(value, str):
            raise TypeError(f'str expected, not {type(value).__name__}')
        kept('os.environ')[key] = value

    def __delitem__(self, key):
        del kept('os.environ')[key]

    def __contains__(self, key):
        return key in kept('os.environ')

    def __iter__(self):
        return iter(kept('os.environ'))

    def __len__(self):
        return len(kept('os.environ'))

    def get(self, key, default=None):
        return kept('os.environ').get(key, default)

    def setdefault(self, key, value):
        return kept('os.environ').setdefault(key, value)

    def pop(self, key, *default):
        return kept('os.environ').pop(key, *default)

    def update(self, other=(), **more):
        for key, value in dict(other, **more).items():
            self[key] = value

    def items(self):
        return kept('os.environ').items()

    def keys(self):
        return kept('os.environ').keys()


environ = Environment()


def getenv(key, default=None):
    return environ.get(key, default)
