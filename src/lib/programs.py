"""sys, argparse, logging, pprint, textwrap, warnings, timeit, inspect and types: how scripts are set up and report.
Loggers hold for one run (`kept`).
"""
import re
import time
from collections import namedtuple
from enum import IntEnum

# ---- sys ----


class Stream:
    def __init__(self, is_error):
        self.is_error = is_error

    def write(self, text):
        if self.is_error:
            complain(text)
        else:
            print(text, end='')
        return len(text)

    def flush(self):
        if not self.is_error:
            print(end='', flush=True)

    def isatty(self):
        return False


stdout, stderr = Stream(False), Stream(True)
argv = ['']
path = ['']  # files beside the program are found, others never
platform = 'linux'
version = '3.11.2 (main) [GCC 12.2.0]'
version_info = namedtuple('version_info', 'major minor micro releaselevel serial')(3, 11, 2, 'final', 0)


def exit(status=None):
    raise SystemExit(status)


def setrecursionlimit(limit):
    pass  # calls have a limit of their own


def getrecursionlimit():
    return 1000


# ---- argparse ----


class Namespace:
    def __init__(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __repr__(self):
        return f'Namespace({", ".join([f"{name}={value!r}" for name, value in vars(self).items()])})'

    def __eq__(self, other):
        return isinstance(other, Namespace) and vars(self) == vars(other)

    def __contains__(self, key):
        return key in vars(self)


class Argument:
    def __init__(self, names, action='store', nargs=None, const=None, default=None, type=None, choices=None,
                 required=False, help=None, metavar=None, dest=None):
        if action not in ('store', 'store_true', 'store_false', 'store_const', 'append', 'count'):
            refuse("unsupported.argparse", 'setting', f'action={action!r}')
        self.names, self.is_option = names, names[0].startswith('-')
        long = [name for name in names if name.startswith('--')]
        self.dest = dest or (long or names)[0].lstrip('-').replace('-', '_')
        self.action, self.nargs, self.type, self.choices = action, nargs, type, choices
        self.const = {'store_true': True, 'store_false': False}.get(action, const)
        self.takes_none = action in ('store_true', 'store_false', 'store_const', 'count')
        flag = {'store_true': False, 'store_false': True}
        self.default = flag.get(action) if default is None else default
        self.required = required or (not self.is_option and nargs not in ('?', '*'))

    def read(self, parser, text):
        try:
            value = self.type(text) if self.type else text
        except ValueError:
            parser.error(f'argument {"/".join(self.names)}: invalid {self.type.__name__} value: {text!r}')
        if self.choices is not None and value not in self.choices:
            parser.error(f'argument {"/".join(self.names)}: invalid choice: {value!r} (choose from '
                         f'{", ".join([repr(choice) for choice in self.choices])})')
        return value


class ArgumentParser:
    def __init__(self, prog=None, usage=None, description=None, epilog=None, formatter_class=None, add_help=True,
                 **settings):
        self.description, self.arguments = description, []

    def add_argument(self, *names, **settings):
        self.arguments.append(Argument(names, **settings))
        return self.arguments[-1]

    def add_argument_group(self, title=None, description=None):
        return self

    def set_defaults(self, **values):
        for argument in self.arguments:
            argument.default = values.pop(argument.dest, argument.default)
        for name, value in values.items():
            self.add_argument('--' + name, default=value)

    def error(self, message):
        raise SystemExit(2)

    def parse_args(self, args=None, namespace=None):
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error(f'unrecognized arguments: {" ".join(rest)}')
        return found

    def parse_known_args(self, args=None, namespace=None):
        found, rest, seen = namespace or Namespace(), [], set()
        for argument in self.arguments:
            default = argument.default
            as_text = isinstance(default, str) and argument.type
            setattr(found, argument.dest, argument.type(default) if as_text else default)
        words, plain = list(args or []), [argument for argument in self.arguments if not argument.is_option]
        while words:
            word = words.pop(0)
            name, equals, value = word.partition('=')
            option = [argument for argument in self.arguments if argument.is_option and name in argument.names]
            if not option and len(name) > 2 and name[0] == '-' != name[1] and self.is_flag(name[:2]):
                words.insert(0, '-' + word[2:])  # -vv
                option, equals = [argument for argument in self.arguments if name[:2] in argument.names], ''
            if option:
                if equals:
                    words.insert(0, value)
                argument = option[0]
            elif not word.startswith('-') and plain:
                words.insert(0, word)
                argument = plain.pop(0)
            else:
                rest.append(word)
                continue
            seen.add(argument.dest)
            self.take(found, argument, words)
        missing = ['/'.join(a.names) for a in self.arguments if a.required and a.dest not in seen]
        if missing:
            self.error(f'the following arguments are required: {", ".join(missing)}')
        return found, rest

    def is_flag(self, name):
        return any(argument.takes_none and name in argument.names for argument in self.arguments)

    def take(self, found, argument, words):
        if argument.action == 'count':
            setattr(found, argument.dest, (getattr(found, argument.dest) or 0) + 1)
            return
        if argument.takes_none:
            setattr(found, argument.dest, argument.const)
            return
        most = {None: 1, '?': 1}.get(argument.nargs, argument.nargs if isinstance(argument.nargs, int) else len(words))
        values = []
        while words and len(values) < most and (not words[0].startswith('-') or words[0][1:2].isdigit()):
            values.append(argument.read(self, words.pop(0)))
        if not values and argument.nargs not in ('?', '*'):
            self.error(f'argument {"/".join(argument.names)}: expected one argument')
        is_single = argument.nargs in (None, '?')
        value = (values[0] if values else argument.const) if is_single else values
        if argument.action == 'append':
            value = [*(getattr(found, argument.dest) or []), value]
        setattr(found, argument.dest, value)


class HelpFormatter:
    pass


ArgumentDefaultsHelpFormatter = RawTextHelpFormatter = RawDescriptionHelpFormatter = HelpFormatter

# ---- platform ----

def python_version():
    return '3.11.2'


def system():
    return 'Linux'


def machine():
    return 'x86_64'


# ---- logging ----

NOTSET, DEBUG, INFO, WARNING, WARN, ERROR, CRITICAL, FATAL = 0, 10, 20, 30, 30, 40, 50, 50
LEVELS = {10: 'DEBUG', 20: 'INFO', 30: 'WARNING', 40: 'ERROR', 50: 'CRITICAL'}


def level_of(level):
    return level if isinstance(level, int) else {name: number for number, name in LEVELS.items()}[level]


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style='%'):
        self.fmt = fmt or '%(message)s'


