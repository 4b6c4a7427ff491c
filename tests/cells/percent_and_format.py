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
"%y" % 5  # expect error[ValueError]: unsupported format character 'y' (0x79) at index 1

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
