"""open(), json.load() and what notebooks ask of os and os.path: files in the program's folder, to read, and files that the
run wrote, which are in memory and end with it (`kept`): by their paths the pieces of their content (a tuple holds what
torch.save() put there, an array is mapped by np.memmap), None of a folder. The program's folder is called FOLDER, wherever
it is."""
import json

FOLDER = '/program'


class UnsupportedOperation(OSError):
    pass


def fspath(path):
    if not isinstance(path, str) and not hasattr(path, '__fspath__'):
        raise TypeError(f'expected str, bytes or os.PathLike object, not {type(path).__name__}')
    return path if isinstance(path, str) else path.__fspath__()


def normpath(path):
    path, parts = fspath(path), []
    for part in path.split('/'):
        if part == '..' and parts and parts[-1] != '..':
            parts.pop()
        elif part not in ('', '.'):
            parts.append(part)
    return ('/' if path.startswith('/') else '') + '/'.join(parts) or '.'


def in_folder(path):
    """The whole path of one that begins in the program's folder."""
    return normpath(join(FOLDER, path))


getcwd = lambda: FOLDER
abspath = realpath = in_folder


def isabs(s):
    return fspath(s).startswith('/')


def place_of(path):
    """By what a file is known: its path from the program's folder, or from the root where it is elsewhere."""
    path = normpath(path)
    return path[len(FOLDER) + 1:] or '.' if path == FOLDER or path.startswith(FOLDER + '/') else path


def missing(path):
    return FileNotFoundError('[Errno 2] No such file or directory: ' + repr(fspath(path)))


def content(parts, is_bytes):
    if any(isinstance(part, tuple) for part in parts):
        refuse("unsupported.files.saved")
    if is_bytes:
        return b''.join([part.encode() if isinstance(part, str) else part if isinstance(part, bytes) else part.tobytes()
                         for part in parts])
    return ''.join([part if isinstance(part, str) else content([part], True).decode() for part in parts])


def is_plain(encoding, errors):
    """Whether characters are as they are kept here."""
    return (encoding or 'utf-8').lower().replace('_', '-') in ('utf-8', 'utf8') and errors in (None, 'strict')


class TextIOWrapper:
    on_disk = None

    def __init__(self, name, mode, parts, encoding=None, errors=None):
        self.encoding, self.errors = encoding or 'utf-8', errors or 'strict'
        self.name, self.mode, self.parts, self.closed, self.taken = name, mode, parts, False, 0
        self.lines = None

    def __getattr__(self, name):
        if not name.startswith('__'):
            refuse("unsupported.name", 'name', f'{type(self).__name__}.{name}')
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _put(self, text):
        """The lines of what is left, the next one last, to be taken off at once."""
        end = b'\n' if isinstance(text, bytes) else '\n'
        pieces = text.split(end)
        self.lines = [line + end for line in pieces[:-1]] + [line for line in pieces[-1:] if line]
        self.lines.reverse()

    def _check(self, verb=''):
        if self.closed:
            raise ValueError('I/O operation on closed file.')
        if verb and not self.allows(verb):
            raise UnsupportedOperation('not ' + verb)
        if verb == 'readable' and self.lines is None:
            is_bytes, plain = 'b' in self.mode, is_plain(self.encoding, self.errors)
            text = content(self.parts, is_bytes or not plain)
            text = text if is_bytes or plain else text.decode(self.encoding, self.errors)
            self._put(text if is_bytes else self.translated(text))

    def allows(self, verb):
        return ('r' in self.mode) == (verb == 'readable')

    def translated(self, text):
        return text.replace('\r\n', '\n').replace('\r', '\n')

    def read(self, size=-1):
        self._check('readable')
        is_all, parts = size is None or size < 0, []
        while self.lines and (is_all or size > 0):
            line = self.lines.pop()
            if not is_all and len(line) > size:
                self.lines.append(line[size:])
                line = line[:size]
            parts.append(line)
            size = None if is_all else size - len(line)
        return (b'' if 'b' in self.mode else '').join(parts)

    def readline(self):
        self._check('readable')
        return self.lines.pop() if self.lines else b'' if 'b' in self.mode else ''

    def readlines(self):
        return list(self)

    def __iter__(self):
        self._check('readable')
        return self

    def __next__(self):
        self._check('readable')
        if not self.lines:
            raise StopIteration
        return self.lines.pop()

    def write(self, text):
        self._check('writable')
        if not isinstance(text, bytes if 'b' in self.mode else str):
            raise TypeError(f"a bytes-like object is required, not '{type(text).__name__}'" if 'b' in self.mode else
                            f'write() argument must be str, not {type(text).__name__}')
        plain = 'b' in self.mode or is_plain(self.encoding, self.errors)
        self.parts.append(text if plain else text.encode(self.encoding, self.errors))
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def seek(self, offset, whence=0):
        if offset or whence:
            refuse("unsupported.files.seek")
        self.lines, self.taken = None, 0
        return 0

    def flush(self):
        pass

    def readable(self):
        return self.allows('readable')

    def writable(self):
        return self.allows('writable')

    def seekable(self):
        return True

    def close(self):
        self.closed = True

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, kind, value, traceback):
        self.close()


