# f-strings: conversions, quotes, expressions in fields.
import math
import torch

# case: conversions
name = "Ann's"
print(f"{name!r} {name!s} {name!r:>10}| {name!a} {'한'!a} {[1, 'a']!r} {None!r:>6}|")
# expect: "Ann's" Ann's    "Ann's"| "Ann's" '\ud55c' [1, 'a']   None|

# case: equals sign
x, y = 3, [1, 2]
print(f"{x=} {y=} {x + 1 = } {x=:>5} {y=!s} {math.pi=:.2f} {'a'=}")
# expect: x=3 y=[1, 2] x + 1 = 4 x=    3 y=[1, 2] math.pi=3.14 'a'='a'

# case: expressions
d = {"key": [1, 2, 3]}
print(f"{d['key'][0] + 1} {len(d)} {'yes' if d else 'no'} {[i for i in range(3)]} {(lambda v: v * 2)(4)} { {1: 2}[1] }")
# expect: 2 1 yes [0, 1, 2] 8 2

# case: braces
print(f"{{}} {{{5}}} {{x}} }}{{")  # expect: {} {5} {x} }{

# case: joined strings
a = 1
print("a" f"{a}" 'b' "{a}" f'{a}')  # expect: a1b{a}1

# case: over several lines
text = f"""first {1 + 1}
second {"x" * 3}
"""
print(text)
# expect: first 2
# expect: second xxx
# expect:

# case: raw
n = 5
print(rf"\d{n}\n", fr'{n}\t', r"\n", R"a\b")  # expect: \d5\n 5\t \n a\b

# case: escapes
print("tab\tend", "new\nline", "\x41\u00e9\U0001F600", '\'', "\"", "back\\slash", "\101")
# expect: tab	end new
# expect: line Aé😀 ' " back\slash A

# case: tensor fields
t = torch.tensor([1.0, 2.0])
s = torch.tensor(3.14159)
print(f"{t} {t.shape} {t.dtype} {s:.2f} {s} {s.item():.3f} {t.sum():.1f} {tuple(t.shape)} {t.mean().item():.4f}")
# expect: tensor([1., 2.]) torch.Size([2]) torch.float32 3.14 3.141590118408203 3.142 3.0 (2,) 1.5000

# case: tensor with a format
t = torch.tensor([1.0, 2.0])
f"{t:.2f}"  # expect error[TypeError]: unsupported format string passed to Tensor.__format__

# case: object with its own format
class Money:
    def __init__(self, cents): self.cents = cents
    def __format__(self, spec): return f"<{self.cents}|{spec}>"
print(f"{Money(5)} {Money(7):abc}", format(Money(1), "x"), "{:y}".format(Money(2)))  # expect: <5|> <7|abc> <1|x> <2|y>

# case: object without its own format
class Plain:
    def __str__(self): return "plain"
print(f"{Plain()} {Plain()!s:>7}")  # expect: plain   plain

# case: object without its own format, with a specification
class Plain:
    def __str__(self): return "plain"
f"{Plain():>7}"  # expect error[TypeError]: unsupported format string passed to Plain.__format__

# case: name that is not defined
f"{missing}"  # expect error[NameError]: name 'missing' is not defined

# case: nested quotes
print(f"{'a'}", f"{'x y'.split()[0]}", f'{"q"}')  # expect: a x q

# case: implicit string concatenation over lines
text = ("one "
        f"{1 + 1} "
        "three")
print(text)  # expect: one 2 three

# case: calls in fields
values = [0.1, 0.25]
print(f"mean {sum(values) / len(values):.3f}, all {', '.join(f'{v:.1f}' for v in values)}")
# expect: mean 0.175, all 0.1, 0.2

# case: lambda and colon
print(f"{(lambda: 5)()} {3:>{2 + 3}} {dict(a=1)['a']:03d}")  # expect: 5     3 001

# case: negative zero can be left out
print(f"{-0.001:z.1f} {-0.0:z} {-1e-9:z.2e} {-0.04:+z.1f}")  # expect: 0.0 0.0 -1.00e-09 +0.0

# case: zeros behind a text
print(f"{'ab':05}|{'ab':>05}|")  # expect: ab000|000ab|

# case: z is for floats
f"{3:z}"  # expect error[ValueError]