class Handler:
    def __init__(self, stream=None, level=NOTSET):
        self.stream, self.level, self.formatter = stream, level, Formatter()

    def setLevel(self, level):
        self.level = level_of(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def handle(self, name, level, message):
        if level >= self.level:
            path, line, function = caller()
            file = path.split('/')[-1]
            words = {'levelname': LEVELS.get(level, f'Level {level}'), 'name': name, 'message': message,
                     'levelno': level, 'asctime': '1970-01-01 00:00:00,000', 'pathname': path, 'filename': file,
                     'module': file.rpartition('.')[0] or file, 'lineno': line, 'funcName': function, 'process': 0,
                     'thread': 0, 'processName': 'MainProcess', 'threadName': 'MainThread'}
            (self.stream or stderr).write(self.formatter.fmt % words + '\n')


StreamHandler = Handler


class NullHandler(Handler):
    def handle(self, name, level, message):
        pass


class Logger:
    def __init__(self, name):
        self.name, self.level, self.handlers, self.propagate, self.disabled = name, NOTSET, [], True, False

    def setLevel(self, level):
        self.level = level_of(level)

    def addHandler(self, hdlr):
        self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        self.handlers.remove(hdlr)

    def hasHandlers(self):
        return bool(self.handlers or getLogger().handlers)

    def getEffectiveLevel(self):
        return self.level or getLogger().level

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()

    def log(self, level, msg, *args, **kwargs):
        if self.disabled or not self.isEnabledFor(level):
            return
        message = str(msg) % args if args else str(msg)
        is_root = self.name == 'root'
        handlers = [*self.handlers, *(getLogger().handlers if self.propagate and not is_root else [])]
        for handler in handlers:
            handler.handle(self.name, level, message)
        if not handlers and level >= WARNING:
            stderr.write(message + '\n')

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args)

    warn, exception = warning, error


