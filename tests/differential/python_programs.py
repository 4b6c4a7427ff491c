"""Random programs without tensors: arithmetic and the text of numbers, strings and their methods, formats, lists,
tuples, dicts, sets, slices, comprehensions, loops, functions, exceptions."""

from python_statements import BLOCKS, CHANGES

INTS = ("0", "1", "2", "3", "-1", "-2", "7", "10", "255", "-100", "1000", "12345", "2**31", "10**6", "True", "False")
FLOATS = ("0.0", "1.0", "-1.5", "0.1", "2.5", "3.14159", "-0.0", "1e16", "1e-5", "1e-4", "123456789.123", "1e22",
          "0.5", "float('inf')", "float('nan')", "2/3", "1e100", "5e-324", "100.0", "-2.5", "1.005", "1e15", "1/3")
TEXTS = ("''", "'a'", "'Hello'", "'attention is all'", "'  pad '", "'a,b,,c'", "'12'", "'-3.5'", "'abcabc'", "'ünï'",
         "'한국어'", "'tab\\there'", "\"it's\"", "'\"q\"'", "'x\\ny'", "'UPPER lower'", "'1e3'", "'back\\\\slash'",
         "'%'", "'ß'", "'e\\u0301x'", "'😀 x'", "'\\x1b[0m'", "'a\\r\\nb\\tc'", "'_x1'", "'²'", "'½'", "'0x1f'", "' 7 '",
         "'1_000'", "'nan'", "'+5'", "'-inf'", "'Ab1 cD2'", "'\\u200b'", "'a b c'", "'\\x00'", "'...'", "'[x]'")
FLOAT_SPECS = (".2f", ".3f", ".0f", "8.3f", "<8.2f", ">10.1f", "^9.2f", "+.2f", "e", ".3e", "g", ".3g", ".6g", "%",
               ".1%", ",.2f", "010.3f", " .2f", "", "*^12.1f", "n", "F", "E", "G", ".10", "z", "d", "=+9.1f", ".2")
INT_SPECS = ("d", "5d", "<5", ">5", "^7", "05d", "+d", ",", "x", "X", "#x", "b", "#b", "o", "08b", "", "_", ".2f", "e",
             "c", "%", " d", "*>6", "=6", "s", "#o", "_b", "n", "3", "+,")
TEXT_SPECS = ("", "10", "<10", ">10", "^10", ".2", "*^9", "s", "8.3", "-<6", "5s", "d", "=5", "+", "0", "05")
SPECS = {"float": FLOAT_SPECS, "int": INT_SPECS, "str": TEXT_SPECS}
PERCENTS = (("%d", "int"), ("%5d|", "int"), ("%.2f", "float"), ("%s", "str"), ("%r", "str"), ("%e", "float"),
            ("%g", "float"), ("%-6s|", "str"), ("%05d", "int"), ("%x", "int"), ("%+.1f", "float"), ("100%%", "int"),
            ("%8.3f", "float"), ("%d", "float"), ("%i", "bool"))
FORMS = ("{} {}", "{0} {1} {0}", "{:>8} {!r}", "{1:<6}|{0}", "{:.2f} {}", "{{}} {}", "{2}", "{} {:5}", "{0:{1}}",
         "{!a:>12}|{!s}", "{:{}}", "{0[0]} {1}", "{k} {}", "{0:>{k}}|", "{0} {}", "{0.real} {1}", "{", "}", "{!x}",
         "{:,} {:_}", "{0!r:^9}", "{k!r:.3}", "{}{}{}", "{:%} {:e}", "{-1}", "{0[k]}", "{.x}", "{:+} {: }")
