# Every method of str, and what operators do with strings.

# case: split
print("a b  c".split(), "a,b,,c".split(","), " a b ".split(" "), "a,b,c".split(",", 1), "".split(), "".split(","))
# expect: ['a', 'b', 'c'] ['a', 'b', '', 'c'] ['', 'a', 'b', ''] ['a', 'b,c'] [] ['']
print("a--b--c".split("--"), "a b c d".split(maxsplit=2), "a\tb\nc".split(), "a,b".split(sep=","))
# expect: ['a', 'b', 'c'] ['a', 'b', 'c d'] ['a', 'b', 'c'] ['a', 'b']

# case: split: empty separator
"abc".split("")  # expect error[ValueError]: empty separator

# case: rsplit
print("a,b,c".rsplit(",", 1), "a b c".rsplit(maxsplit=1), "a b".rsplit(), "path/to/x".rsplit("/", 1)[-1])
# expect: ['a,b', 'c'] ['a b', 'c'] ['a', 'b'] x

# case: join
print(", ".join(["a", "b"]), "".join("abc"), "-".join(str(i) for i in range(3)), "x".join([]), "x".join(["a"]))
# expect: a, b abc 0-1-2  a
print(" ".join({"k": 1, "l": 2}), "|".join(map(str, (1, 2.5, None))))  # expect: k l 1|2.5|None

# case: join: not a string
", ".join(["a", 1])  # expect error[TypeError]: sequence item 1: expected str instance, int found

# case: join: not iterable
",".join(5)  # expect error[TypeError]: can only join an iterable

# case: lower, upper, title, capitalize
print("Hello World".lower(), "Hello".upper(), "hello wORLD".title(), "hELLO wORLD".capitalize(), repr("".title()))
# expect: hello world HELLO Hello World Hello world ''

# case: swapcase and casefold
print("Hello".swapcase(), "HeLLo".casefold())  # expect: hELLO hello
print("Straße".casefold(), "ΣΊΣΥΦΟΣ".casefold(), "ﬁ".casefold())  # expect: strasse σίσυφοσ fi

# case: strip, lstrip, rstrip
print(repr("  a b \n".strip()), repr("  a ".lstrip()), repr("  a ".rstrip()), "xxaxx".strip("x"), "abcba".strip("ab"))
# expect: 'a b' 'a ' '  a' a c
print("www.x.com".lstrip("w."), "1.500".rstrip("0"), "a\n".rstrip("\n"), repr("".strip()))  # expect: x.com 1.5 a ''

# case: strip: not a string
"a".strip(1)  # expect error[TypeError]: strip arg must be None or str

# case: removeprefix and removesuffix
print("test_x".removeprefix("test_"), "x".removeprefix("y"), "a.py".removesuffix(".py"), "a".removesuffix(""))
# expect: x x a a

# case: replace
print("a-b-c".replace("-", "+"), "aaa".replace("a", "b", 2), "ab".replace("", "."), "abc".replace("x", "y"))
# expect: a+b+c bba .a.b. abc

# case: startswith and endswith
print("hello".startswith("he"), "hello".startswith("l", 2), "a.py".endswith((".md", ".py")), "a".endswith(""), "".startswith("a"))
# expect: True True True True False

# case: startswith: not a string
"a".startswith(1)  # expect error[TypeError]: startswith first arg must be str or a tuple of str, not int

# case: format
print("{:>5}".format("ab"), "{}".format([1]), "{0}{0}".format("x"))  # expect:    ab [1] xx

# case: count
print("banana".count("a"), "banana".count("an"), "aaa".count("aa"), "abc".count(""), "banana".count("a", 2), "a".count("b"))
# expect: 3 2 1 4 2 0

# case: what is nearly there at each place takes time with the length alone
near = 'ab' * 10 ** 6
print(near.find('ba' * 5 * 10 ** 5 + 'c'), 'a' * 10 ** 5 + 'b' in near, near.count('ab' * 10 ** 5), near.find('b' + 'ab' * 10))  # expect: -1 False 10 1

# case: find and rfind
print("banana".find("an"), "banana".rfind("an"), "banana".find("x"), "banana".find("a", 2), "banana".find("a", 2, 3), "".find(""))
# expect: 1 3 -1 3 -1 0

# case: index and rindex
print("banana".index("n"), "banana".rindex("n"), "banana".index("a", -1))  # expect: 2 4 5

# case: index: not found
"abc".index("x")  # expect error[ValueError]: substring not found

# case: rindex: not found
"abc".rindex("x")  # expect error[ValueError]: substring not found

# case: isdigit, isalpha, isalnum, isspace
print("123".isdigit(), "12a".isdigit(), "".isdigit(), "abc".isalpha(), "a1".isalpha(), "a1".isalnum(), "a b".isalnum(), " \t".isspace())
# expect: True False False True False True False True
print("한글".isalpha(), "-1".isdigit(), "1.5".isdigit(), "é".isalpha())  # expect: True False False True

