# Formatting with % and with str.format.
import torch

# case: percent
print("%d %s %r %f %.2f %e %g" % (5, "a", "a", 1.5, 3.14159, 12345.678, 0.0001))
# expect: 5 a 'a' 1.500000 3.14 1.234568e+04 0.0001
print("%5d|%-5d|%05d|%+d|%x|%X|%o|%c|%%" % (42, 42, 42, 42, 255, 255, 8, "z"))
# expect:    42|42   |00042|+42|ff|FF|10|z|%
print("%10s|%-10s|%.2s|%10.3f|%-8.1f|" % ("abc", "abc", "abc", 3.14159, 2.5))
# expect:        abc|abc       |ab|     3.142|2.5     |
print("%d%%" % 50, "%s" % 5, "%s" % [1, 2], "%s" % None, "%i" % 3.9, "%5.1f%%" % 12.345)
# expect: 50% 5 [1, 2] None 3  12.3%

# case: percent with a mapping
print("%(name)s is %(age)d, %(height).1f" % {"name": "Ann", "age": 30, "height": 1.725})  # expect: Ann is 30, 1.7

# case: percent with a star
print("%*d|%-*d|%.*f" % (5, 42, 5, 42, 2, 3.14159))  # expect:    42|42   |3.14

# case: percent with a tuple inside of a tuple
print("%s" % ((1, 2),), "%s %s" % ("a", (1,)))  # expect: (1, 2) a (1,)

# case: percent with a tensor
print("%.2f %d %s" % (torch.tensor(1.5), torch.tensor(3), torch.tensor([1])))  # expect: 1.50 3 tensor([1])

# case: percent: too few
"%d %d" % (1,)  # expect error[TypeError]: not enough arguments for format string

# case: percent: too many
"%d" % (1, 2)  # expect error[TypeError]: not all arguments converted during string formatting

# case: percent: not a number
"%d" % "a"  # expect error[TypeError]: %d format: a real number is required, not str

# case: percent: float of a string
"%.2f" % "a"  # expect error[TypeError]: must be real number, not str

# case: percent: no fields
"abc" % 5  # expect error[TypeError]: not all arguments converted during string formatting

# case: percent: unknown letter
"%y" % 5  # expect error[ValueError]

# case: percent: incomplete
"abc %" % 5  # expect error[ValueError]: incomplete format

# case: str.format
print("{} {}".format(1, "a"), "{1} {0} {1}".format("x", "y"), "{a} {b}".format(a=1, b=2))  # expect: 1 a y x y 1 2
print("{0.real} {1[0]} {2[key]}".format(5, [7, 8], {"key": "v"}), "{:.2f} {:>5}|".format(3.14159, "a"))
# expect: 5 7 v 3.14     a|
print("{!r} {!s:>4}| {{}} {0}".replace("{0}", "").format("a", "b"), "{:{}}|{:{w}.{p}f}".format(5, 3, 2.5, w=6, p=2))
# expect: 'a'    b| {}    5|  2.50

# case: str.format with unpacking
print("{}-{}".format(*[1, 2]), "{x}".format(**{"x": 3}), "{:,}".format(1234567), "{:%}".format(0.25))
# expect: 1-2 3 1,234,567 25.000000%

# case: str.format with a shape
print("{0.shape} {0.dtype} {1}".format(torch.zeros(2, 3), torch.tensor(1.5)))
# expect: torch.Size([2, 3]) torch.float32 1.5

# case: str.format: too few
"{} {}".format(1)  # expect error[IndexError]: Replacement index 1 out of range for positional args tuple

# case: str.format: unknown name
"{name}".format(other=1)  # expect error[KeyError]: 'name'

# case: str.format: both numberings
"{} {0}".format(1)  # expect error[ValueError]: cannot switch from automatic field numbering to manual field specification

# case: str.format: single brace
"{".format(1)  # expect error[ValueError]: Single '{' encountered in format string

# case: str.format: closing brace
"a}".format(1)  # expect error[ValueError]: Single '}' encountered in format string

# case: str.format: unknown attribute
"{0.size}".format(5)  # expect error[AttributeError]: 'int' object has no attribute 'size'

# case: characters by number
print(f"{65:c}|{12345:c}|{128512:>3c}|", "%c%c%5c|" % (66, 300, "é"))  # expect: A|〹|  😀| BĬ    é|