def getLogger(name=None):
    loggers = kept('logging')
    name = name or 'root'
    if name not in loggers:
        loggers[name] = Logger(name)
        if name == 'root':
            loggers[name].level = WARNING
    return loggers[name]


def basicConfig(level=None, format='%(levelname)s:%(name)s:%(message)s', datefmt=None, stream=None, handlers=None,
                force=False, **settings):
    root = getLogger()
    if root.handlers and not force:
        return
    root.handlers = list(handlers or [StreamHandler(stream)])
    for handler in root.handlers:
        handler.setFormatter(Formatter(format))
    if level is not None:
        root.setLevel(level)


def disable(level=CRITICAL):
    pass


def configured():
    basicConfig()
    return getLogger()


def debug(msg, *args): configured().debug(msg, *args)
def info(msg, *args): configured().info(msg, *args)
def warning(msg, *args): configured().warning(msg, *args)
def error(msg, *args): configured().error(msg, *args)
def critical(msg, *args): configured().critical(msg, *args)


# ---- pprint ----

def laid_out(value, indent, width, sort_dicts):
    """The lines of a value that begins at column `indent`; `width` is what is left for the longest."""
    whole = repr_sorted(value, sort_dicts)
    is_plain = type(value) in (list, tuple, dict, set) and value
    if not is_plain or indent + len(whole) <= width:
        return whole
    pad = ',\n' + ' ' * (indent + 1)
    if isinstance(value, dict):
        items = by_key(value) if sort_dicts else value.items()
        parts = []
        for i, (key, item) in enumerate(items):
            name = repr(key) + ': '
            last = 1 if i == len(value) - 1 else 0
            parts.append(name + laid_out(item, indent + 1 + len(name), width - 1, sort_dicts))
        return '{' + pad.join(parts) + '}'
    opening, closing = {list: '[]', tuple: '()', set: '{}'}[type(value)]
    items = sorted(value) if isinstance(value, set) else value
    parts = [laid_out(item, indent + 1, width - 1, sort_dicts) for item in items]
    return opening + pad.join(parts) + (',' if isinstance(value, tuple) and len(value) == 1 else '') + closing


def by_key(value):
    try:
        return sorted(value.items())
    except TypeError:
        return sorted(value.items(), key=lambda item: (str(type(item[0])), str(item[0])))


def repr_sorted(value, sort_dicts):
    if type(value) is dict:
        items = by_key(value) if sort_dicts else value.items()
        return '{' + ', '.join([repr(key) + ': ' + repr_sorted(item, sort_dicts) for key, item in items]) + '}'
    if type(value) is list:
        return '[' + ', '.join([repr_sorted(item, sort_dicts) for item in value]) + ']'
    return repr(value)


def pformat(object, indent=1, width=80, depth=None, compact=False, sort_dicts=True):
    return laid_out(object, 0, width, sort_dicts)


def pprint(object, stream=None, indent=1, width=80, depth=None, compact=False, sort_dicts=True):
    print(pformat(object, indent, width, depth, compact, sort_dicts))


def pp(object, sort_dicts=False, **settings):
    pprint(object, sort_dicts=sort_dicts, **settings)


# ---- textwrap ----

