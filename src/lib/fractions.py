"""fractions.Fraction: a whole number over another, in lowest terms."""
import math
import re


def parts_of(text):
    """(numerator, denominator) of '3/4', '-0.25' or '1e-3'."""
    found = re.fullmatch(r'\s*([-+]?)(\d+)/(\d+)\s*', text)
    if found:
        return int(found[1] + found[2]), int(found[3])
    found = re.fullmatch(r'\s*([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?\s*', text)
    if not found or not (found[2] or found[3]):
        raise ValueError(f'Invalid literal for Fraction: {text!r}')
    whole, power = int(found[1] + found[2] + found[3]), int(found[4] or 0) - len(found[3])
    return (whole * 10 ** power, 1) if power >= 0 else (whole, 10 ** -power)


def ratio_of(number):
    """(numerator, denominator) of a float, exactly."""
    if not math.isfinite(number):
        kind = (ValueError, 'NaN') if math.isnan(number) else (OverflowError, 'Infinity')
        raise kind[0](f'cannot convert {kind[1]} to integer ratio')
    share, power = math.frexp(number)
    whole, power = int(share * 2 ** 53), power - 53
    while whole % 2 == 0 and whole and power < 0:
        whole, power = whole // 2, power + 1
    return (whole * 2 ** power, 1) if power >= 0 else (whole, 2 ** -power if whole else 1)


def is_ratio(value):
    return isinstance(value, (int, Fraction))


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if denominator is None:
            if isinstance(numerator, str):
                numerator, denominator = parts_of(numerator)
            elif isinstance(numerator, float):
                numerator, denominator = ratio_of(numerator)
            elif is_ratio(numerator):
                numerator, denominator = numerator.numerator, numerator.denominator
            else:
                raise TypeError('argument should be a string or a Rational instance')
        elif is_ratio(numerator) and is_ratio(denominator):
            numerator, denominator = (numerator.numerator * denominator.denominator,
                                      numerator.denominator * denominator.numerator)
        else:
            raise TypeError('both arguments should be Rational instances')
        if denominator == 0:
            raise ZeroDivisionError(f'Fraction({numerator}, 0)')
        common = math.gcd(numerator, denominator) * (1 if denominator > 0 else -1)
        self.numerator, self.denominator = numerator // common, denominator // common

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def as_integer_ratio(self):
        return self.numerator, self.denominator

    def limit_denominator(self, max_denominator=1000000):
        """The closest one whose denominator is not larger, by its continued fraction."""
        if max_denominator < 1:
            raise ValueError('max_denominator should be at least 1')
        if self.denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1, n, d = 0, 1, 1, 0, self.numerator, self.denominator
        while (q2 := q0 + (a := n // d) * q1) <= max_denominator:
            p0, q0, p1, q1, n, d = p1, q1, p0 + a * p1, q2, d, n - a * d
        k = (max_denominator - q0) // q1
        is_closer = 2 * d * (q0 + k * q1) <= self.denominator  # the last convergent, than the one between it and the next
        return Fraction(p1, q1) if is_closer else Fraction(p0 + k * p1, q0 + k * q1)

    def __repr__(self):
        return f'Fraction({self.numerator}, {self.denominator})'

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f'{self.numerator}/{self.denominator}'

    def __hash__(self):
        return hash(self.numerator if self.denominator == 1 else (self.numerator, self.denominator))

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return abs(self.numerator) // self.denominator * (1 if self.numerator >= 0 else -1)

    def __bool__(self):
        return self.numerator != 0

    def __floor__(self):
        return self.numerator // self.denominator

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __trunc__(self):
        return int(self)

    def __round__(self, ndigits=None):
        if ndigits is not None:
            scale = Fraction(10) ** ndigits
            return Fraction(round(self * scale)) / scale
        floor, rest = divmod(self.numerator, self.denominator)
        is_up = rest * 2 > self.denominator or (rest * 2 == self.denominator and floor % 2 == 1)
        return floor + 1 if is_up else floor

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __pos__(self):
        return Fraction(self)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def _with(self, other, exact, inexact):
        """What `exact` makes of two ratios; beside a float, `inexact` of two floats."""
        if isinstance(other, float):
            return inexact(float(self), other)
        return exact(self, other) if is_ratio(other) else NotImplemented

    def __add__(self, other):
        return self._with(other, plus, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other):
        return self._with(other, lambda a, b: plus(a, -b), lambda a, b: a - b)

    def __rsub__(self, other):
        return self._with(other, lambda a, b: plus(-a, b), lambda a, b: b - a)

    def __mul__(self, other):
        return self._with(other, times, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._with(other, over, lambda a, b: a / b)

    def __rtruediv__(self, other):
        return self._with(other, lambda a, b: over(b, a), lambda a, b: b / a)

    def __floordiv__(self, other):
        return self._with(other, whole_part, lambda a, b: a // b)

    def __rfloordiv__(self, other):
        return self._with(other, lambda a, b: whole_part(b, a), lambda a, b: b // a)

    def __mod__(self, other):
        return self._with(other, rest, lambda a, b: a % b)

    def __rmod__(self, other):
        return self._with(other, lambda a, b: rest(b, a), lambda a, b: b % a)

    def __pow__(self, other):
        if isinstance(other, Fraction) and other.denominator == 1:
            other = other.numerator
        if not isinstance(other, int):
            return float(self) ** float(other)
        if other >= 0:
            return Fraction(self.numerator ** other, self.denominator ** other)
        return Fraction(self.denominator ** -other, self.numerator ** -other)

    def __eq__(self, other):
        if isinstance(other, float):
            return float(self) == other
        return is_ratio(other) and self.numerator == other.numerator and self.denominator == other.denominator

    def __lt__(self, other):
        return self._with(other, lambda a, b: difference(a, b) < 0, lambda a, b: a < b)

    def __le__(self, other):
        return self._with(other, lambda a, b: difference(a, b) <= 0, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._with(other, lambda a, b: difference(a, b) > 0, lambda a, b: a > b)

    def __ge__(self, other):
        return self._with(other, lambda a, b: difference(a, b) >= 0, lambda a, b: a >= b)


def plus(a, b):
    return Fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)


def times(a, b):
    return Fraction(a.numerator * b.numerator, a.denominator * b.denominator)


def whole_part(a, b):
    return (a.numerator * b.denominator) // (a.denominator * b.numerator)


def rest(a, b):
    return Fraction((a.numerator * b.denominator) % (b.numerator * a.denominator), a.denominator * b.denominator)


def over(a, b):
    if b.numerator == 0:
        raise ZeroDivisionError(f'Fraction({a.numerator // abs(a.numerator)}, 0)')
    return Fraction(a.numerator * b.denominator, a.denominator * b.numerator)


def difference(a, b):
    return a.numerator * b.denominator - b.numerator * a.denominator