class BufferedReader(TextIOWrapper):
    """Bytes: of a file of the run, or of one on the disk (`on_disk`), of which the parts that are asked for are read."""

    def __init__(self, name, mode, parts, on_disk=None, size=0):
        TextIOWrapper.__init__(self, name, mode, parts)
        self.on_disk, self.size, self.place, self.data = on_disk, size, 0, None

    def _open(self, verb):
        if self.closed:
            raise ValueError(f'{verb} of closed file')
        if self.on_disk is None and self.data is None:
            self.data = content(self.parts, True)
            self.size = len(self.data)

    def read(self, size=-1):
        self._open('read')
        left = max(self.size - self.place, 0)
        count = left if size is None or size < 0 else min(size, left)
        start, self.place = self.place, self.place + count
        if self.on_disk is None:
            return self.data[start:start + count]
        return numbers_in(self.on_disk, 'uint8', start, count, 'open').tobytes()

    def readline(self, size=-1):
        self._open('readline')
        start, step, line = self.place, 4096, b''
        while (part := self.read(step)) and b'\n' not in part:
            line += part
        line += part[:part.find(b'\n') + 1] if part else b''
        line = line if size is None or size < 0 else line[:size]
        self.place = start + len(line)
        return line

    def __iter__(self):
        self._open('readline')
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, text):
        raise UnsupportedOperation('write')

    def tell(self):
        self._open('tell')
        return self.place

    def seek(self, offset, whence=0):
        self._open('seek')
        place = offset + (0, self.place, self.size)[whence]
        if place < 0:
            raise OSError('[Errno 22] Invalid argument')
        self.place, self.taken = place, 0
        return place


class BufferedWriter(TextIOWrapper):
    place = None  # the end

    def _open(self, verb):
        if self.closed:
            raise ValueError(f'{verb} closed file')

    def read(self, size=-1):
        raise UnsupportedOperation('read')

    readline = read

    def write(self, text):
        self._open('write to')
        if not isinstance(text, bytes) and not hasattr(text, 'tobytes'):
            raise TypeError(f"a bytes-like object is required, not '{type(text).__name__}'")
        text = text if isinstance(text, bytes) else text.tobytes()
        if self.place is None or 'a' in self.mode:
            self.parts.append(text)
        else:
            before = content(self.parts, True)
            room = bytes(max(self.place - len(before), 0))
            end = self.place + len(text)
            self.parts[:] = [before[:self.place] + room + text + before[end:]]
            self.place = end if end < len(before) else None
        return len(text)

    def tell(self):
        self._open('tell of')
        return len(content(self.parts, True)) if self.place is None else self.place

    def seek(self, offset, whence=0):
        self._open('seek of')
        place = offset + (0, self.tell() if whence == 1 else 0, len(content(self.parts, True)) if whence == 2 else 0)[whence]
        if place < 0:
            raise OSError('[Errno 22] Invalid argument')
        self.place = place
        return place

    def truncate(self, size=None):
        size = self.tell() if size is None else size
        before = content(self.parts, True)
        self.parts[:] = [before[:size] + bytes(max(size - len(before), 0))]
        return size


