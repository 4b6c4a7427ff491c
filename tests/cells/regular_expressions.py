# Regular expressions: searching, replacing, splitting; patterns as Python writes them.
import re

# case: search, match, fullmatch
m = re.search(r"(\w+) (\w+)", "  the cat sat")
print(m, m.group(), m.group(1), m.group(1, 2), m[2], m.groups(), m.start(), m.end(2), m.span(1))
# expect: <re.Match object; span=(2, 9), match='the cat'> the cat the ('the', 'cat') cat ('the', 'cat') 2 9 (2, 5)
print(re.match("a", "ba"), re.match("a", "ab"), re.fullmatch("ab?", "ab"), re.fullmatch("a", "ab"), re.search("x", "ab"))
# expect: None <re.Match object; span=(0, 1), match='a'> <re.Match object; span=(0, 2), match='ab'> None None
m = re.match(r"(?P<year>\d+)-(?P<month>\d+)(-\d+)?", "2017-06")
print(m.group("year"), m["month"], m.groupdict(), m.groups(), m.groups("?"), m.group(3), m.span(3), m.lastindex)
# expect: 2017 06 {'year': '2017', 'month': '06'} ('2017', '06', None) ('2017', '06', '?') None (-1, -1) 2
m.group(4)  # expect error[IndexError]: no such group

# case: findall and finditer
print(re.findall(r"\d+", "1 22 x333"), re.findall(r"(\w)(\d)", "a1 b2"), re.findall(r"(\w)\d", "a1 b2"), re.findall("x", ""))
# expect: ['1', '22', '333'] [('a', '1'), ('b', '2')] ['a', 'b'] []
print([m.span() for m in re.finditer("a*", "baac")], re.findall("a*", "baac"), re.findall(r"\w+|[^\w\s]", "Hello, world!"))
# expect: [(0, 0), (1, 3), (3, 3), (4, 4)] ['', 'aa', '', ''] ['Hello', ',', 'world', '!']
print(re.findall("(a)|b", "ab"), re.findall(r"\b\w", "ein Tag im Büro"))  # expect: ['a', ''] ['e', 'T', 'i', 'B']
print(re.findall(r"'s|'t| ?\w+| ?[^\s\w]+|\s+(?!\S)|\s+", "It's  here, isn't it? "))
# expect: ['It', "'s", ' ', ' here', ',', ' isn', "'t", ' it', '?', ' ']

# case: sub
print(re.sub(r"\s+", " ", " a  b\n"), re.sub("a", "b", "aaa", 2), re.sub("a", "b", "aaa", count=1), re.subn("a", "", "banana"))
# expect:  a b  bba baa ('bnn', 3)
print(re.sub(r"(\w)(\w)", r"\2\1-", "abcd"), re.sub(r"(?P<x>a)", r"<\g<x>\g<1>>\n", "a"), re.sub("x*", "-", "abxd"))
# expect: ba-dc- <aa>
# expect:  -a-b--d-
print(re.sub(r"\d", lambda m: str(int(m.group()) + 1), "a1b9"), re.sub(r"([.!?])", r" \1", "Yes. No!"), re.sub("[^a-zA-Z.!?]+", " ", "x, y; 7?"))
# expect: a2b10 Yes . No ! x y ?

# case: split
print(re.split(r"\W+", "one, two;three"), re.split(r"(\W)", "a,b"), re.split(",", "a,b,c", 1), re.split(",", "a,b,c", maxsplit=1))
# expect: ['one', 'two', 'three'] ['a', ',', 'b'] ['a', 'b,c'] ['a', 'b,c']
print(re.split(r"\s*", "ab c"), re.split("x", ""), re.split(r"(a)|b", "1a2b3"), re.split(r"([,.:;?_!\"()\']|--|\s)", "Hello, world."))
# expect: ['', 'a', 'b', '', 'c', ''] [''] ['1', 'a', '2', None, '3'] ['Hello', ',', '', ' ', 'world', '.', '']

# case: patterns
p = re.compile(r"[aeiou]+", re.IGNORECASE)
print(p.findall("AUdio"), p.pattern, p.sub("_", "Aha"), p.search("xyz"), p.split("banana"), p.groups, p.match("xa", 1), p)
# expect: ['AU', 'io'] [aeiou]+ _h_ None ['b', 'n', 'n', ''] 0 <re.Match object; span=(1, 2), match='a'> re.compile('[aeiou]+', re.IGNORECASE)
print(re.compile(p) is p, re.findall("a.c", "a\nc", re.DOTALL), re.findall("^b", "a\nb", re.M), re.search("(?i)B", "ab"), re.findall("a$", "a\n"))
# expect: True ['a\nc'] ['b'] <re.Match object; span=(1, 2), match='b'> ['a']
print(re.findall(r"""
    \d+   # digits [
    | x""", "12x", re.VERBOSE), re.findall(r"\d", "1²٣"), re.findall(r"\d", "1²٣", re.ASCII), re.IGNORECASE | re.DOTALL == 18)