def dedent(text):
    lines = [line if line.strip() else '' for line in text.split('\n')]
    starts = [line[:len(line) - len(line.lstrip())] for line in lines if line]
    least, most = min(starts, default=''), max(starts, default='')
    size = 0
    while size < len(least) and least[size] == most[size]:
        size += 1
    return '\n'.join([line[size:] for line in lines])


def indent(text, prefix):
    return ''.join([prefix + line if line.strip() else line for line in text.splitlines(True)])


def is_letter(text, place):
    return 0 <= place < len(text) and text[place].isalpha()


def breaks_after(word, place):
    """Whether a line may end behind this hyphen: between letters, two of them on either side; a-b-c counts, too."""
    before = is_letter(word, place - 1) and (
        is_letter(word, place - 2) or (word[place - 2:place - 1] == '-' and is_letter(word, place - 3)))
    behind = word[place + 2:place + 3] == '-'
    return before and is_letter(word, place + 1) and is_letter(word, place + (3 if behind else 2))


def dash_at(word, place):
    """The length of a dash of hyphens between two words; 0: there is none."""
    size = len(word[place:]) - len(word[place:].lstrip('-'))
    follows = word[place + size:place + size + 1]
    is_joined = place > 0 and (word[place - 1].isalnum() or word[place - 1] in '_!"\'&.,?')
    return size if size > 1 and is_joined and (follows.isalnum() or follows == '_') else 0


def pieces_of(word):
    start = place = 0
    while place < len(word):
        size = dash_at(word, place)
        if size:
            yield from (word[start:place], word[place:place + size])
            start = place = place + size
        elif word[place] == '-' and breaks_after(word, place):
            yield word[start:place + 1]
            start = place = place + 1
        else:
            place += 1
    if start < len(word):
        yield word[start:]


def chunks_of(text):
    """Words, as far as they stay together, and the blanks between them."""
    chunks, place = [], 0
    while place < len(text):
        end, is_blank = place, text[place] == ' '
        while end < len(text) and (text[end] == ' ') == is_blank:
            end += 1
        chunks += [text[place:end]] if is_blank else list(pieces_of(text[place:end]))
        place = end
    return chunks


def cut_off(chunk, room):
    """Of what no line holds: as much as fits, up to a hyphen if there is one."""
    end = room
    hyphen = chunk.rfind('-', 0, room)
    if len(chunk) > room and hyphen > 0 and chunk[:hyphen].strip('-'):
        end = hyphen + 1
    return chunk[:end], chunk[end:]


def wrap(text, width=70, *, initial_indent='', subsequent_indent='', max_lines=None, placeholder=' [...]'):
    if width <= 0:
        raise ValueError(f'invalid width {width!r} (must be > 0)')
    text = text.expandtabs()
    chunks = chunks_of(''.join([' ' if c in '\t\n\x0b\x0c\r ' else c for c in text]))
    chunks.reverse()
    lines = []
    while chunks:
        indent = subsequent_indent if lines else initial_indent
        room = width - len(indent)
        if lines and chunks[-1].isspace():
            chunks.pop()
        line = []
        while chunks and len(''.join(line)) + len(chunks[-1]) <= room:
            line.append(chunks.pop())
        if chunks and len(chunks[-1]) > room:
            head, tail = cut_off(chunks.pop(), max(room - len(''.join(line)), 0) if room >= 1 else 1)
            line.append(head)
            if tail:
                chunks.append(tail)
        if line and line[-1].isspace():
            line.pop()
        if max_lines is not None and len(lines) + 1 >= max_lines and [one for one in chunks if not one.isspace()]:
            while line and (line[-1].isspace() or len(''.join(line)) + len(placeholder) > room):
                line.pop()
            return lines + [indent + (''.join(line) + placeholder if line else placeholder.lstrip())]
        if line:
            lines.append(indent + ''.join(line))
    return lines


def fill(text, width=70, **settings):
    return '\n'.join(wrap(text, width, **settings))


