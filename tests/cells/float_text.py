# Numbers as text: format specifications of f-strings, format() and the format code of %.

# case: fixed point
x = 3.14159265
print(f"{x:.2f} {x:.0f} {x:f} {x:8.3f}| {x:<8.2f}| {x:^9.1f}| {x:+.1f} {-x:.1f}")
# expect: 3.14 3 3.141593    3.142| 3.14    |    3.1   | +3.1 -3.1
print(f"{2.5:.0f} {3.5:.0f} {0.125:.2f} {1e10:.1f} {1e-10:.3f} {-0.0001:.2f} {123456789.123:,.2f}")
# expect: 2 4 0.12 10000000000.0 0.000 -0.00 123,456,789.12

# case: exponent
print(f"{12345.678:e} {12345.678:.2e} {0.00012:.1E} {0:e} {1e100:.0e} {-1.5:10.1e}|")
# expect: 1.234568e+04 1.23e+04 1.2E-04 0.000000e+00 1e+100   -1.5e+00|

# case: general
print(f"{1234567.0:g} {0.0001:g} {0.00001:g} {100000:g} {1000000:g} {1.5:g} {3.14159:.3g} {1e20:G} {2.0:g}")
# expect: 1.23457e+06 0.0001 1e-05 100000 1e+06 1.5 3.14 1E+20 2
print(f"{3:#x} {5:#b}")  # expect: 0x3 0b101

# case: percent
print(f"{0.256:.1%} {0.5:%} {1:.0%} {0.12345:8.2%}|")  # expect: 25.6% 50.000000% 100%   12.35%|

# case: without a type
print(f"{1.0} {1.5:10}| {1e16} {0.1:.3} {123.456:.4} {1234.5:.2} {100.0:.1} {1:5}| {2.0:<6}| {1e-7:.2}")
# expect: 1.0        1.5| 1e+16 0.1 123.5 1.2e+03 1e+02     1| 2.0   | 1e-07

# case: ints
print(f"{42:d} {42:5d}| {42:<5d}| {42:^5d}| {42:05d} {-42:06d} {42:+d} {42: d} {1234567:,} {1234567:_}")
# expect: 42    42| 42   |  42  | 00042 -00042 +42  42 1,234,567 1_234_567
print(f"{255:x} {255:X} {255:#x} {5:b} {5:08b} {8:o} {255:#06x} {65:c} {1000:_x} {5:+}")
# expect: ff FF 0xff 101 00000101 10 0x00ff A 3e8 +5

# case: zero padding
print(f"{3.5:08.2f} {-3.5:08.2f} {7:03} {7:<03} {7:^03} {1234:010,} {3.14159:010.3f}")
# expect: 00003.50 -0003.50 007 700 070 00,001,234 000003.142

# case: fill
print(f"{'a':*<5} {'a':*>5} {'a':*^5} {5:*^7} {5:=+6} {-5:0=6} {'한':>4}| {'한글':^6}|")
# expect: a**** ****a **a** ***5*** +    5 -00005    한|   한글  |

# case: strings
print(f"{'hello':10}| {'hello':>10}| {'hello':^11}| {'hello':.2} {'hello':8.3}| {'x':s}")
# expect: hello     |      hello|    hello   | he hel     | x

# case: bools and None
print(f"{True} {True:d} {True:5}| {None} {False:>6}| {True:.1f}")  # expect: True 1     1| None      0| 1.0

# case: infinities
inf, nan = float("inf"), float("nan")
print(f"{inf} {-inf:.2f} {nan:.3f} {inf:8}| {nan:<6}| {inf:e} {nan:F} {inf:08.1f} {-inf:,}")
# expect: inf -inf nan      inf| nan   | inf NAN 00000inf -inf

# case: nested fields
width, digits = 10, 3
print(f"{3.14159:{width}.{digits}f}| {'x':>{width}}| {5:{'0'}{3}d}")  # expect:      3.142|          x| 005

# case: grouping
print(f"{1234567.891:,} {1234567.891:_.1f} {-1234567:,} {999:,} {1e6:,.0f} {123456:>12,}|")
# expect: 1,234,567.891 1_234_567.9 -1,234,567 999 1,000,000      123,456|

# case: format()
print(format(3.14159, ".2f"), format(42, "05d"), format("a", ">3"), format(5), format(0.5, "%"), format(True))
# expect: 3.14 00042   a 5 50.000000% True

# case: unknown code for a float
f"{1.5:d}"  # expect error[ValueError]: Unknown format code 'd' for object of type 'float'

# case: unknown code for an int
f"{1:s}"  # expect error[ValueError]: Unknown format code 's' for object of type 'int'

# case: unknown code for a string
f"{'a':d}"  # expect error[ValueError]: Unknown format code 'd' for object of type 'str'

# case: fixed point of a string
f"{'a':.2f}"  # expect error[ValueError]: Unknown format code 'f' for object of type 'str'

# case: precision of an int
f"{5:.2d}"  # expect error[ValueError]

# case: format of a list
f"{[1, 2]:>10}"  # expect error[TypeError]: unsupported format string passed to list.__format__

# case: format of None
f"{None:.2f}"  # expect error[TypeError]: unsupported format string passed to NoneType.__format__

# case: a specification that is none
f"{5:5q5}"  # expect error[ValueError]: Invalid format specifier '5q5' for object of type 'int'

# case: missing precision
f"{1.5:.f}"  # expect error[ValueError]: Format specifier missing precision

# case: equal sign for a string
f"{'a':=5}"  # expect error[ValueError]

# case: sign for a string
f"{'a':+}"  # expect error[ValueError]

# case: comma for a string
f"{'a':,}"  # expect error[ValueError]: Cannot specify ',' with 's'.

# case: grouping with hexadecimal
f"{255:,x}"  # expect error[ValueError]: Cannot specify ',' with 'x'.

# case: alternate form of a float
print(f"{1.0:#g}")  # expect: 1.00000
