#pragma once
// More of our own functions of a double, built on exp, log, sin and cos of math_functions.h: no table of the C library
// behind them, so every machine gets the same bits. Each is within a few ulps.
#include "tensor/ops/math_functions.h"

namespace attn::math {

double expm1(double x);
double log1p(double x);
double log2(double x);   // exact for powers of 2
double log10(double x);  // exact for powers of 10
double tan(double x);
double sinh(double x);
double cosh(double x);
double atan(double x);
double asin(double x);
double acos(double x);
/// The angle of the point (x, y), between -pi and pi; signed zeros as in C.
double atan2(double y, double x);

/// The inverse of erf, as PyTorch has it: a quotient of polynomials and two steps of Newton's, in the element's type.
template <class T>
T inverse_erf(T y) {
  constexpr double kNear[] = {0.886226899, -1.645349621, 0.914624893, -0.140543331};
  constexpr double kNearBelow[] = {-2.118377725, 1.442710462, -0.329097515, 0.012229801};
  constexpr double kFar[] = {-1.970840454, -1.624906493, 3.429567803, 1.641345311};
  constexpr double kFarBelow[] = {3.543889200, 1.637067800};
  const auto at = [](double constant) { return static_cast<T>(constant); };
  const T size = std::fabs(y);
  if (size > T{1}) return std::numeric_limits<T>::quiet_NaN();
  if (size == T{1}) return std::copysign(std::numeric_limits<T>::infinity(), y);
  T x;
  if (size <= at(0.7)) {
    const T z = y * y;
    const T above = ((at(kNear[3]) * z + at(kNear[2])) * z + at(kNear[1])) * z + at(kNear[0]);
    const T below =
        (((at(kNearBelow[3]) * z + at(kNearBelow[2])) * z + at(kNearBelow[1])) * z + at(kNearBelow[0])) * z + T{1};
    x = y * above / below;
  } else {
    const T z = std::sqrt(-static_cast<T>(log((1.0 - static_cast<double>(size)) / 2.0)));
    const T above = ((at(kFar[3]) * z + at(kFar[2])) * z + at(kFar[1])) * z + at(kFar[0]);
    const T below = (at(kFarBelow[1]) * z + at(kFarBelow[0])) * z + T{1};
    x = std::copysign(above, y) / below;
  }
  const T scale = at(2.0 / std::sqrt(3.141592653589793));
  for (int i = 0; i < 2; ++i) {
    const auto value = static_cast<T>(erf(static_cast<double>(x))),
               slope = static_cast<T>(exp(static_cast<double>(-x * x)));
    x = x - (value - y) / (scale * slope);
  }
  return x;
}

}  // namespace attn::math