def shorten(text, width, *, placeholder=' [...]'):
    if len(placeholder.lstrip()) > width:
        raise ValueError('placeholder too large for max width')
    return fill(' '.join(text.split()), width, max_lines=1, placeholder=placeholder)


# ---- warnings: written to nobody, unless somebody records them ----

class WarningMessage:
    def __init__(self, message, category):
        self.message, self.category, self.filename, self.lineno = message, category, '', 1


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self.record = record
        self.filter = action and (action, '', category)

    def __enter__(self):
        shared = kept('warnings')
        self.before = dict(shared)
        shared['log'] = [] if self.record else None
        shared['filters'] = ([self.filter] if self.filter else []) + filters()
        return shared['log']

    def __exit__(self, *error):
        kept('warnings').update({'log': None, 'filters': []})
        kept('warnings').update(self.before)


def filters():
    return kept('warnings').get('filters', [])


def warn(message, category=None, stacklevel=1, source=None):
    message = message if isinstance(message, Warning) else (category or UserWarning)(message)
    for action, pattern, wanted in filters():
        if isinstance(message, wanted) and (not pattern or re.match(pattern, str(message), re.I)):
            break
    else:
        action = 'default'
    if action == 'error':
        raise message
    log = kept('warnings').get('log')
    if log is not None and action != 'ignore':
        log.append(WarningMessage(message, type(message)))


def simplefilter(action, category=Warning, lineno=0, append=False):
    filterwarnings(action, '', category, append=append)


def filterwarnings(action, message='', category=Warning, module='', lineno=0, append=False):
    if action not in ('error', 'ignore', 'always', 'default', 'module', 'once'):
        raise AssertionError(f'invalid action: {action!r}')
    row = (action, message, category)
    kept('warnings')['filters'] = filters() + [row] if append else [row] + filters()


def resetwarnings():
    kept('warnings')['filters'] = []


# ---- timeit ----

def default_timer():
    return time.perf_counter()


def timeit(stmt='pass', setup='pass', timer=default_timer, number=1000000, globals=None):
    if not callable(stmt):
        refuse("unsupported.timeit")
    begin = timer()
    for _ in range(number):
        stmt()
    return timer() - begin


def repeat(stmt='pass', setup='pass', timer=default_timer, repeat=5, number=1000000, globals=None):
    return [timeit(stmt, setup, timer, number) for _ in range(repeat)]


# ---- inspect ----

def isclass(object):
    return isinstance(object, type)


def isfunction(object):
    return type(object).__name__ == 'function'


def ismethod(object):
    return type(object).__name__ == 'method'


def isbuiltin(object):
    return type(object).__name__ == 'builtin_function_or_method'


def isroutine(object):
    return isfunction(object) or ismethod(object) or isbuiltin(object)


def isgenerator(object):
    return type(object).__name__ == 'generator'


def getdoc(object):
    doc = getattr(object, '__doc__', None)
    if doc is None:
        return None
    first, *rest = doc.expandtabs().split('\n')
    return '\n'.join([first.lstrip(), *dedent('\n'.join(rest)).split('\n')]).strip('\n').rstrip()



class _ParameterKind(IntEnum):
    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4

    def __str__(self):
        return self.name


class _empty:
    """Where a parameter has no default, or no annotation."""


def annotation_text(annotation):
    if not isinstance(annotation, type):
        return repr(annotation)
    module = '' if annotation.__module__ == 'builtins' else annotation.__module__ + '.'
    return module.removeprefix('typing.') + annotation.__qualname__


class Parameter:
    empty = _empty
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = _ParameterKind

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name, self.kind, self.default, self.annotation = name, kind, default, annotation

    def __str__(self):
        stars = {self.VAR_POSITIONAL: '*', self.VAR_KEYWORD: '**'}.get(self.kind, '')
        hint = '' if self.annotation is _empty else ': ' + annotation_text(self.annotation)
        default = '' if self.default is _empty else (' = ' if hint else '=') + repr(self.default)
        return stars + self.name + hint + default

    def __repr__(self):
        return f'<Parameter "{self}">'


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    def apply_defaults(self):
        rest = {Parameter.VAR_POSITIONAL: (), Parameter.VAR_KEYWORD: {}}
        self.arguments = {name: self.arguments.get(name, rest.get(parameter.kind, parameter.default))
                          for name, parameter in self.signature.parameters.items()}


