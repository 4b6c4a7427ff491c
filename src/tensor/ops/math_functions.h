#pragma once
// exp, log, tanh, ... of our own, in double arithmetic with a fixed order of operations and no table of the C
// library behind it: every machine gets the same bits. A float32 result is the double result rounded once.
//
// Those in this header have no branches, so that a compiler can put them into vector loops. Each is a range reduction
// that is (nearly) exact, then a polynomial: Taylor's where the range is small, else Chebyshev's interpolation.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tensor/kernels/level_namespace.h"

namespace attn::math {

// Of several levels of the processor: kernels/level_namespace.h.
inline namespace ATTN_LEVEL {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLn2High = 0x1.62e42fee00000p-1;  // 32 bits: times a whole number below 2^21 it is exact
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
/// Adding and subtracting it rounds to a whole number, which then stands in the low bits of the sum.
inline constexpr double kRounder = 0x1.8p52;

/// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule; without a loop, which would keep the loops around it from vectors.
template <std::size_t I = 0, std::size_t N>
inline double polynomial(const std::array<double, N>& c, double x) {
  if constexpr (I + 1 == N) return c[I];
  else return c[I] + x * polynomial<I + 1>(c, x);
}

/// 2^k for a whole number k in [-1022, 1023].
inline double power_of_two(double k) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(k + kRounder) + 1023) << 52);
}

/// x = k ln 2 + r with |r| <= ln(2) / 2; rest is exp(r) - 1.
struct ExpParts {
  double k, rest;
};

inline ExpParts exp_parts(double x) {
  constexpr std::array<double, 12> kTaylor = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                                              1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                              1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0};
  const double k = (x * 1.4426950408889634 + kRounder) - kRounder;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  return {k, r + r * r * polynomial(kTaylor, r)};
}

inline double exp(double x) {
  const double low = x < -746.0 ? -746.0 : x;  // beyond both ends the result no longer changes; NaN passes
  const ExpParts parts = exp_parts(low > 710.0 ? 710.0 : low);
  const double half = (parts.k * 0.5 + kRounder) - kRounder;  // in two steps, for 2^1024 and for subnormal results
  return (1.0 + parts.rest) * power_of_two(half) * power_of_two(parts.k - half);
}

/// exp(x) - 1 without cancellation near 0, for x <= 0.
inline double expm1_negative(double x) {
  const ExpParts parts = exp_parts(x < -60.0 ? -60.0 : x);
  const double scale = power_of_two(parts.k);
  return scale * parts.rest + (scale - 1.0);
}

/// x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2), for a finite x > 0.
struct LogParts {
  double k, f;
};

inline LogParts log_parts(double x) {
  const bool tiny = x < std::numeric_limits<double>::min();
  const auto bits = std::bit_cast<std::uint64_t>(tiny ? x * 0x1p54 : x) + 0x0009'5f62'0000'0000;  // carries at sqrt(2)
  const double exponent = std::bit_cast<double>((bits >> 52) | 0x4330'0000'0000'0000) - 0x1p52;
  const double m = std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) + 0x3fe6'a09e'0000'0000);
  return {exponent - (tiny ? 1077.0 : 1023.0), m - 1.0};
}

inline double log(double x) {
  constexpr std::array<double, 10> kSeries = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                                              2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
  const auto [k, f] = log_parts(x);
  const double s = f / (2.0 + f);  // log(1 + f) = 2 atanh(s) = 2 s + s (2/3 s^2 + 2/5 s^4 + ...), and 2 s = f - f s
  const double tail = s * s * polynomial(kSeries, s * s);
  const double finite = k * kLn2High + (f - (s * (f - tail) - k * kLn2Low));
  const double positive = x < kInfinity ? finite : x;  // also NaN
  const double nonnegative = x == 0.0 ? -kInfinity : positive;
  return x < 0.0 ? kNaN : nonnegative;
}