def open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
    written, path, way = kept('files'), place_of(file), mode.replace('t', '').replace('b', '')
    if way not in ('r', 'w', 'a', 'x'):
        refuse("unsupported.files.mode", 'mode', repr(mode))
    if path in written and written[path] is None:
        raise OSError('[Errno 21] Is a directory: ' + repr(fspath(file)))
    if way == 'x' and exists(path):
        raise FileExistsError('[Errno 17] File exists: ' + repr(fspath(file)))
    parts, is_bytes = written[path] if path in written and way in ('r', 'a') else [], 'b' in mode
    if path not in written and (way == 'r' or (way == 'a' and exists(path))):
        try:
            found = file_size(path, 'open') if is_bytes and way == 'r' else file_text(path, 'open')
        except OSError as error:
            if is_inside(path):
                raise
            raise FileNotFoundError(str(error)) from None
        if found is None:
            raise missing(file)
        if is_bytes and way == 'r':
            return BufferedReader(fspath(file), mode, [], path, found)
        parts = [found]
    if way != 'r':
        written[path] = parts
    if not is_bytes:
        return TextIOWrapper(fspath(file), mode, parts, encoding, errors)
    return (BufferedReader if way == 'r' else BufferedWriter)(fspath(file), mode, parts)


class BytesIO(TextIOWrapper):
    def __init__(self, initial_bytes=b''):
        TextIOWrapper.__init__(self, '', 'rb', [initial_bytes] if initial_bytes else [])

    def allows(self, verb):
        return True

    def translated(self, text):
        return text

    def getvalue(self):
        return content(self.parts, 'b' in self.mode)

    def tell(self):
        self._check()
        size = len(self.getvalue())
        return 0 if self.lines is None else size - sum(len(line) for line in self.lines)

    def seek(self, offset, whence=0):
        self._check()
        if offset == 0 and whence == 0:
            return TextIOWrapper.seek(self, 0)
        text = self.getvalue()
        place = offset + (0, self.tell(), len(text))[whence]
        if offset < 0 and whence == 0:
            raise ValueError(self.negative_seek(offset))
        if place > len(text):
            refuse("unsupported.files.seek")
        self._put(text[max(place, 0):])
        return max(place, 0)

    def negative_seek(self, offset):
        return f'negative seek value {offset}'

    def write(self, text):
        self._check()
        is_behind = self.lines == [] or not self.parts
        is_behind = is_behind or any(isinstance(part, tuple) for part in self.parts)  # of what torch.save() wrote
        place, before = (0, '') if is_behind else (self.tell(), self.getvalue())
        count = TextIOWrapper.write(self, text)
        self.lines = []
        if not is_behind and place < len(before):
            self.parts[:] = [before[:place] + text + before[place + count:]]
            self._put(before[place + count:])
        return count

    def truncate(self, size=None):
        self._check()
        place, text = self.tell(), self.getvalue()
        size = place if size is None else size
        self.parts[:] = [text[:size]]
        self._put(text[:size][place:])
        return size


class StringIO(BytesIO):
    def negative_seek(self, offset):
        return f'Negative seek position {offset}'

    def __init__(self, initial_value='', newline='\n'):
        TextIOWrapper.__init__(self, '', 'r', [initial_value] if initial_value else [])


# ---- json ----

def load(fp, **settings):
    text = fp.read()
    return json.loads(text.decode() if isinstance(text, bytes) else text, **settings)


def dump(obj, fp, **settings):
    fp.write(json.dumps(obj, **settings))


# ---- os and os.path ----

def makedirs(name, mode=511, exist_ok=False):
    if exists(name) and not (exist_ok and isdir(name)):
        raise FileExistsError('[Errno 17] File exists: ' + repr(fspath(name)))
    path = place_of(name)
    while path.strip('/.'):
        kept('files').setdefault(path, None)
        path = dirname(path)


def mkdir(path, mode=511):
    makedirs(path)