# expect: ['12', 'x'] ['1', '٣'] ['1'] True

# case: classes, escapes and groups as Python writes them
print(re.findall("[[a]", "[a"), re.findall("[]a]", "]a"), re.findall(r"[\w-]+", "a-b c"), re.findall("[\u4e00-\u9fff]", "a中文"))
# expect: ['[', 'a'] [']', 'a'] ['a-b', 'c'] ['中', '文']
print(re.findall(r"\u00e9", "é"), re.findall(r"a\Z", "a\n"), re.findall("a{,2}", "aaa"), re.findall(r"(?:ab)+", "abab"), re.findall(r"\v", "v"))
# expect: ['é'] [] ['aa', 'a', ''] ['abab'] []
print(re.findall(r"(?<=a)b(?!c)", "abcab"), re.findall(r"(a)\1", "aab"), re.findall(r"\[.*?\]", "[x][y]"), re.escape("a.b*c [d]"))
# expect: ['b'] ['a'] ['[x]', '[y]'] a\.b\*c\ \[d\]
print(re.search("é", "caféé").span(), re.search(r"(\w)$", "naïve ü").span(1), re.compile("b").search("éab", 2).start())
# expect: (3, 4) (6, 7) 2

# case: what is no pattern
try:
    re.compile("a**")
except re.error as e:
    print("error")  # expect: error
for pattern in ["(", "[a", r"\q", "(?<x>a)", "*a", "(*FAIL)"]:
    try:
        print(re.findall(pattern, "a"))
    except re.error:
        print("error", pattern)
# expect: error (
# expect: error [a
# expect: error \q
# expect: error (?<x>a)
# expect: error *a
# expect: error (*FAIL)
re.findall("a", 5)  # expect error[TypeError]: expected string or bytes-like object, got 'int'

# case: special tokens
tokens = re.split(r"(<\|endoftext\|>)", "a<|endoftext|>b")
print(tokens, [t for t in re.split(r"(\s+)", "It is  so") if t.strip()])
# expect: ['a', '<|endoftext|>', 'b'] ['It', 'is', 'so']
text = re.sub(r'\s+([,.?!"()\'])', r'\1', "It ' s , she said .")
print(text, re.sub(r"<[^>]+>", "", "<b>x</b>"), re.sub(r"http\S+", "URL", "see http://x.y z"))
# expect: It' s, she said. x see URL z

# case: the last group of a match is the one that closed last
import re
print(re.match(r'(?P<num>\d+(\.\d+)?)', '3.5').lastgroup, re.match(r'((a)(b))', 'ab').lastindex, re.match(r'(a)|(b)', 'b').lastindex)
token = re.compile(r'(?P<number>\d+(\.\d*)?)|(?P<name>[A-Za-z_]\w*)|(?P<op>[-+*/=()\[\]])|(?:\s+)')
print([(m.lastgroup, m.group()) for m in token.finditer('x1 = 3.14*(y+2) [a]')])
# expect: num 1 2
# expect: [('name', 'x1'), (None, ' '), ('op', '='), (None, ' '), ('number', '3.14'), ('op', '*'), ('op', '('), ('name', 'y'), ('op', '+'), ('number', '2'), ('op', ')'), (None, ' '), ('op', '['), ('name', 'a'), ('op', ']')]

# case: lastgroup beside comments in a pattern
import re
number = re.compile(r'''
    (?P<number> \d+ (\. \d*)? )   # a number (3, or 3.5)
  | (?P<name> [a-z] [\w)]* )      # :) a name
''', re.VERBOSE)
print([m.lastgroup for m in number.finditer('3.5 ab 7')], re.match(r'(?x)(a)(?#not (this)b # nor (this', 'ab').lastindex)
print(re.match(r'(?P<x>a(b)?)[)(]', 'ab(').lastgroup, re.match(r'()', '').lastindex, re.match('a', 'a').lastindex)
# expect: ['number', 'name', 'number'] 1
# expect: x 1 None

# case: a compiled pattern whose text is changed
import re
pattern = re.compile("a")
try:
    pattern.__dict__["pattern"] = "("
    pattern.search("a")
except (AttributeError, ValueError): print("refused")
# expect: refused
