# Ints, floats and bools: arithmetic, comparison, conversion.

# case: division
print(7 / 2, 6 / 2, -7 / 2)  # expect: 3.5 3.0 -3.5
print(7 // 2, -7 // 2, 7 // -2, -7 // -2)  # expect: 3 -4 -4 3
print(7 % 3, -7 % 3, 7 % -3, -7 % -3)  # expect: 1 2 -2 -1
print(7.5 // 2, -7.5 // 2, 7.5 % 2, -7.5 % 2, 7.5 % -2)  # expect: 3.0 -4.0 1.5 0.5 -0.5
print(1 // 0.3, 1e300 // 1e-10, 5 % 0.7)  # expect: 3.0 inf 0.10000000000000031

# case: divmod
print(divmod(7, 2), divmod(-7, 2), divmod(7.5, 2))  # expect: (3, 1) (-4, 1) (3.0, 1.5)

# case: divmod by zero
divmod(1, 0)  # expect error[ZeroDivisionError]: integer division or modulo by zero

# case: power
print(2 ** 10, 2 ** -1, 2 ** 0.5, (-2) ** 3, -2 ** 2, 2 ** 3 ** 2)  # expect: 1024 0.5 1.4142135623730951 -8 -4 512
print(0 ** 0, 0.0 ** 0, 10 ** 18, 1.5 ** 2)  # expect: 1 1.0 1000000000000000000 2.25

# case: pow
print(pow(2, 10), pow(2.0, 3), pow(3, 4, 5), pow(2, 100, 7))  # expect: 1024 8.0 1 2

# case: bit operators
print(6 & 3, 6 | 3, 6 ^ 3, ~6, 1 << 10, 1024 >> 3, -1 >> 1)  # expect: 2 7 5 -7 1024 128 -1
print(True & False, True | False, True ^ True, True & 1, ~True)  # expect: False True False 1 -2

# case: negative shift
1 << -1  # expect error[ValueError]: negative shift count

# case: bools are ints
print(True + True, True * 3, sum([True, False, True]), True == 1, True is 1 == False)  # expect: 2 3 2 True False
print(isinstance(True, int), type(True + 1).__name__, int(True), float(False))  # expect: True int 1 0.0

# case: chained comparison
x = 5
print(1 < x < 10, 1 < x > 3, 1 < x < 4, 0 < 1 == True, 1 == 1.0 == True)  # expect: True True False True True

# case: chained comparison evaluates the middle once
def middle():
    print("middle")
    return 5
print(1 < middle() < 10)
# expect: middle
# expect: True
print(10 < middle() < middle())
# expect: middle
# expect: False

# case: mixed comparison of ints and floats
print(1 == 1.0, 1 < 1.5, 2**53 == 2.0**53, 2**53 + 1 == 2.0**53, 2**53 + 1 > 2.0**53)
# expect: True True True False True

# case: float texts
print(1e16, 1e15, 123456789012345678.0, 1e-4, 1e-5, 0.0001234, 1.0, 100.0, 1e22, 1e100)
# expect: 1e+16 1000000000000000.0 1.2345678901234568e+17 0.0001 1e-05 0.0001234 1.0 100.0 1e+22 1e+100
print(0.1 + 0.2, 1 / 3, 2 / 3, -0.0, 0.1, 3.14, 1e-300, 5e-324, 1.7976931348623157e308)
# expect: 0.30000000000000004 0.3333333333333333 0.6666666666666666 -0.0 0.1 3.14 1e-300 5e-324 1.7976931348623157e+308

# case: infinities and nan
inf, nan = float("inf"), float("nan")
print(inf, -inf, nan, inf - inf, inf > 10**18, nan == nan, nan != nan, nan < 1)
# expect: inf -inf nan nan True False True False
print(float("-Infinity"), float("NaN"), float("1e400"), [nan], inf * 0)  # expect: -inf nan inf [nan] nan

# case: rounding half to even
print(round(0.5), round(1.5), round(2.5), round(-0.5), round(-1.5), round(2.675, 2), round(1.25, 1))
# expect: 0 2 2 0 -2 2.67 1.2
print(round(7), round(3.14159, 2), round(3.14159, 0), round(1234, -2), round(1250, -2), round(True))
# expect: 7 3.14 3.0 1200 1200 1

# case: round to tens of a float
print(round(1234.5678, -2), round(15.0, -1), round(25.0, -1), round(-1.5, -3))  # expect: 1200.0 20.0 20.0 -0.0

# case: round with a keyword
print(round(number=2.567, ndigits=1), round(2.567, ndigits=2))  # expect: 2.6 2.57

# case: round of nan
round(float("nan"))  # expect error[ValueError]: cannot convert float NaN to integer

# case: round of infinity
round(float("inf"))  # expect error[OverflowError]: cannot convert float infinity to integer

# case: abs, min, max
print(abs(-3), abs(-3.5), abs(True), abs(-0.0))  # expect: 3 3.5 1 0.0
print(min(3, 1, 2), max([1, 5, 3]), min("banana"), max(1, 1.0), max(True, 1), min(2.0, 2))  # expect: 1 5 a 1 True 2.0
print(max("aa", "b", key=len), min([], default=7), max([], default=None), min([3, -4], key=abs))  # expect: aa 7 None 3

# case: max of nothing
max([])  # expect error[ValueError]: max() arg is an empty sequence

# case: min of unlike things
min(1, "a")  # expect error[TypeError]: '<' not supported between instances of 'str' and 'int'

# case: int()
print(int(3.9), int(-3.9), int("42"), int(" -17 "), int("1_000"), int(), int("+5"))  # expect: 3 -3 42 -17 1000 0 5
print(int("ff", 16), int("0b101", 2), int("0x1F", 0), int("z", base=36), int("777", 8))  # expect: 255 5 31 35 511

# case: int() of a word
int("x")  # expect error[ValueError]: invalid literal for int() with base 10: 'x'

# case: int() of a float in a string
int("3.5")  # expect error[ValueError]: invalid literal for int() with base 10: '3.5'

# case: int() of an empty string
int("")  # expect error[ValueError]: invalid literal for int() with base 10: ''

# case: int() at the edges of 64 bits
print(int("-9223372036854775808"), int("9223372036854775807"), int("-0x8000000000000000", 16), int("0" * 40 + "7"))
# expect: -9223372036854775808 9223372036854775807 -9223372036854775808 7

# case: int() beyond 64 bits
int("9223372036854775808")  # expect error[unsupported]: an int beyond 64 bits

# case: int() of a long word
try:
    int("9" * 30 + "z" * 10**6)
except ValueError as error:
    print(len(str(error)), str(error)[:50])  # expect: 240 invalid literal for int() with base 10: '999999999

# case: int() of a long word of wide letters
try:
    int("\u00e9" * 300, 16)
except ValueError as error:
    print(len(str(error)), str(error)[-3:])  # expect: 240 ééé

# case: int() of None
int(None)  # expect error[TypeError]: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'

# case: int() of a list
int([1])  # expect error[TypeError]: int() argument must be a string, a bytes-like object or a real number, not 'list'

# case: int() of nan
int(float("nan"))  # expect error[ValueError]: cannot convert float NaN to integer

# case: int() of infinity
int(float("inf"))  # expect error[OverflowError]: cannot convert float infinity to integer

# case: float()
print(float("1.5"), float(" 2 "), float(3), float(), float("1e3"), float("1_0.5"), float(".5"), float("-1."))
# expect: 1.5 2.0 3.0 0.0 1000.0 10.5 0.5 -1.0

# case: float() of a word
float("abc")  # expect error[ValueError]: could not convert string to float: 'abc'

# case: float() of None
float(None)  # expect error[TypeError]: float() argument must be a string or a real number, not 'NoneType'

# case: bool()
print(bool(0), bool(-1), bool(0.0), bool(""), bool("0"), bool([]), bool([0]), bool(None), bool({}), bool(range(0)))
# expect: False True False False True False True False False False

# case: number literals
print(1_000_000, 0xff, 0b1010, 0o17, 1e3, .5, 5., 1_0.0_1)  # expect: 1000000 255 10 15 1000.0 0.5 5.0 10.01

# case: bin, oct, hex
print(bin(10), oct(8), hex(255), bin(-5), hex(0), bin(True))  # expect: 0b1010 0o10 0xff -0b101 0x0 0b1

# case: bin of a float
bin(1.5)  # expect error[TypeError]: 'float' object cannot be interpreted as an integer

# case: chr and ord
print(chr(65), ord("A"), chr(0xAC00), ord("가"), chr(10) == "\n", [chr(ord("a") + i) for i in range(3)])
# expect: A 65 가 44032 True ['a', 'b', 'c']

# case: ord of two characters
ord("ab")  # expect error[TypeError]: ord() expected a character, but string of length 2 found

# case: chr out of range
chr(-1)  # expect error[ValueError]: chr() arg not in range(0x110000)

# case: hash
print(hash(5), hash(1.0) == hash(1), hash("a") == hash("a"), hash((1, 2)) == hash((1, 2)), hash(True))
# expect: 5 True True True 1

# case: hash of a list
hash([1])  # expect error[TypeError]: unhashable type: 'list'

# case: methods of numbers
print((5).bit_length(), (0.5).is_integer(), (2.0).is_integer(), (7).real, (1.5).imag if False else 0)
# expect: 3 False True 7 0

# case: is
a = 5
b = a
print(a is b, a is None, None is None, a is not None, [] is [], True is True)  # expect: True False True True False True

# case: unary operators
print(-5, +5, --5, not 5, not 0, -True, not None, - - 1.5)  # expect: -5 5 5 False True -1 True 1.5

# case: floor division by zero
1 // 0  # expect error[ZeroDivisionError]: integer division or modulo by zero

# case: modulo by zero
1 % 0  # expect error[ZeroDivisionError]: integer modulo by zero

# case: division by zero
1 / 0  # expect error[ZeroDivisionError]: division by zero

# case: float division by zero
1.0 / 0  # expect error[ZeroDivisionError]: float division by zero

# case: float modulo by zero
5.0 % 0  # expect error[ZeroDivisionError]: float modulo

# case: float floor division by zero
5.0 // 0  # expect error[ZeroDivisionError]: float floor division by zero

# case: zero to a negative power
0 ** -1  # expect error[ZeroDivisionError]: 0.0 cannot be raised to a negative power

# case: zero as a float to a negative power
0.0 ** -1.5  # expect error[ZeroDivisionError]: 0.0 cannot be raised to a negative power

# case: float overflow
10.0 ** 400  # expect error[OverflowError]: (34, 'Numerical result out of range')

# case: int beyond 64 bits
2 ** 64  # expect error[unsupported]: 2 ** 64 does not fit 64 bits

# case: factorial beyond 64 bits
product = 1
for i in range(1, 30):
    product *= i  # expect error[unsupported]: 2432902008176640000 * 21 does not fit 64 bits

# case: int literal beyond 64 bits
x = 123456789012345678901234567890  # expect error[unsupported]: an int of more than 64 bits is not supported

# case: int() of a float beyond 64 bits
int(1e20)  # expect error[unsupported]: an int beyond 64 bits

# case: complex result
(-8) ** 0.5  # expect error[unsupported]: a complex result

# case: complex literal
1j  # expect error[unsupported]: complex() is not known here

# case: adding a number and a string
1 + "a"  # expect error[TypeError]: unsupported operand type(s) for +: 'int' and 'str'

# case: adding a string and a number
"a" + 1  # expect error[TypeError]: can only concatenate str (not "int") to str

# case: subtracting strings
"a" - "b"  # expect error[TypeError]: unsupported operand type(s) for -: 'str' and 'str'

# case: number times None
3 * None  # expect error[TypeError]: unsupported operand type(s) for *: 'int' and 'NoneType'

# case: list minus list
[1] - [2]  # expect error[TypeError]: unsupported operand type(s) for -: 'list' and 'list'

# case: comparing a string and a number
"a" < 1  # expect error[TypeError]: '<' not supported between instances of 'str' and 'int'

# case: comparing None
None > 0  # expect error[TypeError]: '>' not supported between instances of 'NoneType' and 'int'

# case: comparing a list and a tuple
[1] < (1,)  # expect error[TypeError]: '<' not supported between instances of 'list' and 'tuple'

# case: minus a string
-"a"  # expect error[TypeError]: bad operand type for unary -: 'str'

# case: plus a list
+[1]  # expect error[TypeError]: bad operand type for unary +: 'list'

# case: invert a float
~1.5  # expect error[TypeError]: bad operand type for unary ~: 'float'

# case: bit-and of floats
1.5 & 1  # expect error[TypeError]: unsupported operand type(s) for &: 'float' and 'int'

# case: matmul of numbers
2 @ 3  # expect error[TypeError]: unsupported operand type(s) for @: 'int' and 'int'

# case: power of a string
"a" ** 2  # expect error[TypeError]: unsupported operand type(s) for ** or pow(): 'str' and 'int'

# case: augmented assignment with a wrong type
total = 0
total += "a"  # expect error[TypeError]: unsupported operand type(s) for +=: 'int' and 'str'

# case: augmented operators
x = 10
x += 5; x -= 3; x *= 2; x //= 5; x **= 2; x %= 7; print(x)  # expect: 2
x <<= 3; x |= 1; x &= 0b1111; x ^= 0b1000; x >>= 1; print(x)  # expect: 4
x /= 4; print(x)  # expect: 1.0

# case: bits of a bool
print(True.bit_length(), False.bit_length(), (255).bit_length(), (-256).bit_length())  # expect: 1 0 8 9

# case: floor division by infinity
print(-1.0 // float("inf"), 1.0 // float("inf"), -100 // float("inf"), -7.5 // 2, 7.5 // -2, -0.0 // 3)
# expect: -1.0 0.0 -1.0 -4.0 -4.0 -0.0

# case: round of a bool
print(round(True), round(False, 2), round(True, -1), round(-15, -1), round(25, -1))  # expect: 1 0 0 -20 20

# case: round of floats to tens
print(round(1250.0, -2), round(1350.0, -2), round(51.0, -2), round(50.0, -2), round(-49.9, -2), round(1e22, -3))
# expect: 1200.0 1400.0 100.0 0.0 -0.0 1e+22

# case: round to a text
round(1.5, "a")  # expect error[TypeError]: 'str' object cannot be interpreted as an integer

# case: parts and bits of numbers
print((5).real, (5).imag, (2.5).imag, True.real, (6).numerator, (6).denominator, (5).conjugate(), True.__class__.__name__)
# expect: 5 0 0.0 1 6 1 5 bool
print((-255).bit_count(), (255).bit_length(), (0).bit_length(), (2.0).is_integer(), float("nan").is_integer())
# expect: 8 8 0 True False

# case: hashes of numbers
print(hash(2.0), hash(-1), hash(2**62), hash(0.5) == hash(1 / 2), hash((1.5, (True,))) == hash((1.5, (1.0,))))
# expect: 2 -2 2 True True

# case: divmod by zero
divmod(1.5, 0)  # expect error[ZeroDivisionError]: float divmod()

# case: a power that is too large
try:
    10.0 ** 400
except OverflowError as error:
    print(error.args, error)  # expect: (34, 'Numerical result out of range') (34, 'Numerical result out of range')

# case: inverse modulo
print(pow(3, -1, 7), pow(-3, -2, 7), pow(2, -1, -5), pow(5, 0, 1))  # expect: 5 4 -2 0

# case: no inverse modulo
pow(2, -1, 4)  # expect error[ValueError]: base is not invertible for the given modulus

# case: sequences compare by their first items that differ
try:
    (1, "a") <= (1, 2)
except TypeError as error:
    print(error)  # expect: '<=' not supported between instances of 'str' and 'int'
print([1, float("nan")] < [1, 2], (1, 2) < (1, 2, 0), [2] >= [1, 5])  # expect: False True True

# case: powers and infinity
inf, nan = float("inf"), float("nan")
print(0.0**-inf, 0**-inf, 2.0**-inf, (-2.0)**nan, (-inf)**0.5, (-8.0)**inf)  # expect: inf inf 0.0 nan inf inf

# case: a float is no fraction
(2.5).numerator  # expect error[AttributeError]: 'float' object has no attribute 'numerator'

# case: pow of three that are not ints
print(pow(2, 10, None), pow(2.0, 3, None))  # expect: 1024 8.0
for base, exponent, modulus in [(10, 0.5, ("a",)), (10, "x", 1.5), (10, None, 3)]:
    try:
        pow(base, exponent, modulus)
    except TypeError as error:
        print(error)
# expect: pow() 3rd argument not allowed unless all arguments are integers
# expect: pow() 3rd argument not allowed unless all arguments are integers
# expect: unsupported operand type(s) for ** or pow(): 'int', 'NoneType', 'int'

# case: a range at a string
range(3)["a"]  # expect error[TypeError]: range indices must be integers or slices, not str


# case: ints that do not fit 64 bits are not cut
import math
math.gcd(-2**62 * 2)  # expect error[unsupported]: an int beyond 64 bits

# case: a range of more numbers than an int can count
range(-2**62, 2**62)[1:]  # expect error[unsupported]: an int beyond 64 bits

# case: the longest range
print(len(range(-2**62, 2**62 - 1)), range(-2**62, 2**62 - 1)[-1], len(range(2**62, -2**62, -2)))  # expect: 9223372036854775807 4611686018427387902 4611686018427387904
