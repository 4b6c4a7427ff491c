"""Random programs without tensors: arithmetic and the text of numbers, strings and their methods, formats, lists,
tuples, dicts, slices, comprehensions, loops, functions, exceptions."""

INTS = ("0", "1", "2", "3", "-1", "-2", "7", "10", "255", "-100", "1000", "12345", "2**31", "10**6", "True", "False")
FLOATS = ("0.0", "1.0", "-1.5", "0.1", "2.5", "3.14159", "-0.0", "1e16", "1e-5", "1e-4", "123456789.123", "1e22", "0.5",
          "float('inf')", "float('nan')", "2/3", "1e100", "5e-324", "100.0", "-2.5", "1.005", "1e15", "1/3")
TEXTS = ("''", "'a'", "'Hello'", "'attention is all'", "'  pad '", "'a,b,,c'", "'12'", "'-3.5'", "'abcabc'", "'ünï'",
         "'한국어'", "'tab\\there'", "\"it's\"", "'\"q\"'", "'x\\ny'", "'UPPER lower'", "'1e3'", "'back\\\\slash'", "'%'")
FLOAT_SPECS = (".2f", ".3f", ".0f", "8.3f", "<8.2f", ">10.1f", "^9.2f", "+.2f", "e", ".3e", "g", ".3g", ".6g", "%", ".1%",
               ",.2f", "010.3f", " .2f", "", "*^12.1f", "n", "F", "E", "G", ".10", "z", "d", "#.0f", "=+9.1f", ".2")
INT_SPECS = ("d", "5d", "<5", ">5", "^7", "05d", "+d", ",", "x", "X", "#x", "b", "#b", "o", "08b", "", "_", ".2f", "e", "c",
             "%", " d", "*>6", "=6", "s", "#o", "_b", "n", "3", "+,")
TEXT_SPECS = ("", "10", "<10", ">10", "^10", ".2", "*^9", "s", "8.3", "-<6", "5s", "d", "=5", "+", "0", "05")
METHODS = {  # of str, with arguments
    "upper": 0, "lower": 0, "title": 0, "capitalize": 0, "strip": 0, "lstrip": 0, "rstrip": 0, "split": 0, "isdigit": 0,
    "isalpha": 0, "isspace": 0, "isupper": 0, "islower": 0, "swapcase": 0, "splitlines": 0, "isalnum": 0, "casefold": 0,
    "startswith": 1, "endswith": 1, "find": 1, "rfind": 1, "index": 1, "count": 1, "join": 1, "partition": 1,
    "replace": 2, "zfill": "int", "center": "int", "ljust": "int", "rjust": "int", "rsplit": 1, "strip ": 1}