class Signature:
    empty = _empty

    def __init__(self, parameters=(), *, return_annotation=_empty):
        self.parameters = {parameter.name: parameter for parameter in parameters}
        self.return_annotation = return_annotation

    def __str__(self):
        shown, kinds = [], [parameter.kind for parameter in self.parameters.values()]
        for i, parameter in enumerate(self.parameters.values()):
            if kinds[i] == Parameter.KEYWORD_ONLY and not {Parameter.VAR_POSITIONAL, Parameter.KEYWORD_ONLY} & set(kinds[:i]):
                shown.append('*')
            shown.append(str(parameter))
            if kinds[i] == Parameter.POSITIONAL_ONLY and Parameter.POSITIONAL_ONLY not in kinds[i + 1:]:
                shown.append('/')
        result = '' if self.return_annotation is _empty else ' -> ' + annotation_text(self.return_annotation)
        return f'({", ".join(shown)}){result}'

    def __repr__(self):
        return f'<Signature {self}>'

    def bind(self, *args, **kwargs):
        arguments, given = {}, list(args)
        for name, parameter in self.parameters.items():
            if parameter.kind == Parameter.VAR_POSITIONAL:
                value, given = tuple(given), []
            elif parameter.kind == Parameter.VAR_KEYWORD:
                value, kwargs = kwargs, {}
            elif given and parameter.kind != Parameter.KEYWORD_ONLY:
                if name in kwargs:
                    raise TypeError(f'multiple values for argument {name!r}')
                value = given.pop(0)
            elif name in kwargs:
                value = kwargs.pop(name)
            elif parameter.default is _empty:
                raise TypeError(f'missing a required argument: {name!r}')
            else:
                continue
            if value or parameter.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
                arguments[name] = value
        if given:
            raise TypeError('too many positional arguments')
        if kwargs:
            raise TypeError(f'got an unexpected keyword argument {next(iter(kwargs))!r}')
        return BoundArguments(self, arguments)


def unwrap(func):
    inner, seen = func, {id(func)}
    while hasattr(inner, '__wrapped__'):
        inner = inner.__wrapped__
        if id(inner) in seen:
            raise ValueError(f'wrapper loop when unwrapping {func!r}')
        seen.add(id(inner))
    return inner


def signature(obj):
    is_class = isinstance(obj, type)
    function = unwrap(obj.__init__ if is_class else getattr(obj, '__func__', obj))
    hints = getattr(function, '__annotations__', {})
    parameters = [Parameter(name, _ParameterKind[kind], default=default[0] if default else _empty,
                            annotation=hints.get(name, _empty)) for name, kind, default in parameters_of(function)]
    has_self = is_class or hasattr(obj, '__self__')
    return Signature(parameters[has_self:], return_annotation=_empty if is_class else hints.get('return', _empty))


class Code:
    """What function.__code__ says of its parameters."""

    def __init__(self, function):
        kinds = [kind for _, kind, _ in parameters_of(function)]
        self.co_name, self.co_qualname = function.__name__, function.__qualname__
        self.co_posonlyargcount, self.co_kwonlyargcount = kinds.count('POSITIONAL_ONLY'), kinds.count('KEYWORD_ONLY')
        self.co_argcount = self.co_posonlyargcount + kinds.count('POSITIONAL_OR_KEYWORD')

    def __getattr__(self, name):
        refuse("unsupported.code")


# ---- types ----

class SimpleNamespace(Namespace):
    def __repr__(self):
        return 'namespace' + super().__repr__()[len('Namespace'):]

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and vars(self) == vars(other)
