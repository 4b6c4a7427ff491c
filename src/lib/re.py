"""Regular expressions: patterns and matches. find_matches() finds them."""

NOFLAG = 0
I = IGNORECASE = 2
L = LOCALE = 4
M = MULTILINE = 8
S = DOTALL = 16
U = UNICODE = 32
X = VERBOSE = 64
DEBUG = 128
A = ASCII = 256


class error(Exception):
    pass


class Match:
    def __init__(self, pattern, string, groups):
        self.re, self.string = pattern, string
        self._groups = groups

    def _number(self, group):
        number = self.re.groupindex.get(group, -1) if isinstance(group, str) else group
        if not 0 <= number < len(self._groups):
            raise IndexError('no such group')
        return number

    def _part(self, group, part):
        found = self._groups[self._number(group)]
        return found[part] if found else None if part == 2 else -1

    def group(self, *groups):
        parts = tuple(self._part(group, 2) for group in groups or (0,))
        return parts[0] if len(parts) == 1 else parts

    def __getitem__(self, group):
        return self._part(group, 2)

    def groups(self, default=None):
        return tuple(found[2] if found else default for found in self._groups[1:])

    def groupdict(self, default=None):
        return {name: self._groups[number][2] if self._groups[number] else default
                for name, number in self.re.groupindex.items()}

    def start(self, group=0):
        return self._part(group, 0)

    def end(self, group=0):
        return self._part(group, 1)

    def span(self, group=0):
        return self.start(group), self.end(group)

    def expand(self, template):
        return expanded(parts_of(template, self.re), self._groups)

    @property
    def lastindex(self):
        return next((number for number in reversed(self.re._closed) if self._groups[number]), None)

    @property
    def lastgroup(self):
        return next((name for name, number in self.re.groupindex.items() if number == self.lastindex), None)

    @property
    def regs(self):
        return tuple(self.span(i) for i in range(len(self._groups)))

    def __repr__(self):
        return f'<re.Match object; span={self.span()}, match={self.group()!r}>'


class Pattern:
    def __init__(self, pattern, flags):
        made = pattern_groups(pattern, flags)
        if isinstance(made, str):
            raise error(made)
        self.pattern, self.flags = pattern, flags | (0 if flags & ASCII else UNICODE)
        self.groups, self.groupindex, self._closed = made

    def _first(self, how, string, pos, endpos):
        text = string if endpos is None else string[:endpos]
        groups = find_matches(self.pattern, self.flags, text, pos, how, -1)[0][1]
        return groups and Match(self, string, groups)

    def search(self, string, pos=0, endpos=None):
        return self._first('search', string, pos, endpos)

    def match(self, string, pos=0, endpos=None):
        return self._first('match', string, pos, endpos)

    def fullmatch(self, string, pos=0, endpos=None):
        return self._first('fullmatch', string, pos, endpos)

    def _all(self, string, most=0, pos=0):
        return find_matches(self.pattern, self.flags, string, pos, 'search', most)

    def finditer(self, string, pos=0, endpos=None):
        text = string if endpos is None else string[:endpos]
        return iter([Match(self, string, groups) for _, groups in self._all(text, 0, pos)[:-1]])

    def findall(self, string, pos=0, endpos=None):
        text = string if endpos is None else string[:endpos]
        found = self._all(text, 0, pos)[:-1]
        if self.groups < 2:
            return [groups[-1][2] if groups[-1] else '' for _, groups in found]
        return [tuple(group[2] if group else '' for group in groups[1:]) for _, groups in found]

    def split(self, string, maxsplit=0):
        if self.groups == 0:
            return [before for before, _ in self._all(string, maxsplit)]
        pieces = []
        for before, groups in self._all(string, maxsplit):
            pieces.append(before)
            pieces += [group and group[2] for group in (groups or ())[1:]]
        return pieces

    def subn(self, repl, string, count=0):
        found = self._all(string, count)
        parts = None if callable(repl) else parts_of(repl, self)
        pieces = []
        for before, groups in found[:-1]:
            pieces.append(before)
            made = repl(Match(self, string, groups)) if parts is None else expanded(parts, groups)
            pieces.append('' if made is None else made)
        return ''.join(pieces) + found[-1][0], len(found) - 1

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __repr__(self):
        shown = [('IGNORECASE', I), ('MULTILINE', M), ('DOTALL', S), ('VERBOSE', X), ('ASCII', A)]
        flags = '|'.join(['re.' + name for name, flag in shown if self.flags & flag])
        return f're.compile({self.pattern!r}, {flags})' if flags else f're.compile({self.pattern!r})'


def expanded(parts, groups):
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    return ''.join([part if isinstance(part, str) else groups[part][2] if groups[part] else '' for part in parts])


def parts_of(template, pattern):
    """What a replacement is made of: texts, and numbers of groups."""
    if '\\' not in template:
        return [template]
    parts, i = [], 0
    escapes = {'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v', '\\': '\\'}
    while i < len(template):
        end = template.find('\\', i)
        if end < 0:
            end = len(template)
        if end > i:
            parts.append(template[i:end])
        letter, i = template[end + 1:end + 2], end + 2
        if end == len(template):
            break
        if letter == 'g':
            close = template.find('>', i)
            if template[i:i + 1] != '<' or close < 0:
                raise error('missing group name')
            name, i = template[i + 1:close], close + 1
            number = int(name) if name.isdigit() else pattern.groupindex.get(name)
            if number is None:
                raise IndexError(f'unknown group name {name!r}')
        elif letter.isdigit() and letter != '0':
            number = int(letter)
            if template[i:i + 1].isdigit():
                number, i = 10 * number + int(template[i]), i + 1
        elif letter in escapes:
            parts.append(escapes[letter])
            continue
        elif letter == '' or letter.isalpha() or letter == '0':
            raise error(f'bad escape \\{letter}' if letter else 'bad escape (end of pattern)')
        else:
            parts.append('\\' + letter)
            continue
        if number > pattern.groups:
            raise error(f'invalid group reference {number}')
        parts.append(number)
    return parts


def compile(pattern, flags=0):
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern):
    return ''.join(['\\' + c if c in '()[]{}?*+-|^$\\.&~# \t\n\r\v\f' else c for c in pattern])


def purge():
    pass