class Python:
    """Expressions by type; `depth` bounds how far they nest."""

    def __init__(self, maker):
        self.maker, self.bound = maker, {"int": [], "float": [], "str": [], "list": [], "dict": [], "bool": []}

    def name(self, kind):
        return self.maker.one_of(self.bound[kind]) if self.bound[kind] and self.maker.chance(0.4) else None

    def make(self, kind, depth=2):
        if self.maker.chance(0.02):
            kind = self.maker.one_of(self.bound)  # what does not fit
        return self.name(kind) or getattr(self, "make_" + kind)(depth)

    def number(self, depth):
        return self.make(self.maker.weighted({"int": 5, "float": 4, "bool": 1}), depth)

    def item(self, depth=1):
        return self.make(self.maker.weighted({"int": 5, "float": 3, "str": 4, "bool": 1, "list": 1}), depth)

    def make_int(self, depth):
        if depth <= 0:
            return self.maker.one_of(INTS)
        a, b = self.make("int", depth - 1), self.make("int", depth - 1)
        return self.maker.weighted({
            self.maker.one_of(INTS): 4, f"({a} {self.maker.one_of('+-*')} {b})": 6, f"{a} // {b}": 2, f"{a} % {b}": 2,
            f"({a} {self.maker.one_of('&|^')} {b})": 1, f"abs({a})": 1, f"len({self.make('str', depth - 1)})": 1,
            f"len({self.make('list', depth - 1)})": 1, f"int({self.number(depth - 1)})": 1, f"(-{a})": 1, f"~({a})": 0.5,
            f"int({self.make('str', 0)})": 0.5, f"round({self.make('float', depth - 1)})": 1, f"{a} << 3": 0.5,
            f"{a} >> 1": 0.5, f"max({a}, {b})": 1, f"min({a}, {b})": 0.5, f"pow({a}, 2, 7)": 0.2, f"{a}.bit_length()": 0.1,
            f"ord({self.maker.one_of(TEXTS)}[0])": 0.4, f"({a} if {self.make('bool', depth - 1)} else {b})": 1,
            f"sum({self.ints()})": 1, f"math.gcd({a}, {b})": 0.3, f"math.floor({self.number(depth - 1)})": 0.5,
            f"math.ceil({self.number(depth - 1)})": 0.5, f"{self.make('list', depth - 1)}.count({a})": 0.4,
            f"hash({a})": 0.1, f"divmod({a}, {b})[1]": 0.5, f"({a}) ** 2": 1, f"math.isqrt({a})": 0.2})

    def make_float(self, depth):
        if depth <= 0:
            return self.maker.one_of(FLOATS)
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.maker.weighted({
            self.maker.one_of(FLOATS): 4, f"({a} {self.maker.one_of('+-*/')} {b})": 6, f"{a} // {b}": 1, f"{a} % {b}": 1,
            f"float({a})": 1, f"round({self.make('float', depth - 1)}, {self.maker.rng.randint(-2, 6)})": 2,
            f"({a}) ** {self.maker.one_of(('0.5', '2', '-1', '3.0'))}": 1, f"abs({a})": 0.5, f"math.sqrt({a})": 1,
            f"math.exp({a})": 0.7, f"math.log({a})": 0.7, f"float({self.make('str', 0)})": 0.4, f"math.pi * {a}": 0.3,
            f"math.sin({a})": 0.3, f"(-{a})": 0.5, f"math.fmod({a}, {b})": 0.2, f"math.log2({a})": 0.3,
            f"math.pow({a}, {b})": 0.3, f"divmod({a}, {b})[0]": 0.3, f"sum([{a}, {b}])": 0.5,
            f"math.copysign({a}, {b})": 0.2, f"math.hypot({a}, {b})": 0.2, f"math.inf - {a}": 0.1})

    def make_bool(self, depth):
        if depth <= 0:
            return self.maker.one_of(("True", "False"))
        a, b, c = self.item(depth - 1), self.item(depth - 1), self.number(depth - 1)
        return self.maker.weighted({
            f"({self.number(depth - 1)} {self.maker.one_of(('<', '<=', '>', '>=', '==', '!='))} {c})": 6,
            f"({a} == {b})": 2, f"(not {a})": 2, f"({a} and {b})": 1, f"({a} or {b})": 1, f"bool({a})": 1,
            f"({a} in {self.make('list', depth - 1)})": 1, f"({a} not in {self.make('str', depth - 1)})": 1,
            f"isinstance({a}, {self.maker.one_of(('int', 'float', 'str', '(int, float)', 'list'))})": 1,
            f"any({self.make('list', depth - 1)})": 0.5, f"all({self.make('list', depth - 1)})": 0.5, f"({a} < {b})": 0.5,
            f"math.isnan({c})": 0.3, f"math.isclose({c}, {self.number(0)})": 0.3, f"(0 < {c} < 10)": 0.5,
            f"({a} is None)": 0.3, f"{self.make('float', 0)}.is_integer()": 0.3, f"callable({a})": 0.1})

    def make_str(self, depth):
        if depth <= 0:
            return self.maker.one_of(TEXTS)
        a = self.make("str", depth - 1)
        return self.maker.weighted({
            self.maker.one_of(TEXTS): 3, self.formatted(depth - 1): 6, f"({a} + {self.make('str', depth - 1)})": 2,
            f"{a} * {self.maker.rng.randint(-1, 3)}": 1, f"str({self.item(depth - 1)})": 2, f"repr({self.item(depth - 1)})": 2,
            f"{a}[{self.maker.rng.randint(-3, 3)}]": 1, f"{a}[{self.slice()}]": 2, self.method(a, depth - 1): 5,
            self.percent(depth - 1): 1.5, f"chr({self.maker.rng.randint(32, 500)})": 0.4, f"hex({self.make('int', 0)})": 0.4,
            f"bin({self.make('int', 0)})": 0.4, f"oct({self.make('int', 0)})": 0.2, f"type({self.item(0)}).__name__": 0.5,
            f"format({self.make('float', 0)}, '{self.maker.one_of(FLOAT_SPECS)}')": 1, f"max({a}, default='')": 0.3,
            f"''.join(reversed({a}))": 0.4, f"ascii({a})": 0.3})

    def method(self, text, depth):
        name = self.maker.one_of(METHODS)
        wants = METHODS[name]
        arguments = ([str(self.maker.rng.randint(0, 12))] if wants == "int"
                     else [self.make("str", 0) for _ in range(wants)])
        if name == "join":
            arguments = [self.maker.one_of((f"[{self.make('str', 0)}, {self.make('str', 0)}]", self.make("str", 0)))]
        return f"{text}.{name.strip()}({', '.join(arguments)})"

    def slice(self):
        part = lambda: str(self.maker.rng.randint(-4, 5)) if self.maker.chance(0.6) else ""
        return f"{part()}:{part()}" + (f":{self.maker.one_of(('1', '2', '-1', '-2', '0', '3'))}" if self.maker.chance(0.3) else "")

    def field(self, depth):
        """What stands between the braces of an f-string; its strings have double quotes."""
        kind, specs = self.maker.one_of((("float", FLOAT_SPECS), ("int", INT_SPECS), ("str", TEXT_SPECS)))
        value = self.make(kind, depth)
        if "'" in value or '"' in value or "\\" in value or "{" in value:
            value = self.maker.one_of(FLOATS[:5])
        ending = self.maker.weighted({f":{self.maker.one_of(specs)}": 6, "": 3, "!r": 1, "=": 0.5, "!s:>8": 0.3})
        return "{(" + value + ")" + ending + "}"

    def formatted(self, depth):
        if self.maker.chance(0.25):
            values = [self.item(0) for _ in range(2)]
            form = self.maker.one_of(("{} {}", "{0} {1} {0}", "{:>8} {!r}", "{1:<6}|{0}", "{:.2f} {}", "{{}} {}", "{2}", "{} {:5}"))
            return f"'{form}'.format({', '.join(values)})"
        return "f'" + " ".join(self.field(depth) for _ in range(self.maker.rng.randint(1, 3))) + "'"

    def percent(self, depth):
        form, kind = self.maker.one_of((("%d", "int"), ("%5d|", "int"), ("%.2f", "float"), ("%s", "str"), ("%r", "str"),
                                        ("%e", "float"), ("%g", "float"), ("%-6s|", "str"), ("%05d", "int"), ("%x", "int"),
                                        ("%+.1f", "float"), ("100%%", "int"), ("%8.3f", "float"), ("%d", "float"), ("%i", "bool")))
        return f"'{form}' % ({self.make(kind, depth)},)"

    def ints(self):
        return "[" + ", ".join(self.make("int", 0) for _ in range(self.maker.rng.randint(0, 4))) + "]"

    def make_list(self, depth):
        items = ", ".join(self.item(depth - 1) for _ in range(self.maker.rng.randint(0, 4)))
        if depth <= 0:
            return f"[{items}]"
        a = self.make("list", depth - 1)
        n = self.maker.rng.randint(0, 5)
        return self.maker.weighted({
            f"[{items}]": 5, f"list(range({n}))": 2, f"list(range({n}, {n - 4}, -1))": 0.5, f"({a} + {self.ints()})": 1,
            f"{a} * {self.maker.rng.randint(0, 2)}": 0.5, f"sorted({self.ints()})": 1, f"sorted({a})": 0.5, f"{a}[{self.slice()}]": 2,
            f"[i * {self.number(0)} for i in range({n})]": 2, f"[x for x in {a} if x]": 1, f"list(reversed({a}))": 0.7,
            f"list(enumerate({a}))": 1, f"list(zip({a}, {self.ints()}))": 1, f"{self.make('str', 0)}.split({self.make('str', 0)})": 1,
            f"list(map(str, {a}))": 0.7, f"list({self.make('str', 0)})": 1, f"[*{a}, {n}]": 0.7, f"list({self.make('dict', 0)}.items())": 0.7,
            f"[[i, j] for i in range(3) for j in range(i)]": 0.3, f"sorted({self.ints()}, key=lambda v: -v)": 0.7,
            f"sorted({self.ints()}, reverse=True)": 0.4, f"list(filter(None, {a}))": 0.4, f"({items}{',' if items else ''})": 2,
            f"tuple({a})": 0.7, f"[{self.item(0)} for _ in range(2)]": 0.5, f"list(divmod({n}, 3))": 0.3})

    def make_dict(self, depth):
        pairs = ", ".join(f"{self.make(self.maker.one_of(('str', 'int')), 0)}: {self.item(depth - 1)}"
                          for _ in range(self.maker.rng.randint(0, 3)))
        return self.maker.weighted({
            "{" + pairs + "}": 5, f"dict(a={self.item(0)}, b={self.item(0)})": 1,
            f"{{k: len(str(k)) for k in {self.make('list', 0)}}}": 1, f"dict(zip('abc', {self.ints()}))": 1,
            "{**{" + pairs + "}, 'z': 1}": 0.5, f"dict(enumerate({self.make('str', 0)}))": 0.5})

    # ---- statements ----

    def bind(self):
        kind = self.maker.weighted({"int": 4, "float": 4, "str": 4, "list": 4, "dict": 2, "bool": 1})
        name = self.maker.bind(self.make(kind, 2))
        if name:
            self.bound[kind].append(name)
            self.maker.do(self.maker.one_of((f"print({name})", f"print(repr({name}), type({name}).__name__)",
                                             f"print([{name}])", f"print(f'{{{name}}}|{{{name}!r}}')")))

    def change(self):
        """A statement that changes a list or a dict, or a name."""
        lists, dicts = self.bound["list"], self.bound["dict"]
        a = self.maker.one_of(lists) if lists else "[1]"
        d = self.maker.one_of(dicts) if dicts else "{}"
        n, x = self.maker.rng.randint(-3, 3), self.item(1)
        line = self.maker.one_of((
            f"{a}.append({x})", f"{a}.insert({n}, {x})", f"print({a}.pop({n}))", f"{a}[{n}] = {x}", f"{a}[{self.slice()}] = {self.ints()}",
            f"del {a}[{n}]", f"{a}.sort(key=str)", f"{a}.reverse()", f"{a}.extend({self.ints()})", f"{a}.remove({x})", f"print({a}.index({x}))",
            f"{d}[{self.item(0)}] = {x}", f"print({d}.get({self.item(0)}, {x}))", f"print({d}.pop({self.item(0)}))", f"print({d}[{self.item(0)}])",
            f"print(list({d}.keys()), list({d}.values()))", f"{d}.update(x={x})", f"print({d}.setdefault('s', {x}))", f"del {d}['a']",
            f"{a} += {self.ints()}", f"print({x}, {n}, sep='-', end='!\\n')", f"print(*{a}, sep=', ')", f"print('a' in {d})"))
        self.maker.do(line)
        self.maker.do(f"print({a}, {d})")

    def loop(self):
        line = self.maker.one_of((
            f"for i, x in enumerate({self.make('list')}):\n    if x:\n        print(i, x)\n    else:\n        continue",
            f"total = {self.number(0)}\nfor x in {self.make('list')}:\n    total += x\nprint(total)",
            f"n = {self.maker.rng.randint(0, 40)}\nwhile n > 1:\n    n = n // 2 if n % 2 == 0 else 3 * n + 1\n    print(n, end=' ')\nelse:\n    print('end')",
            f"for k, v in {self.make('dict')}.items():\n    print(k, '->', v)",
            f"for i in range({self.make('int', 1)} % 7):\n    if i == 4:\n        break\n    print(i)\nelse:\n    print('all')",
            f"first, *rest = {self.make('list')}\nprint(first, rest)", f"p, q = {self.make('list')}\nprint(p, q)",
            f"def f(x, y={self.number(0)}, *rest, **named):\n    return x * y, rest, named\nprint(f({self.item(0)}, 2, {self.item(0)}, k={self.item(0)}))\nprint(f({self.item(0)}))",
            f"def g(n):\n    return 1 if n < 2 else n * g(n - 1)\nprint(g({self.maker.rng.randint(0, 15)}))",
            f"h = lambda x, k={self.number(0)}: x + k\nprint(h({self.item(0)}), h(1, k={self.number(0)}))",
            f"try:\n    print({self.item(2)})\n    assert {self.make('bool')}, {self.make('str', 0)}\nexcept (ValueError, AssertionError) as e:\n    print('caught', e)\nfinally:\n    print('finally')",
            f"try:\n    raise {self.maker.one_of(('ValueError', 'KeyError', 'RuntimeError'))}({self.item(0)})\nexcept Exception as e:\n    print(repr(e), str(e), e.args)",
            f"print({{x % 3 for x in range({self.maker.rng.randint(0, 9)})}})", f"print(sorted(set({self.ints()})))",
            f"gen = (x * 2 for x in {self.make('list')})\nprint(next(gen), list(gen))",
            f"class C:\n    def __init__(self, v):\n        self.v = v\n    def __repr__(self):\n        return f'C({{self.v}})'\n    def __add__(self, o):\n        return C(self.v + o.v)\nprint([C({self.item(0)})], C({self.number(0)}) + C({self.number(0)}))"))
        self.maker.do(line)


def python_program(maker):
    python = Python(maker)
    for _ in range(maker.rng.randint(1, 4)):
        maker.weighted({python.bind: 6, python.change: 2.5, python.loop: 1.5})()
