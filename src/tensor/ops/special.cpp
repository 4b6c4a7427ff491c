#include "tensor/ops/special.h"

#include <cmath>
#include <limits>

#include "tensor/core/error.h"
#include "tensor/ops/map_elements.h"
#include "tensor/ops/math_derived.h"

namespace attn {
namespace {

/// f of floats; integers are whole already.
template <class F>
Tensor round_with(const Tensor& x, const char* kernel, F f) {
  if (x.dtype() == DType::Bool) throw_not_implemented(kernel, x.dtype());
  if (x.dtype() == DType::Int64) return map<std::int64_t>(x, [](std::int64_t v) { return v; });
  return map_as_floats(x, f);
}

double power_of_ten(std::int64_t decimals) { return math::pow(10.0, static_cast<double>(std::abs(decimals))); }

/// f(a, b) of two operands in their common type.
template <class F>
Tensor zip_floats(const Operand& a, const Operand& b, DType common, F f) {
  const OperandPair pair = make_pair(a, b, common);
  return common == DType::Float64 ? zip<double>(pair, f) : zip<float>(pair, f);
}

DType floating(DType dtype) { return is_floating(dtype) ? dtype : DType::Float32; }

// Of a number and NaN the number; of two NaNs NaN.
template <bool kLargest>
Tensor nearer(const Tensor& a, const Tensor& b) {
  const auto choose = []<class T>(T left, T right) {
    if (left != left) return right;
    if (right != right) return left;
    return (kLargest ? left > right : left < right) ? left : right;
  };
  const DType common = result_type(a, b);
  const OperandPair pair = make_pair(a, b, common);
  return dispatch(
      common, [&]<class T>(T) { return zip<T>(pair, [choose](T left, T right) -> T { return choose(left, right); }); });
}

}  // namespace

Tensor erf(const Tensor& x) {
  return map_by_kernel(x, [](const auto& k) { return k.erf; });
}
Tensor erfinv(const Tensor& x) {
  return map_as_floats(x, []<class T>(T value) { return math::inverse_erf(value); });
}
Tensor log2(const Tensor& x) { return map_in_double(x, math::log2); }
Tensor log10(const Tensor& x) { return map_in_double(x, math::log10); }
Tensor log1p(const Tensor& x) { return map_in_double(x, math::log1p); }
Tensor expm1(const Tensor& x) { return map_in_double(x, math::expm1); }
Tensor exp2(const Tensor& x) {
  return map_in_double(x, [](double v) { return math::pow(2.0, v); });
}
Tensor tan(const Tensor& x) { return map_in_double(x, math::tan); }
Tensor asin(const Tensor& x) { return map_in_double(x, math::asin); }
Tensor acos(const Tensor& x) { return map_in_double(x, math::acos); }
Tensor atan(const Tensor& x) { return map_in_double(x, math::atan); }
Tensor sinh(const Tensor& x) { return map_in_double(x, math::sinh); }
Tensor cosh(const Tensor& x) { return map_in_double(x, math::cosh); }

Tensor floor(const Tensor& x) {
  return round_with(x, "floor_vml_cpu", [](auto v) { return std::floor(v); });
}
Tensor ceil(const Tensor& x) {
  return round_with(x, "ceil_vml_cpu", [](auto v) { return std::ceil(v); });
}
Tensor trunc(const Tensor& x) {
  return round_with(x, "trunc_vml_cpu", [](auto v) { return std::trunc(v); });
}

Tensor round(const Tensor& x, std::int64_t decimals) {
  if (decimals == 0) return round_with(x, "round_vml_cpu", [](auto v) { return std::nearbyint(v); });
  if (!is_floating(x.dtype())) throw_not_implemented("round_cpu", x.dtype());
  const double power = power_of_ten(decimals);
  return map_as_floats(x, [=]<class T>(T v) {
    const T ten = static_cast<T>(power);
    return decimals > 0 ? std::nearbyint(v * ten) / ten : std::nearbyint(v / ten) * ten;
  });
}

Tensor frac(const Tensor& x) {
  if (!is_floating(x.dtype())) throw_not_implemented("frac_cpu", x.dtype());
  return map_as_floats(x, [](auto v) { return v - std::trunc(v); });
}

Tensor sign(const Tensor& x) {
  if (x.dtype() == DType::Bool) return map<bool>(x, [](bool v) { return v; });
  const auto sign_of = []<class T>(T v) { return static_cast<T>((v > T{0}) - (v < T{0})); };
  if (x.dtype() == DType::Int64) return map<std::int64_t>(x, sign_of);
  return map_as_floats(x, sign_of);
}

NumberBounds bounds_of(DType dtype) {
  const double largest = dtype == DType::Float32 ? static_cast<double>(std::numeric_limits<float>::max())
                                                 : std::numeric_limits<double>::max();
  return {0.0, largest, -largest};
}

Tensor nan_to_num(const Tensor& x, const NumberBounds& numbers) {
  if (x.dtype() == DType::Bool) return map<bool>(x, [](bool v) { return v; });
  if (!is_floating(x.dtype())) return map<std::int64_t>(x, [](std::int64_t v) { return v; });
  return map_in_double(x, [=](double v) {
    if (v != v) return numbers.nan;
    if (v == math::kInfinity) return numbers.high;
    return v == -math::kInfinity ? numbers.low : v;
  });
}

Tensor fmod(const Operand& x, const Operand& other) {
  const DType common = result_type(x, other);
  if (common == DType::Bool) throw_not_implemented("fmod_cpu", common);
  if (is_floating(common)) return zip_floats(x, other, common, [](auto a, auto b) { return std::fmod(a, b); });
  return zip<std::int64_t>(make_pair(x, other, common), [](std::int64_t a, std::int64_t b) {
    if (b == 0) throw TensorError("divide.zero", Code::Value, "RuntimeError", "ZeroDivisionError");
    return b == -1 ? std::int64_t{0} : a % b;  // the smallest integer by -1 would trap
  });
}

Tensor fmax(const Tensor& a, const Tensor& b) { return nearer<true>(a, b); }
Tensor fmin(const Tensor& a, const Tensor& b) { return nearer<false>(a, b); }

Tensor atan2(const Tensor& y, const Tensor& x) {
  return zip_floats(y, x, floating(result_type(y, x)), []<class T>(T a, T b) {
    return static_cast<T>(math::atan2(static_cast<double>(a), static_cast<double>(b)));
  });
}

Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight) {
  const Tensor distance = sub(end, start);
  const Tensor near_start = add(start, mul(weight, distance));
  const Tensor near_end = sub(end, mul(distance, sub(Scalar(std::int64_t{1}), weight)));
  return where(lt(weight, Scalar(0.5)), near_start, near_end);
}

}  // namespace attn
