"""pathlib.Path: names of files, and the files by os and open()."""
import os
import re


def fnmatch(name, pattern):
    """* is any text, ? any character; the rest is itself."""
    return re.fullmatch(re.escape(pattern).replace('\\*', '.*').replace('\\?', '.'), name) is not None


class PurePath:
    def __init__(self, *args):
        path = os.path.join(*args) if args else ''
        self.path = '/'.join([part for part in path.split('/') if part not in ('', '.')])
        self.path = ('/' if path.startswith('/') else '') + self.path or '.'

    def __getattr__(self, name):
        if not name.startswith('__'):
            refuse("unsupported.name", 'name', 'pathlib.Path.' + name)
        raise AttributeError(f"'PosixPath' object has no attribute '{name}'")

    def __str__(self):
        return self.path

    __fspath__ = as_posix = __str__

    def __repr__(self):
        return f'PosixPath({self.path!r})'

    def __eq__(self, other):
        return isinstance(other, PurePath) and self.path == other.path

    def __hash__(self):
        return hash(self.path)

    def __lt__(self, other):
        return self.parts < other.parts

    def __truediv__(self, key):
        return Path(self, key)

    def __rtruediv__(self, key):
        return Path(key, self)

    def joinpath(self, *args):
        return Path(self, *args)

    @property
    def parts(self):
        root = '/' if self.path.startswith('/') else ''
        return (*root, *[part for part in self.path.split('/') if part not in ('', '.')])

    @property
    def name(self):
        return self.path[self.path.rfind('/') + 1:].strip('.' if self.path == '.' else '')

    @property
    def stem(self):
        return os.path.splitext(self.name)[0]

    @property
    def suffix(self):
        return os.path.splitext(self.name)[1]

    @property
    def parent(self):
        return Path(os.path.dirname(self.path) or '.')

    @property
    def parents(self):
        path, found = self, []
        while path.parent != path:
            path = path.parent
            found.append(path)
        return tuple(found)

    @staticmethod
    def cwd():
        return Path(os.getcwd())

    def is_absolute(self):
        return self.path.startswith('/')

    def resolve(self, strict=False):
        if strict and not self.exists():
            raise FileNotFoundError(f'[Errno 2] No such file or directory: {str(self)!r}')
        return Path(os.path.realpath(self))

    def absolute(self):
        return self if self.is_absolute() else Path(os.getcwd(), self)

    def with_name(self, name):
        return self.parent / name

    def with_suffix(self, suffix):
        return self.parent / (self.stem + suffix)

    def exists(self):
        return os.path.exists(self)

    def is_file(self):
        return os.path.isfile(self)

    def is_dir(self):
        return os.path.isdir(self)

    def open(self, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
        return open(self, mode, buffering, encoding, errors, newline)

    def read_text(self, encoding=None, errors=None):
        return open(self, 'r', -1, encoding, errors).read()

    def read_bytes(self):
        return open(self, 'rb').read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        return open(self, 'w', -1, encoding, errors).write(data)

    def write_bytes(self, data):
        return open(self, 'wb').write(data)

    def mkdir(self, mode=511, parents=False, exist_ok=False):
        os.makedirs(self, exist_ok=exist_ok)

    def rename(self, target):
        os.rename(self, target)
        return Path(target)

    replace = rename

    def iterdir(self):
        return iter([self / name for name in os.listdir(self)])

    def glob(self, pattern):
        if '/' in pattern or '**' in pattern:
            refuse("unsupported.name", 'name', 'pathlib.Path.glob')
        return iter([path for path in self.iterdir() if fnmatch(path.name, pattern)])

    def relative_to(self, other):
        own, parts = self.parts, Path(other).parts
        if own[:len(parts)] != parts:
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(other)!r} OR one path is relative and the other "
                             "is absolute.")
        return Path(*own[len(parts):])

    def unlink(self, missing_ok=False):
        if not missing_ok or self.exists():
            os.remove(self)


Path = PosixPath = PurePath