# case: a character beyond Unicode
f"{-2:c}"  # expect error[OverflowError]: %c arg not in range(0x110000)

# case: a character with a sign
f"{65:+c}"  # expect error[ValueError]

# case: the point is kept by #
print(f"{2.0:#.0f} {2.0:#.0e} {1.5:#g} {1e22:#} {1234567.0:#.2} {2.0:#} {50.0:#.0%}", "%#.0f %#g %#x" % (3, 1.0, 255))
# expect: 2. 2.e+00 1.50000 1.e+22 1.2e+06 2.0 5000.% 3. 1.00000 0xff

# case: a precision without a type
print(format(100.0, ".3"), format(99.0, ".3"), format(1.0, ".1"), format(0.0, ".2"), format(1234567.0, ".10"))
# expect: 1e+02 99.0 1e+00 0.0 1234567.0

# case: widths count code points
print(ascii(f"{'e' + chr(0x301):*^5}|{'e' + chr(0x301):.1}|"), f"{'ab':é>4}|{'a':0>3}|{5:0<3}|{-5: <05}|")
# expect: '*e\u0301**|e|' ééab|00a|500|-5   |

# case: separators that do not fit
for spec in (",x", ",b", ",_d", ",,", "_n", ",c", ",s"):
    try:
        format(5, spec)
    except ValueError as error:
        print(error)
# expect: Cannot specify ',' with 'x'.
# expect: Cannot specify ',' with 'b'.
# expect: Cannot specify both ',' and '_'.
# expect: Cannot specify ',' with ','.
# expect: Cannot specify '_' with 'n'.
# expect: Cannot specify ',' with 'c'.
# expect: Cannot specify ',' with 's'.

# case: formats that do not fit
refused = 0
for value, spec in ((True, "s"), ("a", "#"), ("a", " "), ("a", ","), (5, ".3r"), (5, "xd"), (1.5, "\x01")):
    try:
        format(value, spec)
    except ValueError:
        refused += 1
print(refused)  # expect: 7

# case: percent: digits of an int
print("%.3d|%08.3d|%-6.2d|%#.3x|%+.2d|%.0d|" % (5, 5, 7, 5, 3, 12))  # expect: 005|00000005|07    |0x005|+03|12|

# case: percent: infinity
"%d" % float("inf")  # expect error[OverflowError]: cannot convert float infinity to integer

# case: percent: a float as a character
"%c" % 1.5  # expect error[TypeError]: %c requires int or char

# case: percent: a star that is no int
"%*d" % ("a", 3)  # expect error[TypeError]: * wants int

# case: percent: flags of a percent sign
"%5.1% %d" % (1, 2)  # expect error[ValueError]

# case: percent: an int beyond 64 bits
"%d" % 1e22  # expect error[unsupported]: an int beyond 64 bits

# case: no separators behind an exponent
print(f"{-1.5:,.0E}|{12345.678:_.1E}|{123456789.5:,}|{0.5:,%}")  # expect: -2E+00|1.2E+04|123,456,789.5|50.000000%

# case: separators in front of a percent sign
print(f"{123.4:,.0%}|{float('inf'):,%}|{12.5:,%}|{0.5:012,.0%}")  # expect: 12,340%|inf%|1,250.000000%|000,000,050%

# case: zeros are grouped wherever they fill behind the sign
print(format(1.0, "0=20_f"), format(1234567.5, "*=20_f"), format(0x12d687, "0=20_x"))
# expect: 0_000_000_001.000000 ****1_234_567.500000 0_0000_0000_0012_d687

# case: % with a character that is no type
refused = 0
for text in ("%y", "é%한", "%\x01", "%5.2\U0001F600"):
    try:
        text % 1
    except ValueError:
        refused += 1
print(refused)  # expect: 4

# case: % beside what can be indexed
print("a" % range(3), "a" % [1], "a" % {1: 2})  # expect: a a a
"a" % {1}  # expect error[TypeError]: not all arguments converted during string formatting

# case: what a format of a text does not take
for spec in ('+', ' ', '#', 'z', '=5'):
    try:
        format('a', spec)
    except ValueError as error:
        print(error)
# expect: Sign not allowed in string format specifier
# expect: Space not allowed in string format specifier
# expect: Alternate form (#) not allowed in string format specifier
# expect: Negative zero coercion (z) not allowed in string format specifier
# expect: '=' alignment not allowed in string format specifier