/// a b + c of float32, rounded once. Without such an instruction: the product is exact in double, and a sum that is not
/// becomes one with an odd last bit, from which the second rounding is the only one that counts (Boldo and Melquiond).
inline float fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fmaf(a, b, c);
#else
  const double product = static_cast<double>(a) * static_cast<double>(b), added = static_cast<double>(c);
  const double sum = product + added, part = sum - product;
  const double rest = (product - (sum - part)) + (added - part);  // what the sum lacks
  const auto bits = std::bit_cast<std::int64_t>(sum);
  const std::int64_t outward = (rest > 0.0) == (sum > 0.0) ? 1 : -1;
  const bool moves = (rest > 0.0 || rest < 0.0) && (bits & 1) == 0;
  return static_cast<float>(std::bit_cast<double>(moves ? bits + outward : bits));
#endif
}

inline double fused(double a, double b, double c) { return std::fma(a, b, c); }

/// exp of float32 with the bits of PyTorch's, which are those of expf in Sleef ("u10", with fused multiply-add), within
/// one unit in the last place. x = k ln 2 + r, where ln 2 has two parts; the polynomial is exp(r).
inline float exp_of_float(float x) {
  constexpr float kFloatRounder = 0x1.8p23F;
  const float low = x < -104.0F ? -104.0F : x;  // exp of it rounds to 0; NaN passes
  const float within = low > 100.0F ? 100.0F : low;
  const float k = (within * 1.44269504F + kFloatRounder) - kFloatRounder;
  const float r = fused(k, -1.428606765e-6F, fused(k, -0.693145752F, within));
  float p = fused(1.985276176e-4F, r, 1.393043552e-3F);
  p = fused(p, r, 8.333360776e-3F);
  p = fused(p, r, 4.166648537e-2F);
  p = fused(p, r, 1.666666716e-1F);
  p = fused(p, r, 0.5F);
  const float result = 1.0F + fused(r * r, p, r);
  const auto power = static_cast<std::int32_t>(x == x ? k : 0.0F);  // in two steps, as above
  const std::int32_t half = power >> 1;
  return result * std::bit_cast<float>((half + 127) << 23) * std::bit_cast<float>((power - half + 127) << 23);
}

inline double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

inline double tanh(double x) {
  const double e = expm1_negative(-2.0 * std::fabs(x));
  return std::copysign(-e / (2.0 + e), x);
}

/// 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.
inline double erf(double x) {
  // erf(x) / x in powers of x^2, for |x| <= 1.
  constexpr std::array<double, 13> kNear = {1.1283791670955126,      -0.3761263890318375,     0.11283791670954879,
                                            -0.026866170645076792,   0.0052239776248180145,   -0.000854832698083379,
                                            0.0001205533111164271,   -1.4925595266831182e-05, 1.6461000484121368e-06,
                                            -1.6350312701054695e-07, 1.4659775274047436e-08,  -1.1372848856791674e-09,
                                            5.957176147748911e-11};
  // (1 - erf(x)) exp(x^2) in powers of (13 x - 33) / (5 x + 15), for 1 <= |x| <= 6.
  constexpr std::array<double, 15> kFar = {0.20798329133342885,    -0.15436117429436919,   0.04969844540339464,
                                           -0.012713147695692198,  0.002479314697078186,   -0.0003316029605764125,
                                           1.9563583246137112e-05, 2.4255574719050315e-06, -5.541274478467714e-07,
                                           -4.526700764248741e-09, 1.1339538061744706e-08, -2.6381508985080735e-10,
                                           -2.571511429603255e-10, 6.047405945991704e-12,  6.0857915906870915e-12};
  const double near = std::fabs(x) < 1.0 ? x : 1.0;
  const double size = std::fabs(x) < 6.0 ? std::fabs(x) : 6.0;
  const double far = 1.0 - exp(-size * size) * polynomial(kFar, (13.0 * size - 33.0) / (5.0 * size + 15.0));
  const double result = size < 1.0 ? near * polynomial(kNear, near * near) : std::copysign(far, x);
  return x == x ? result : x;
}

}  // namespace ATTN_LEVEL

// Each within an ulp or so for every x; sin and cos reduce huge angles with 1200 bits of 2 / pi.
double sin(double x);
double cos(double x);
/// C's pow, with its special cases.
double pow(double x, double y);

}  // namespace attn::math