METHODS = {  # of str: how many texts they take, or an int, or templates of arguments
    "upper": 0, "lower": 0, "title": 0, "capitalize": 0, "strip": 0, "lstrip": 0, "rstrip": 0, "split": 0, "isdigit": 0,
    "isalpha": 0, "isspace": 0, "isupper": 0, "islower": 0, "swapcase": 0, "splitlines": 0, "isalnum": 0, "casefold": 0,
    "startswith": 1, "endswith": 1, "find": 1, "rfind": 1, "index": 1, "count": 1, "join": 1, "partition": 1,
    "rsplit": 1, "replace": 2, "zfill": "int", "center": "int", "ljust": "int", "rjust": "int",
    "removeprefix": 1, "removesuffix": 1, "expandtabs": "int", "istitle": 0, "isidentifier": 0, "isnumeric": 0,
    "isdecimal": 0, "isascii": 0, "isprintable": 0, "rindex": 1, "rpartition": 1,
    "split ": ("{text}, {n}", "None, {n}", "maxsplit={n}", "sep={text}"), "rsplit ": ("{text}, {n}", "None, {n}"),
    "replace ": ("{text}, {text}, {n}", "'', {text}"), "find ": ("{text}, {n}", "{text}, {n}, {n}", "{text}, None, {n}"),
    "rfind ": ("{text}, {n}", "{text}, {n}, {n}"), "count ": ("{text}, {n}", "{text}, {n}, {n}"),
    "index ": ("{text}, {n}", "{int}"), "startswith ": ("{text}, {n}", "({text}, {text})", "{text}, {n}, {n}", "{int}"),
    "endswith ": ("{text}, {n}", "({text}, {text})", "{text}, {n}, {n}"), "strip ": ("{text}", "None", "{int}"),
    "lstrip ": ("{text}", "None"), "rstrip ": ("{text}", "None"), "center ": ("{m} % 20, {text}", "{text}"),
    "ljust ": ("{m} % 20, {text}", "{float}"), "rjust ": ("{m} % 20, {text}",), "zfill ": ("{text}", "{n}"),
    "splitlines ": ("True", "keepends={bool}"), "join ": ("{list}", "{str}", "{dict}", "{int}", "map(str, {list})"),
    "upper ": ("{n}",), "partition ": ("{int}", "''"), "expandtabs ": ("", "tabsize={n}"), "nothing ": ("",)}