# case: isupper and islower
print("ABC".isupper(), "aBC".isupper(), "abc1".islower(), "1".islower(), "".isupper())
# expect: True False True False False

# case: isnumeric, isdecimal, isidentifier, istitle
print("12".isnumeric(), "12".isdecimal(), "a1".isidentifier(), "1a".isidentifier(), "Hello World".istitle(), "Hello world".istitle())
# expect: True True True False True False
print([text.isdecimal() for text in ("٣", "²", "½")], [text.isdigit() for text in ("٣", "²", "½")], [text.isnumeric() for text in ("٣", "²", "½")])  # expect: [True, False, False] [True, True, False] [True, True, True]

# case: ljust, rjust, center
print(repr("ab".ljust(5)), repr("ab".rjust(5)), repr("ab".center(5)), "ab".center(6, "*"), "ab".ljust(5, "."), "abc".rjust(2))
# expect: 'ab   ' '   ab' '  ab ' **ab** ab... abc
print("a".center(4, "-"), "ab".center(5, "-"), "abc".center(6, "-"), "".center(3, "-"))  # expect: -a-- --ab- -abc-- ---

# case: ljust: fill of two characters
"a".ljust(5, "xy")  # expect error[TypeError]: The fill character must be exactly one character long

# case: zfill
print("42".zfill(5), "-42".zfill(5), "+1".zfill(4), "abc".zfill(2), "".zfill(2))  # expect: 00042 -0042 +001 abc 00

# case: splitlines
print("a\nb\r\nc".splitlines(), "a\nb\n".splitlines(True), "".splitlines(), "a\n\nb".splitlines(), "a".splitlines(keepends=True))
# expect: ['a', 'b', 'c'] ['a\n', 'b\n'] [] ['a', '', 'b'] ['a']

# case: partition and rpartition
print("a=b=c".partition("="), "a=b=c".rpartition("="), "abc".partition("="), "abc".rpartition("="))
# expect: ('a', '=', 'b=c') ('a=b', '=', 'c') ('abc', '', '') ('', '', 'abc')

# case: expandtabs
print("a\tb".expandtabs(4))  # expect: a   b

# case: encode
print("abc".encode())  # expect: b'abc'

# case: unbound methods of str
print(list(map(str.upper, ["a", "b"])), str.lower("ABC"), sorted(["b", "A"], key=str.lower), str.strip(" a "))
# expect: ['A', 'B'] abc ['A', 'b'] a

# case: indexing and slices
s = "hello"
print(s[0], s[-1], s[1:3], s[:2], s[2:], s[::-1], s[::2], s[-3:-1], s[10:], s[3:1], s[:-1], s[4:0:-2])
# expect: h o el he llo olleh hlo ll   hell ol

# case: indexing out of range
"abc"[5]  # expect error[IndexError]: string index out of range

# case: indexing with a string
"abc"["a"]  # expect error[TypeError]: string indices must be integers, not 'str'

# case: assignment to a character
s = "abc"
s[0] = "x"  # expect error[TypeError]: 'str' object does not support item assignment

# case: deleting a character
s = "abc"
del s[0]  # expect error[TypeError]: 'str' object doesn't support item deletion

# case: operators
print("a" + "b", "ab" * 3, 2 * "x", "a" * 0, "a" * -1, "a" < "b", "B" < "a", "abc" < "abd", "" < "a", "a" == "a")
# expect: ab ababab xx   True True True True True
print("an" in "banana", "" in "a", "x" not in "abc", "10" < "9", len("한글"), len(""), "a" != "b", max("a", "b"))
# expect: True True True True 2 0 True b

# case: in: not a string
1 in "abc"  # expect error[TypeError]: 'in <string>' requires string as left operand, not int

# case: multiply by a float
"a" * 1.5  # expect error[TypeError]: can't multiply sequence by non-int of type 'float'

# case: multiply strings
"a" * "b"  # expect error[TypeError]: can't multiply sequence by non-int of type 'str'

# case: iteration
for c in "ab":
    print(c)
# expect: a
# expect: b
print(list("한글"), tuple("ab"), sorted("banana"), list(reversed("abc")), [c.upper() for c in "xy"], set("aaa"))
# expect: ['한', '글'] ('a', 'b') ['a', 'a', 'a', 'b', 'n', 'n'] ['c', 'b', 'a'] ['X', 'Y'] {'a'}

# case: repr
print(repr("a"), repr("it's"), repr('say "hi"'), repr("it's \"x\""), repr("a\nb\t\\"), repr("\x00\x1b"), repr("é한"), repr(""))
# expect: 'a' "it's" 'say "hi"' 'it\'s "x"' 'a\nb\t\\' '\x00\x1b' 'é한' ''

