// sin, cos and pow: the functions that need more than double precision on the way. A value of Wide is high + low,
// where low is below half an ulp of high.
#include "tensor/ops/math_functions.h"

#include <utility>

namespace attn::math {
namespace {

struct Wide {
  double high, low;
};

Wide exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

Wide exact_product(double a, double b) {
  const auto split = [](double x) {  // 26 bits and the rest
    const double shifted = x * 134217729.0;
    const double high = shifted - (shifted - x);
    return std::pair(high, x - high);
  };
  const auto [a1, a2] = split(a);
  const auto [b1, b2] = split(b);
  const double product = a * b;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

Wide multiply(Wide a, Wide b) {
  const Wide product = exact_product(a.high, b.high);
  return exact_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

// --- sin and cos -----------------------------------------------------------------------------------------------------

/// x = quadrant * pi / 2 + angle, |angle| <= pi / 4.
struct Reduced {
  unsigned quadrant;
  Wide angle;
};

/// pi / 2 in three parts; the first two have 33 bits, so n times each is exact for |n| < 2^20.
Reduced reduce_small(double x) {
  constexpr double kParts[] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e037073p-69};
  const double n = (x * 0.6366197723675814 + kRounder) - kRounder;
  const Wide rest = exact_sum(x - n * kParts[0], -(n * kParts[1]));
  const Wide angle = exact_sum(rest.high, rest.low - n * kParts[2]);
  return {static_cast<unsigned>(static_cast<std::int64_t>(n)) & 3, angle};
}

/// 2 / pi in binary after 64 zeros.
constexpr std::uint64_t kTwoOverPi[] = {0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                        0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
                                        0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
                                        0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
                                        0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

std::uint64_t bits_from(std::size_t offset) {
  const std::size_t word = offset / 64, shift = offset % 64;
  return shift == 0 ? kTwoOverPi[word] : (kTwoOverPi[word] << shift) | (kTwoOverPi[word + 1] >> (64 - shift));
}

/// Payne and Hanek 1983: of the bits of 2 / pi only those matter that move x 2 / pi by less than 4 turns and by more
/// than its last place. x = mantissa 2^exponent; a window of 192 bits times the mantissa, modulo 2^192, has the
/// quadrant in its first two bits and the fraction behind them.
Reduced reduce_huge(double x) {
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::frexp(std::fabs(x), &exponent) * 0x1p53);
  const std::size_t offset = static_cast<std::size_t>(exponent) + 64 - 53 - 2;
  __extension__ using Word2 = unsigned __int128;
  const Word2 low = static_cast<Word2>(mantissa) * bits_from(offset + 128);
  const Word2 middle = static_cast<Word2>(mantissa) * bits_from(offset + 64) + (low >> 64);
  const std::uint64_t top = mantissa * bits_from(offset) + static_cast<std::uint64_t>(middle >> 64);
  Word2 fraction = (static_cast<Word2>(top) << 66) | (static_cast<Word2>(static_cast<std::uint64_t>(middle)) << 2) |
                   (static_cast<std::uint64_t>(low) >> 62);
  unsigned quadrant = static_cast<unsigned>(top >> 62);
  const bool above_half = (fraction >> 127) != 0;
  if (above_half) {
    ++quadrant;
    fraction = -fraction;
  }
  const double first = static_cast<double>(static_cast<std::uint64_t>(fraction >> 75));  // 53 bits
  const double rest = static_cast<double>(static_cast<std::uint64_t>((fraction >> 11) & ~std::uint64_t{0}));
  const Wide turns = exact_sum(first * 0x1p-53, rest * 0x1p-117);
  Wide angle = multiply(turns, {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  if (above_half != std::signbit(x)) angle = {-angle.high, -angle.low};
  return {(std::signbit(x) ? 0U - quadrant : quadrant) & 3, angle};
}

Reduced reduce(double x) { return std::fabs(x) < 0x1p20 ? reduce_small(x) : reduce_huge(x); }

double sin_near(Wide x) {
  constexpr std::array<double, 8> kTaylor = {-1.0 / 6,
                                             1.0 / 120,
                                             -1.0 / 5040,
                                             1.0 / 362880,
                                             -1.0 / 39916800.0,
                                             1.0 / 6227020800.0,
                                             -1.0 / 1307674368000.0,
                                             1.0 / 355687428096000.0};
  const double square = x.high * x.high;
  return x.high + (x.high * square * polynomial(kTaylor, square) + x.low * (1.0 - 0.5 * square));
}

double cos_near(Wide x) {
  constexpr std::array<double, 8> kTaylor = {1.0 / 24,
                                             -1.0 / 720,
                                             1.0 / 40320,
                                             -1.0 / 3628800,
                                             1.0 / 479001600.0,
                                             -1.0 / 87178291200.0,
                                             1.0 / 20922789888000.0,
                                             -1.0 / 6402373705728000.0};
  const double square = x.high * x.high;
  const double main = 1.0 - 0.5 * square;
  const double lost = (1.0 - main) - 0.5 * square;
  return main + (lost + (square * square * polynomial(kTaylor, square) - x.high * x.low));
}

/// sin(angle + quarters * pi / 2).
double sin_of(Reduced x, unsigned quarters) {
  const unsigned quadrant = (x.quadrant + quarters) & 3;
  const double size = (quadrant & 1) != 0 ? cos_near(x.angle) : sin_near(x.angle);
  return (quadrant & 2) != 0 ? -size : size;
}

// --- pow -------------------------------------------------------------------------------------------------------------

/// log(x) for a finite x > 0 to about 2^-66 of its size.
Wide wide_log(double x) {
  constexpr std::array<double, 10> kSeries = {2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                              2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
  const auto [k, f] = log_parts(x);
  const Wide divisor = exact_sum(2.0, f);
  const double s = f / divisor.high;
  const Wide back = exact_product(s, divisor.high);
  const Wide wide_s = exact_sum(s, (((f - back.high) - back.low) - s * divisor.low) / divisor.high);
  const Wide square = multiply(wide_s, wide_s);
  const Wide cube = multiply(wide_s, square);
  const Wide third = multiply(cube, {2.0 / 3, 0x1.5555555555555p-55});
  const double tail = cube.high * square.high * polynomial(kSeries, square.high);
  const Wide whole = multiply({k, 0}, {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
  const Wide head = exact_sum(whole.high, 2.0 * wide_s.high);
  const Wide body = exact_sum(head.high, third.high);
  return exact_sum(body.high, body.low + head.low + (whole.low + 2.0 * wide_s.low + third.low + tail));
}

/// x^n by squaring; exact where the result is.
double whole_power(double x, int n) {
  Wide result{1.0, 0.0};
  for (Wide base{x, 0.0}; n != 0; n >>= 1) {
    if ((n & 1) != 0) result = multiply(result, base);
    if (n > 1) base = multiply(base, base);
  }
  return result.high + result.low;
}

/// |x|^y for finite x and y, x != 0.
double finite_power(double size, double y) {
  const bool moderate = size > 0x1p-15 && size < 0x1p15;  // so that nothing overflows on the way
  if (moderate && y == std::floor(y) && std::fabs(y) <= 64) {
    const double power = whole_power(size, static_cast<int>(std::fabs(y)));
    if (y >= 0) return power;
    // 1 / power would round twice, which only matters below the last place
    return 1.0 / power;
  }
  if (std::fabs(y) > 0x1p64) y = std::copysign(0x1p64, y);  // far beyond overflow already
  const Wide log = wide_log(size);
  const Wide product = multiply(log, {y, 0.0});
  if (std::fabs(product.high) > 800.0) return product.high > 0 ? kInfinity : 0.0;
  return exp(product.high) == kInfinity ? kInfinity : exp(product.high) * (1.0 + product.low);
}

}  // namespace

double sin(double x) {
  if (!(std::fabs(x) < kInfinity)) return kNaN;
  return x == 0.0 ? x : sin_of(reduce(x), 0);
}

double cos(double x) {
  if (!(std::fabs(x) < kInfinity)) return kNaN;
  return sin_of(reduce(x), 1);
}

double pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return kNaN;
  const double size = std::fabs(x);
  const bool whole = y == std::floor(y);  // also both infinities
  const bool odd = whole && std::fabs(y) < 0x1p53 && std::fmod(y, 2.0) != 0.0;
  const double sign = odd && std::signbit(x) ? -1.0 : 1.0;
  if (std::fabs(y) == kInfinity) return size == 1.0 ? 1.0 : ((size > 1.0) == (y > 0) ? kInfinity : 0.0);
  if (size == 0.0 || size == kInfinity) return sign * ((size == 0.0) == (y < 0) ? kInfinity : 0.0);
  if (x < 0 && !whole) return kNaN;
  return sign * finite_power(size, y);
}

}  // namespace attn::math
