# The module math, and what it refuses.
import math

# case: numbers of arguments
for call in (lambda: math.atan2(1), lambda: math.hypot(), lambda: math.log(1, 2, 3), lambda: math.pow(2), lambda: math.sqrt()):
    try:
        print(call())
    except TypeError as error:
        print(error)
# expect: atan2 expected 2 arguments, got 1
# expect: 0.0
# expect: math.log requires 1 to 2 arguments
# expect: pow expected 2 arguments, got 1
# expect: math.sqrt() takes exactly one argument (0 given)

# case: lengths
print(math.hypot(3, 4), math.hypot(), math.hypot(-2), math.hypot(1, 2, 2), math.hypot(math.inf, math.nan))
# expect: 5.0 0.0 2.0 3.0 inf
print(math.hypot(56, -999997), math.hypot(0.0, -0.0, math.nan), math.hypot(1e200, 1e200, 1e200), math.hypot(0.1, 0.2, 0.3, 0.4))
# expect: 999997.0015680047 nan 1.7320508075688773e+200 0.5477225575051661

# case: nearly the same
print(math.isclose(1, 1 + 1e-10), math.isclose(0, 1e-10), math.isclose(0, 1e-10, abs_tol=1e-9), math.isclose(1, 1.2, rel_tol=0.2))
# expect: True False True True

# case: an unknown tolerance
math.isclose(1, 2, tol=3)  # expect error[TypeError]: 'tol' is an invalid keyword argument for isclose()

# case: products
print(math.prod([2, 3, 4]), math.prod([]), math.prod([1.5, 2], start=4), math.prod((True, 3)))  # expect: 24 1 12.0 3

# case: a product of two lists
math.prod([1], [2])  # expect error[TypeError]: prod() takes exactly 1 positional argument (2 given)

# case: distances
print(math.dist([0, 0], [3, 4]), math.dist((1,), (1,)))  # expect: 5.0 0.0

# case: distances between places of other dimensions
math.dist([0, 0], [1])  # expect error[ValueError]: both points must have the same number of dimensions

# case: exact sums
print(math.fsum([0.1] * 10), sum([0.1] * 10), math.fsum([]), math.fsum([1e100, 1.0, -1e100]), math.fsum([math.inf, 1]))
# expect: 1.0 0.9999999999999999 0.0 1.0 inf

# case: a sum of both infinities
math.fsum([math.inf, -math.inf])  # expect error[ValueError]: -inf + inf in fsum

# case: parts of a float
print(math.frexp(6.0), math.ldexp(0.75, 3), math.modf(-2.25), math.copysign(3, -0.0))
# expect: (0.75, 3) 6.0 (-0.25, -2.0) -3.0

# case: a power of two that is no whole number
math.ldexp(1.5, 2.0)  # expect error[TypeError]: Expected an int as second argument to ldexp.

# case: whole numbers alone
math.gcd(2.0, 4)  # expect error[TypeError]: 'float' object cannot be interpreted as an integer

# case: common divisors and multiples
print(math.gcd(12, 18), math.gcd(), math.gcd(-4), math.lcm(4, 6), math.lcm(0, 5), math.comb(5, 2), math.perm(5, 2), math.factorial(6))
# expect: 6 0 4 12 0 10 20 720

# case: each function says its own name
for call in (
    lambda: math.ceil(), lambda: math.isinf(1, 2), lambda: math.trunc(1, 2), lambda: math.log(x=1),
    lambda: math.atan2(1, y=2), lambda: math.sqrt(x=4), lambda: math.gcd(a=1), lambda: math.perm(), lambda: math.fmod(1),
):
    try:
        print(call())
    except TypeError as error:
        print(error)
# expect: math.ceil() takes exactly one argument (0 given)
# expect: math.isinf() takes exactly one argument (2 given)
# expect: math.trunc() takes exactly one argument (2 given)
# expect: log() takes no keyword arguments
# expect: math.atan2() takes no keyword arguments
# expect: math.sqrt() takes no keyword arguments
# expect: math.gcd() takes no keyword arguments
# expect: perm expected at least 1 argument, got 0
# expect: fmod expected 2 arguments, got 1
print(math.perm(5), math.perm(5, 2), math.perm(0))  # expect: 120 20 1