# Expressions by type, with how often each is taken. A name in braces is an expression of that type.
EXPRESSIONS = {
    "int": {
        "({int} + {int})": 2, "({int} - {int})": 2, "({int} * {int})": 2, "{int} // {int}": 2, "{int} % {int}": 2,
        "({int} & {int})": 0.4, "({int} | {int})": 0.3, "({int} ^ {int})": 0.3, "abs({int})": 1, "len({str})": 1,
        "len({list})": 1, "int({number})": 1, "(-{int})": 1, "~({int})": 0.5, "int({text})": 0.5, "round({float})": 1,
        "{int} << 3": 0.5, "{int} >> 1": 0.5, "max({int}, {int})": 1, "min({int}, {int})": 0.5, "pow({int}, 2, 7)": 0.2,
        "({int}).bit_length()": 0.1, "ord({text}[0])": 0.4, "({int} if {bool} else {int})": 1, "sum({ints})": 1,
        "math.gcd({int}, {int})": 0.3, "math.floor({number})": 0.5, "math.ceil({number})": 0.5,
        "int({text}, {base})": 0.6, "math.trunc({number})": 0.2, "math.comb(min({int}, 60), {int})": 0.2, "int({float})": 0.4,
        "math.lcm({int}, {int})": 0.2, "math.perm({int}, 2)": 0.1, "math.factorial(min({int}, 40))": 0.2, "min({list})": 0.3,
        "max({ints}, key=lambda v: -v)": 0.2, "round({int}, {n})": 0.4, "pow({int}, {int}, {int})": 0.3,
        "{int} ** {m} % 7": 0.1, "({bool} + {bool})": 0.3, "len({set})": 0.3, "sum({list}, {int})": 0.3,
        "len({dict})": 0.3, "{text}.find({text})": 0.3, "({int}).bit_count()": 0.1, "({int}).real": 0.1,
        "sum(1 for x in {list} if x)": 0.3, "{list}.index({item})": 0.3, "{tuple}.index({item})": 0.2,
        "{tuple}.count({item})": 0.2, "len(range({int}, {int}, {n}))": 0.3,
        "({int}).conjugate()": 0.05, "[{int}, {int}][{bool}]": 0.3, "len({text}.split())": 0.2,
        "ord({text})": 0.2, "int({item})": 0.4, "abs({item})": 0.2, "len({item})": 0.3, "-{item}": 0.2,
        "({item} + {item})": 0.5, "({item} - {item})": 0.3, "({item} * {item})": 0.3, "({item} % {item})": 0.3,
        "({item} // {item})": 0.2, "({item} & {item})": 0.1, "({item} << {item})": 0.1, "{item}[{item}]": 0.4,
        "{list}.count({int})": 0.4, "hash({m})": 0.1, "divmod({int}, {int})[1]": 0.5, "({int}) ** 2": 1,
        "math.isqrt({int})": 0.2},
    "float": {
        "({number} + {number})": 1.5, "({number} - {number})": 1.5, "({number} * {number})": 1.5,
        "({number} / {number})": 2, "{number} // {number}": 1, "{number} % {number}": 1, "float({number})": 1,
        "round({float}, {n})": 2, "({number}) ** 0.5": 0.5, "({number}) ** -1": 0.3, "({number}) ** 3.0": 0.3,
        "abs({number})": 0.5, "math.sqrt({number})": 1, "math.exp({number})": 0.7, "math.log({number})": 0.7,
        "float({text})": 0.4, "math.pi * {number}": 0.3, "math.sin({number})": 0.3, "(-{number})": 0.5,
        "math.fmod({number}, {number})": 0.2, "math.log2({number})": 0.3, "math.pow({number}, {number})": 0.3,
        "divmod({number}, {number})[0]": 0.3, "sum([{number}, {number}])": 0.5,
        "math.fsum([{number}, {number}, 0.1])": 0.2, "math.degrees({number})": 0.2, "math.log10({number})": 0.3,
        "math.log({number}, {number})": 0.3, "math.log1p({number})": 0.2, "math.expm1({number})": 0.2,
        "math.atan2({number}, {number})": 0.2, "math.tanh({number})": 0.2, "math.erf({number})": 0.2,
        "math.cosh({number})": 0.1, "math.tan({number})": 0.1,
        "math.prod([{number}, {number}])": 0.2, "math.dist([{number}], [{number}])": 0.1, "float({item})": 0.3,
        "math.remainder({number}, {number})": 0.1, "math.ldexp({number}, {n})": 0.1, "math.modf({number})[0]": 0.1,
        "math.fabs({number})": 0.1, "math.acos({number})": 0.1, "math.sqrt({item})": 0.1, "({item} / {item})": 0.3,
        "({number} ** min({number}, 64))": 0.4, "pow({number}, {n})": 0.3, "max({number}, {number}, {number})": 0.3,
        "min({number}, {number}, key=abs)": 0.2, "round({number}, {item})": 0.1, "sum({ints}) / len({ints})": 0.3,
        "({float}).real": 0.1, "math.nan": 0.2, "math.e": 0.1, "({number} if {item} else {number})": 0.4,
        "math.copysign({number}, {number})": 0.2, "math.hypot({number}, {number})": 0.2, "math.inf - {number}": 0.1},
    "bool": {
        "({number} < {number})": 1, "({number} <= {number})": 1, "({number} > {number})": 1,
        "({number} == {number})": 1, "({number} != {number})": 1, "({item} == {item})": 2, "(not {item})": 2,
        "({item} and {item})": 1, "({item} or {item})": 1, "bool({item})": 1, "({item} in {list})": 1,
        "({item} not in {str})": 1, "isinstance({item}, int)": 0.4, "isinstance({item}, (int, float))": 0.4,
        "isinstance({item}, str)": 0.3, "any({list})": 0.5, "all({list})": 0.5, "({item} < {item})": 0.5,
        "math.isnan({number})": 0.3, "math.isclose({number}, {number})": 0.3, "(0 < {number} < 10)": 0.5,
        "({str} < {str})": 0.4, "({list} == {list})": 0.4, "({list} < {list})": 0.3, "({tuple} <= {tuple})": 0.3,
        "({dict} == {dict})": 0.3, "({set} <= {set})": 0.3, "({set} == {set})": 0.3, "({int} in {set})": 0.3,
        "({plain} in {dict})": 0.4, "({int} in range({n}, {m}, 3))": 0.3, "({text} in {str})": 0.4,
        "({number} < {number} <= {number})": 0.3, "({item} != {item} == {item})": 0.3, "({bool} is {bool})": 0.2,
        "({bool} ^ {bool})": 0.2, "any(x == {item} for x in {list})": 0.3, "all(x for x in {list})": 0.3,
        "math.isinf({number})": 0.2, "isinstance({item}, (list, tuple))": 0.3, "({item} >= {item})": 0.3,
        "math.isclose({number}, {number}, rel_tol={number})": 0.1, "(range({n}) == range({n}))": 0.1,
        "({set}.isdisjoint({ints}))": 0.1, "(type({item}) is type({item}))": 0.2, "({plain} in {dict}.values())": 0.2,
        "({item} is None)": 0.3, "({float}).is_integer()": 0.3, "callable({item})": 0.1},
    "str": {
        "{formatted}": 6, "({str} + {str})": 2, "{str} * {n}": 1, "str({item})": 2, "repr({item})": 2, "{str}[{n}]": 1,
        "{str}[{slice}]": 2, "{method}": 5, "{percent}": 1.5, "chr({m})": 0.4, "hex({int})": 0.4, "bin({int})": 0.4,
        "oct({int})": 0.2, "type({item}).__name__": 0.5, "format({float}, '{float_spec}')": 1,
        "format({int}, '{spec}')": 2, "format({float}, '{spec}')": 2, "format({text}, '{spec}')": 1,
        "'{field_percent}' % ({plain},)": 2, "'{field_percent} {field_percent}' % ({plain}, {plain})": 1,
        "str({list})": 0.5, "repr({dict})": 0.5, "str(sorted({set}, key=str))": 0.3, "f'{{({number}):{{({m} % 12)}}.{{{k}}}f}}'": 0.5,
        "f'{{({number}):>{{({m} % 12)}}}}|'": 0.3, "f'{{({int})!r:>6}} {{{n} + 1=}}'": 0.3, "min({text}, {text})": 0.3,
        "''.join(sorted({str}))": 0.4, "''.join([c for c in {str} if c.isalpha()])": 0.3, "repr({tuple})": 0.4,
        "{str}[::-1]": 0.4, "'%(a)s %(b)s' % dict(a={item}, b={item})": 0.3, "'%s' % {item}": 0.4,
        "'%*d' % ({n}, {int})": 0.2, "str({item}) + {text}": 0.4, "({str} + {item})": 0.3, "({item} * {str})": 0.1,
        "' '.join(str(x) for x in {list})": 0.5, "str(type({item}))": 0.3, "str(range({n}, {m}))": 0.2,
        "repr(slice({n}, None))": 0.05, "str(None)": 0.1, "({text} or {text})": 0.2, "hex({item})": 0.1,
        "chr({int})": 0.2, "{text}.format({item}, {item})": 0.2, "str({dict}.keys())": 0.2, "str({dict}.items())": 0.2,
        "max({str}, default='')": 0.3, "''.join(reversed({str}))": 0.4, "ascii({str})": 0.3},
    "list": {
        "list(range({m} % 6))": 2, "list(range({m} % 6, {n}, -1))": 0.5, "({list} + {ints})": 1, "{list} * 2": 0.5,
        "sorted({ints})": 1, "sorted({list})": 0.5, "{list}[{slice}]": 2, "[i * {number} for i in range({m} % 6)]": 2,
        "[x for x in {list} if x]": 1, "list(reversed({list}))": 0.7, "list(enumerate({list}))": 1,
        "list(zip({list}, {ints}))": 1, "{text}.split({text})": 1, "list(map(str, {list}))": 0.7, "list({text})": 1,
        "[*{list}, {n}]": 0.7, "list({dict}.items())": 0.7, "[[i, j] for i in range(3) for j in range(i)]": 0.3,
        "sorted({ints}, key=lambda v: -v)": 0.7, "sorted({ints}, reverse=True)": 0.4, "list(filter(None, {list}))": 0.4,
        "tuple({list})": 0.7, "({item}, {item})": 1, "({item},)": 0.5, "[{item} for _ in range(2)]": 0.5,
        "list(divmod({m}, 3))": 0.3, "{tuple}": 2, "sorted({set}, key=str)": 0.5, "sorted({str})": 0.3, "sorted({set}, key=str, reverse=True)": 0.3,
        "[[x, y] for x in {ints} for y in {ints} if x != y]": 0.3, "[x if x else None for x in {list}]": 0.3,
        "list(zip({list}, {str}))": 0.3, "list(map(lambda x, y: (x, y), {list}, {ints}))": 0.3, "sorted({dict})": 0.3,
        "list({dict}.values())": 0.3, "list(enumerate({str}, {n}))": 0.3, "[*range({n}), *{str}]": 0.3,
        "list(zip(*[{ints}, {ints}]))": 0.3, "{list}[{item}]": 0.2, "list({item})": 0.3, "sorted({item})": 0.1,
        "{list}.copy()": 0.2, "list(range({int} % 50, {n}, {n}))": 0.3, "range({m})[{slice}]": 0.2,
        "sorted({list}, key=str, reverse={bool})": 0.4, "sorted({list}, key=lambda x: (type(x).__name__, str(x)))": 0.3,
        "list(reversed({tuple}))": 0.2, "[x for x in {str}][{slice}]": 0.2, "[i for i, x in enumerate({list}) if x]": 0.3,
        "({list} * {n})": 0.3, "({list} + {item})": 0.2, "list({str}.split())": 0.2, "[] or {list}": 0.1,
        "[[]] * {k}": 0.1, "[list(range(i)) for i in range({k})]": 0.2, "list(filter(lambda x: x, {list}))": 0.3,
        "list(dict.fromkeys({list}))": 0.3, "[(k, v) for k, v in {dict}.items()]": 0.3, "max([{list}, {list}])": 0.1},
    "tuple": {
        "tuple({list})": 1, "({item}, {item})": 2, "({item},)": 1, "()": 0.3, "({tuple} + {tuple})": 1,
        "{tuple}[{slice}]": 1, "{tuple} * {n}": 0.5, "tuple(x for x in {list})": 0.5, "divmod({number}, {number})": 0.5,
        "tuple({str})": 0.3, "tuple(sorted({ints}))": 0.3, "{text}.partition({text})": 0.4, "(*{list}, {item})": 0.4},
    "set": {
        "set({ints})": 2, "{{{int}, {int}}}": 1, "({set} | {set})": 1, "({set} & {set})": 1, "({set} - {set})": 1,
        "({set} ^ {set})": 0.7, "{{x % 5 for x in {ints}}}": 0.7, "set(range({n}, {m} % 12))": 0.7,
        "{set}.union({ints})": 0.3, "{set}.intersection({ints}, {ints})": 0.3, "{set}.difference({ints})": 0.3,
        "{set}.symmetric_difference({ints})": 0.3, "{set}.copy()": 0.2},
    "dict": {
        "dict(a={item}, b={item})": 1, "dict(zip('abc', {ints}))": 1, "dict(enumerate({text}))": 0.5,
        "dict([({text}, {item})])": 0.5, "{{k: v for k, v in {dict}.items() if v}}": 0.6, "({dict} | {dict})": 0.5,
        "dict.fromkeys({list}, {item})": 0.5, "{{v: k for k, v in {dict}.items()}}": 0.4, "{{**{dict}, 'z': {item}}}": 0.5,
        "{{i: i * i for i in {ints}}}": 0.5, "{{{plain}: {list}}}": 0.5, "{dict}.copy()": 0.3, "dict({list})": 0.2,
        "dict(sorted({dict}.items()))": 0.3, "{{({int}, {int}): {item}}}": 0.3, "dict({dict}, a={item})": 0.3,
        "{{c: {str}.count(c) for c in {text}}}": 0.3}}


