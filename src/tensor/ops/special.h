#pragma once
// Functions of each element by itself that pointwise.h leaves out: logarithms, angles, rounding.
#include "tensor/ops/pointwise.h"

namespace attn {

// Integers and Bool become Float32.
Tensor erf(const Tensor& x);
Tensor erfinv(const Tensor& x);
Tensor log2(const Tensor& x);
Tensor log10(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor expm1(const Tensor& x);
Tensor exp2(const Tensor& x);
Tensor tan(const Tensor& x);
Tensor asin(const Tensor& x);
Tensor acos(const Tensor& x);
Tensor atan(const Tensor& x);
Tensor sinh(const Tensor& x);
Tensor cosh(const Tensor& x);

// Integers stay as they are. Errors: RuntimeError for Bool.
Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);
Tensor trunc(const Tensor& x);
/// Halves go to the even neighbor. Errors: RuntimeError for Bool, and for integers with decimals other than 0.
Tensor round(const Tensor& x, std::int64_t decimals = 0);
Tensor frac(const Tensor& x);  // RuntimeError for integers
Tensor sign(const Tensor& x);  // -1, 0 or 1; 0 for NaN

/// nan, inf and -inf replaced; `high` and `low` default to the largest and smallest number of the type.
struct NumberBounds {
  double nan = 0;
  double high, low;
};
Tensor nan_to_num(const Tensor& x, const NumberBounds& numbers);
NumberBounds bounds_of(DType dtype);

/// The remainder with the sign of the dividend, C's fmod. Errors: RuntimeError "ZeroDivisionError" for integers.
Tensor fmod(const Operand& x, const Operand& other);
/// The larger (smaller) of two, and of a number and NaN the number. Both of one type.
Tensor fmax(const Tensor& a, const Tensor& b);
Tensor fmin(const Tensor& a, const Tensor& b);
Tensor atan2(const Tensor& y, const Tensor& x);
/// start + weight (end - start), from whichever end is nearer; all of one floating type, broadcast.
Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight);

}  // namespace attn
