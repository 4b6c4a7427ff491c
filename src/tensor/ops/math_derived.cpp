#include "tensor/ops/math_derived.h"

#include <numbers>

namespace attn::math {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kPiLow = 1.2246467991473532e-16;  // pi = kPi + kPiLow

// Where atan's argument is reduced: atan(x) = atan(c) + atan((x - c) / (1 + c x)).
struct AtanStep {
  double below, center, high, low;
};
constexpr AtanStep kAtanSteps[] = {
    {0.6875, 0.5, 4.63647609000806093515e-01, 2.26987774529616870924e-17},
    {1.1875, 1.0, 7.85398163397448278999e-01, 3.06161699786838301793e-17},
    {2.4375, 1.5, 9.82793723247329054082e-01, 1.39033110312309984516e-17},
};

// atan(x) for |x| < 7/16, a minimax polynomial: fdlibm's s_atan.c (Sun Microsystems, 1993).
double atan_near(double x) {
  constexpr std::array<double, 11> kSeries = {
      3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01,
      9.09088713343650656196e-02, -7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02,
      4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02};
  const double square = x * x;
  return x - x * square * polynomial(kSeries, square);
}

double atan_of_size(double size) {
  if (size < 0.4375) return atan_near(size);
  for (const AtanStep& step : kAtanSteps) {
    if (size >= step.below) continue;
    return step.high + (atan_near((size - step.center) / (1.0 + step.center * size)) + step.low);
  }
  return kPi / 2 + (atan_near(-1.0 / size) + kPiLow / 2);
}

}  // namespace

double expm1(double x) {
  if (x <= 0.0) return x == 0.0 ? x : expm1_negative(x);
  if (!(x < 40.0)) return exp(x);  // the 1 is lost; also NaN
  const ExpParts parts = exp_parts(x);
  const double scale = power_of_two(parts.k);
  return scale * parts.rest + (scale - 1.0);
}

double log1p(double x) {
  const double sum = 1.0 + x;
  if (sum == 1.0) return x;
  if (!(sum > 0.0) || sum == kInfinity) return log(sum);
  return log(sum) * (x / (sum - 1.0));  // the second factor undoes the rounding of the sum (Kahan)
}

double log2(double x) {
  if (!(x > 0.0) || x == kInfinity) return log(x);
  const auto [k, f] = log_parts(x);
  return k + log1p(f) * std::numbers::log2e;
}

double log10(double x) {
  const double result = log(x) * std::numbers::log10e;
  const double whole = std::nearbyint(result);
  return std::fabs(result) < 400 && pow(10.0, whole) == x ? whole : result;
}

double tan(double x) { return sin(x) / cos(x); }

double sinh(double x) {
  const double size = std::fabs(x);
  if (size > 700.0) return std::copysign(0.5 * exp(0.5 * size) * exp(0.5 * size), x);
  const double e = expm1(size);
  return std::copysign(0.5 * (e + e / (e + 1.0)), x);
}

double cosh(double x) {
  const double size = std::fabs(x);
  if (size > 700.0) return 0.5 * exp(0.5 * size) * exp(0.5 * size);
  const double e = exp(size);
  return 0.5 * (e + 1.0 / e);
}

double atan(double x) { return x == x ? std::copysign(atan_of_size(std::fabs(x)), x) : x; }

double asin(double x) { return std::fabs(x) <= 1.0 ? atan2(x, std::sqrt((1.0 - x) * (1.0 + x))) : kNaN; }

double acos(double x) { return std::fabs(x) <= 1.0 ? 2.0 * atan2(std::sqrt(1.0 - x), std::sqrt(1.0 + x)) : kNaN; }

double atan2(double y, double x) {
  if (x != x || y != y) return kNaN;
  const double rows = std::fabs(y), columns = std::fabs(x);
  double angle = 0.0;
  if (rows == kInfinity && columns == kInfinity) angle = kPi / 4;
  else if (rows != 0.0) angle = columns == 0.0 ? kPi / 2 : atan_of_size(rows / columns);
  if (std::signbit(x)) angle = kPi - (angle - kPiLow);
  return std::copysign(angle, y);
}

}  // namespace attn::math