class Python:
    """Expressions by type; `depth` bounds how far they nest."""

    def __init__(self, maker):
        self.maker, self.depth, self.bound = maker, 2, {kind: [] for kind in EXPRESSIONS}

    def __getitem__(self, kind):
        """What stands for {kind} in a template."""
        return self.expression(kind) if kind in EXPRESSIONS else getattr(self, kind)()

    def fill(self, template):
        return template.format_map(self)

    def expression(self, kind):
        maker = self.maker
        if maker.chance(0.02):
            kind = maker.one_of(kind for kind in EXPRESSIONS if kind != "set")  # what does not fit
        if self.bound[kind] and maker.chance(0.3):
            return maker.one_of(self.bound[kind])
        if self.depth <= 0 or maker.chance(0.15):
            return getattr(self, "plain_" + kind)()
        self.depth -= 1
        source = self.fill(maker.weighted(EXPRESSIONS[kind]))
        self.depth += 1
        return source

    # ---- what needs no other ----

    def plain_int(self):
        return self.maker.one_of(INTS)

    def plain_float(self):
        return self.maker.one_of(FLOATS)

    def plain_bool(self):
        return self.maker.one_of(("True", "False"))

    def plain_str(self):
        return self.maker.one_of(TEXTS)

    def plain_list(self):
        return "[" + ", ".join(self.plain() for _ in range(self.maker.rng.randint(0, 4))) + "]"

    def plain_dict(self):
        keys = (self.maker.one_of((self.maker.one_of(TEXTS), self.maker.one_of(INTS)))
                for _ in range(self.maker.rng.randint(0, 3)))
        return "{" + ", ".join(f"{key}: {self.plain()}" for key in keys) + "}"

    def plain_tuple(self):
        return "(" + "".join(self.plain() + ", " for _ in range(self.maker.rng.randint(0, 3))) + ")"

    def plain_set(self):
        return "set(" + self.ints() + ")"

    text = plain_str

    def plain(self):
        return self.maker.one_of((self.maker.one_of(INTS), self.maker.one_of(FLOATS), self.maker.one_of(TEXTS)))

    def ints(self):
        return "[" + ", ".join(self.maker.one_of(INTS) for _ in range(self.maker.rng.randint(0, 4))) + "]"

    def n(self):
        return str(self.maker.rng.randint(-3, 4))

    def k(self):
        return str(self.maker.rng.randint(0, 4))

    def base(self):
        return self.maker.one_of(("10", "16", "2", "8", "0", "36", "1", "37"))

    def m(self):
        return str(self.maker.rng.randint(0, 400))

    def slice(self):
        ends = [str(self.maker.rng.randint(-4, 5)) if self.maker.chance(0.6) else "" for _ in range(2)]
        step = ":" + self.maker.one_of(("1", "2", "-1", "-2", "0", "3")) if self.maker.chance(0.3) else ""
        return ":".join(ends) + step

    # ---- what is made of others ----

    def number(self):
        return self.expression(self.maker.weighted({"int": 5, "float": 4, "bool": 1}))

    def item(self):
        if self.maker.chance(0.03):
            return "None"
        return self.expression(self.maker.weighted({"int": 5, "float": 3, "str": 4, "bool": 1, "list": 1, "tuple": 0.5,
                                                    "dict": 0.3}))

    def method(self):
        name = self.maker.one_of(METHODS)
        if isinstance(METHODS[name], tuple):
            return f"{self['str']}.{name.strip()}({self.fill(self.maker.one_of(METHODS[name]))})"
        if METHODS[name] == "int":
            return f"{self['str']}.{name}({self.maker.rng.randint(0, 12)})"
        if name == "join":
            return f"{self.text()}.join([{self['str']}, {self.text()}])"
        return f"{self['str']}.{name}({', '.join(self.text() for _ in range(METHODS[name]))})"

    def field(self):
        """What stands between the braces of an f-string: without quotes, backslashes and braces of its own."""
        kind = self.maker.one_of(SPECS)
        value = self.expression(kind)
        if any(sign in value for sign in "'\"\\{"):
            value = self.maker.one_of(FLOATS[:5])
        ending = self.maker.weighted({f":{self.maker.one_of(SPECS[kind])}": 4, f":{self.spec()}": 3, "": 3, "!r": 1,
                                      "=": 0.5, "!s:>8": 0.3, "!a": 0.2, f"=:{self.spec()}": 0.3})
        return "{(" + value + ")" + ending + "}"

    def formatted(self):
        if self.maker.chance(0.25):
            named = f", k={self.maker.one_of((self.plain(), self.n()))}" if self.maker.chance(0.3) else ""
            return f"'{self.maker.one_of(FORMS)}'.format({self.plain()}, {self['item']}{named})"
        return "f'" + " ".join(self.field() for _ in range(self.maker.rng.randint(1, 3))) + "'"

    def spec(self):
        """[[fill]align][sign][z][#][0][width][grouping][.precision][type], most parts left out."""
        def part(probability, choices):
            return self.maker.one_of(choices) if self.maker.chance(probability) else ""
        fill = part(0.3, "*0- x+é,") if self.maker.chance(0.5) else ""
        align = part(1 if fill else 0.3, "<>^=")
        return (fill + align + part(0.2, "+- ") + part(0.05, "z") + part(0.15, "#") + part(0.2, "0")
                + part(0.5, ("1", "5", "8", "12", "20")) + part(0.2, ",_") + part(0.4, (".0", ".1", ".2", ".3", ".8", "."))
                + part(0.7, "ddfffeegg%sxbonXEGFcr"))

    def field_percent(self):
        """%[flags][width][.precision]type"""
        rng = self.maker.rng
        flags = "".join(self.maker.one_of("-+ #0") for _ in range(rng.choice((0, 0, 0, 1, 2))))
        width, precision = rng.choice(("", "", "3", "8")), rng.choice(("", "", ".0", ".2", ".", ".10"))
        return "%" + flags + width + precision + self.maker.one_of("ddiuoxXeEfFgGcrsas%l")

    def float_spec(self):
        return self.maker.one_of(FLOAT_SPECS)

    def percent(self):
        form, kind = self.maker.one_of(PERCENTS)
        return f"'{form}' % ({self.expression(kind)},)"

    # ---- for statements ----

    def a_list(self):
        return self.expression("list")

    def a_dict(self):
        return self.expression("dict")

    def a_bool(self):
        return self.expression("bool")

    def a_str(self):
        return self.text()

    def an_int(self):
        return self.expression("int")

    def exception(self):
        return self.maker.one_of(("ValueError", "KeyError", "RuntimeError"))

    def bind(self):
        kind = self.maker.weighted({"int": 4, "float": 4, "str": 5, "list": 4, "dict": 2, "bool": 1.5, "tuple": 1.5,
                                    "set": 1})
        name = self.maker.bind(self.expression(kind))
        if name:
            self.bound[kind].append(name)
            # The order of a set depends on what was in CPython's table before.
            self.maker.do(f"print(sorted({name}, key=str))" if kind == "set" else self.maker.one_of((f"print({name})", f"print(repr({name}), type({name}).__name__)",
                                             f"print([{name}])", f"print(f'{{{name}}}|{{{name}!r}}')")))

    def change(self):
        """A statement that changes a list or a dict."""
        names = {"list": self.maker.one_of(self.bound["list"] or ["[1]"]),
                 "dict": self.maker.one_of(self.bound["dict"] or ["{}"]),
                 "set": self.maker.one_of(self.bound["set"] or ["set()"])}
        template = self.maker.one_of(CHANGES)
        for kind, name in names.items():
            template = template.replace("{" + kind + "}", name.replace("{", "{{").replace("}", "}}"))
        self.maker.do(self.fill(template))
        self.maker.do(f"print({names['list']}, {names['dict']}, sorted({names['set']}, key=str))")

    def block(self):
        self.maker.do(self.fill(self.maker.one_of(BLOCKS)).lstrip("\n"))


def python_program(maker):
    python = Python(maker)
    maker.telling = "repr(error)"
    for _ in range(maker.rng.randint(1, 4)):
        maker.weighted({python.bind: 6, python.change: 2.5, python.block: 1.5})()
