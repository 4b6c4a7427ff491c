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

}  // namespace attn::math