# case: str()
print(str(5), str(1.0), str(None), str([1, "a"]), str("a"), str(True), str(), str({"a": 1}), str((1,)), str(int))
# expect: 5 1.0 None [1, 'a'] a True  {'a': 1} (1,) <class 'int'>

# case: no such method
"abc".push("d")  # expect error[AttributeError]: 'str' object has no attribute 'push'

# case: too many arguments
"abc".upper(1)  # expect error[TypeError]: str.upper() takes no arguments (1 given)

# case: keyword that is not taken
"abc".upper(x=1)  # expect error[TypeError]: str.upper() takes no keyword arguments

# case: too few arguments
"abc".replace("a")  # expect error[TypeError]: replace expected at least 2 arguments, got 1

# case: unicode
text = "héllo 한국 😀"
print(len(text), text[1], text[-1], text.upper(), text[::-1], text.split(), text.find("한"), text.index("😀"))
# expect: 10 é 😀 HÉLLO 한국 😀 😀 국한 olléh ['héllo', '한국', '😀'] 6 9

# case: multiplication table of strings
print("=" * 20)  # expect: ====================
print("-" * 5 + ">" + "|".join("abc"))  # expect: ----->a|b|c

# case: doc string
def f():
    """Adds.

    More."""
print(f.__doc__)
# expect: Adds.
# expect:
# expect:     More.
class C:
    "A class."
print(C.__doc__, (lambda: 0).__doc__)  # expect: A class. None

# case: isascii and isprintable
print("ab".isascii(), "é".isascii(), "".isascii(), "a b".isprintable(), "a\n".isprintable(), "".isprintable(), "\u200b".isprintable())
# expect: True False True True False True False

# case: a text that would be too long
"ab" * (2**62)  # expect error[OverflowError]: repeated string is too long

# case: isidentifier beyond ASCII
print("e\u0301x".isidentifier(), "a²".isidentifier(), "é1".isidentifier(), "1a".isidentifier(), "_".isidentifier(), "a\u203f".isidentifier())
# expect: True False True False True True

# case: chr beyond an int of C
chr(2**31)  # expect error[OverflowError]: Python int too large to convert to C int

# case: splitlines: keepends is a number
"a".splitlines([])  # expect error[TypeError]: 'list' object cannot be interpreted as an integer

# case: characters and parts of texts with letters of one and of two bytes
for s in ["héllo", "hello"]:
    print(s[1], s[-1], s[1:3], s[::2], s[::-1], s[3:1] == "", s[4:99], s[-99:2])
# expect: é o él hlo olléh True o hé
# expect: e o el hlo olleh True o he
print("ab" * 3, "é" * 2, "ab" * 0 == "", "ab" * -1 == "")  # expect: ababab éé True True

# case: places in a text that is looked through in pieces
x = "a" * 70000 + "b" + "a" * 70000 + "b"
print(x.find("b"), x.rfind("b"), x.find("ba"), x.rfind("ba"), x.find("c"), x.rfind("c"))  # expect: 70000 140001 70000 70000 -1 -1
print(x.find("", 140002), x.rfind(""), x.count("ab"), "ab" in x, len(x.replace("b", "cc")))  # expect: 140002 140002 2 True 140004
print("".rfind(""), "".find(""), "ab".rfind("abc"), "ab".find("abc"))  # expect: 0 0 -1 -1
y = "é" * 70000 + "b"
print(len(y), y.find("b"), y.rfind("é"), y.count("é"), len(y.split("é")))  # expect: 70001 70000 69999 70000 70001

# case: translate
print("abca".translate(str.maketrans("ab", "xy", "c")), "é".translate(str.maketrans({"é": "e"})))  # expect: xyx e

# case: places in long texts, of one byte each and of more
for unit in 'ab', 'a\u00e9\ud55c\U0001f600':
    text = unit * 300
    print(len(text), text[257] == unit[257 % len(unit)], text[-1], text[255:259], text[-5:-2], text[599:601], text[::200])
    print(text.find(unit, 300), text.index('a', 511), text.startswith(unit[1], 513), text.count('a', 100, 200))
    text += unit
    print(len(text), text[len(text) - 1] == unit[-1], text[10 ** 6:], text[5:2])
raw = bytes(range(256)) * 3
print(len(raw), raw[300], raw[700:703])
# expect: 600 True b baba bab b aaa
# expect: 300 512 True 50
# expect: 602 True  
# expect: 1200 True 😀 😀aé한 😀aé 😀a aaaaaa
# expect: 300 512 True 25
# expect: 1204 True  
# expect: 768 44 b'\xbc\xbd\xbe'