def remove(path):
    name = place_of(path)
    if kept('files').get(name) is not None:
        del kept('files')[name]
    elif isfile(name):
        refuse("unsupported.files.remove")
    else:
        raise missing(path)


unlink = remove


def rename(src, dst):
    name, files = place_of(src), kept('files')
    if name not in files:
        if isfile(name) or isdir(name):
            refuse("unsupported.files.remove")
        raise missing(src)
    for path in [path for path in files if path == name or path.startswith(name + '/')]:
        files[place_of(dst) + path[len(name):]] = files.pop(path)


replace = rename


def copyfile(src, dst):
    target = join(dst, basename(src)) if isdir(dst) else fspath(dst)
    name = place_of(src)
    if kept('files').get(name) is None and not isfile(name):
        raise missing(src)
    parts = kept('files').get(name)
    kept('files')[place_of(target)] = list(parts) if parts is not None else [file_text(name, 'shutil.copy')]
    return target if isinstance(dst, str) or isdir(dst) else dst


copy = copy2 = copyfile


def move(src, dst):
    target = join(dst, basename(src)) if isdir(dst) else fspath(dst)
    rename(src, target)
    return target


def rmtree(path, ignore_errors=False):
    name = place_of(path)
    if not ignore_errors and name not in kept('files'):
        raise missing(path)
    for other in [other for other in kept('files') if other == name or other.startswith(name + '/')]:
        del kept('files')[other]


def is_inside(path):
    """Whether the program may know what has that path."""
    return not path.startswith(('/', '..'))


def exists(path):
    path = place_of(path)
    return path in kept('files') or (is_inside(path) and is_file(path) is not False)


def isfile(path):
    path = place_of(path)
    return kept('files')[path] is not None if path in kept('files') else is_inside(path) and is_file(path) is True


def isdir(path):
    path = place_of(path)
    return kept('files')[path] is None if path in kept('files') else is_inside(path) and is_file(path) is None


def listdir(path='.'):
    """Of a folder that the run made; what else is on the disk the run does not list."""
    path = place_of(path)
    if path not in kept('files'):
        refuse("unsupported.name", 'name', 'os.listdir')
    if kept('files')[path] is not None:
        raise OSError('[Errno 20] Not a directory: ' + repr(path))
    return [basename(other) for other in kept('files') if dirname(other) == path]


def getsize(filename):
    path = place_of(filename)
    size = file_size(path, 'os.path.getsize') if path not in kept('files') else len(content(kept('files')[path] or [], True))
    if size is None:
        raise missing(filename)
    return size


def join(path, *paths):
    path = fspath(path)
    for part in map(fspath, paths):
        path = part if part.startswith('/') else path + part if not path or path.endswith('/') else path + '/' + part
    return path


def basename(p):
    p = fspath(p)
    return p[p.rfind('/') + 1:]


def dirname(p):
    p = fspath(p)
    return p[:max(p.rfind('/'), 0)] or p[:1].strip(p.lstrip('/'))


def splitext(p):
    p = fspath(p)
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


# ---- tempfile: in memory, as all that a run writes ----

def gettempdir():
    return '/tmp'


def mkdtemp(suffix=None, prefix=None, dir=None):
    number = 0
    while (path := f"{dir or gettempdir()}/{prefix or 'tmp'}{number:08d}{suffix or ''}") in kept('files'):
        number += 1
    kept('files')[path] = None
    return path


class NamedTemporaryFile(TextIOWrapper):
    def __init__(self, mode='w+b', buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None,
                 delete=True):
        path = mkdtemp(suffix, prefix, dir)
        kept('files')[path] = []
        TextIOWrapper.__init__(self, path, mode, kept('files')[path])
        self.delete = delete

    def allows(self, verb):
        return True

    def close(self):
        TextIOWrapper.close(self)
        if self.delete:
            kept('files').pop(self.name, None)


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self.name = mkdtemp(suffix, prefix, dir)

    def __enter__(self):
        return self.name

    def __exit__(self, kind, value, traceback):
        self.cleanup()

    def cleanup(self):
        rmtree(self.name, ignore_errors=True)
