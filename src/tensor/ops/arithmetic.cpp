// Pointwise ops with two operands: arithmetic, comparisons, logic.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/limits.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/math_functions.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/zip.h"

namespace attn {
namespace {

using Int = std::int64_t;

/// Integers wrap around, as PyTorch's do; signed overflow would be undefined in C++.
template <class F>
Int wrapping(Int a, Int b, F f) {
  return static_cast<Int>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}

template <class F>
auto with_wrapping(F f) {
  return [f]<class T>(T a, T b) -> T {
    if constexpr (std::is_same_v<T, Int>) return wrapping(a, b, f);
    else return f(a, b);
  };
}

Int floor_div_int(Int a, Int b) {
  if (b == -1) return wrapping(0, a, std::minus<>{});  // of the lowest integer too
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

Int remainder_int(Int a, Int b) {
  if (b == -1) return 0;
  const Int rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

template <class T>
T remainder_float(T a, T b) {
  const T rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Python's way: from the exact remainder, so that the quotient is not rounded up across a whole number.
template <class T>
T floor_div_float(T a, T b) {
  if (b == 0) return a / b;
  const T rest = std::fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(T{0}, a / b);
  const T floor = std::floor(quotient);
  return quotient - floor > T{0.5} ? floor + 1 : floor;
}

Int power_int(Int base, Int exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  Int result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = wrapping(result, base, std::multiplies<>{});
    base = wrapping(base, base, std::multiplies<>{});
  }
  return result;
}

template <class T>
T power(T base, T exponent) {
  if constexpr (std::is_same_v<T, Int>) return power_int(base, exponent);
  else return static_cast<T>(math::pow(base, exponent));
}

/// `f` for two values of the common type, whichever of the four it is.
template <class F>
Tensor zip_any(const Operand& a, const Operand& b, DType common, F f) {
  const OperandPair pair = make_pair(a, b, common);
  return dispatch(common, [&]<class T>(T) { return zip<T>(pair, f); });
}

/// The same for a common type that is not Bool (already refused).
template <class F>
Tensor zip_numbers(const OperandPair& pair, F f) {
  switch (pair.a.dtype()) {
    case DType::Int64: return zip<Int>(pair, f);
    case DType::Float64: return zip<double>(pair, f);
    default: return zip<float>(pair, f);
  }
}

void check_divisor(const OperandPair& pair) {
  if (pair.b.dtype() != DType::Int64 || numel_of(pair.shape) == 0) return;
  const Int* const data = pair.b.data<Int>();
  Int seen = 0;
  for_each_offset(pair.b.shape(), pair.b.strides(), [&](Int at) {
    if (++seen % kBlock == 0) charge(0);  // only looks for an interrupt
    if (data[at] == 0) throw TensorError("divide.zero", Code::ZeroDivision, "RuntimeError", "ZeroDivisionError");
  });
}

template <class F, class G>
Tensor divide_whole(const Operand& a, const Operand& b, const std::string& kernel, F for_ints, G for_floats) {
  const DType common = result_type(a, b);
  const OperandPair pair = make_pair(a, b, common);
  if (common == DType::Bool) throw_not_implemented(kernel, common);
  check_divisor(pair);
  return zip_numbers(pair, [=]<class T>(T x, T y) -> T {
    if constexpr (std::is_same_v<T, Int>) return for_ints(x, y);
    else return for_floats(x, y);
  });
}

bool is_bool(const Operand& operand) {
  return operand.tensor() != nullptr ? operand.tensor()->dtype() == DType::Bool
                                     : std::holds_alternative<bool>(*operand.scalar());
}

template <class F>
Tensor compare_elements(const Operand& a, const Operand& b, F f) {
  return zip_any(a, b, result_type(a, b), [f]<class T>(T x, T y) -> bool { return f(x, y); });
}

template <class F>
Tensor bitwise(const Operand& a, const Operand& b, const std::string& op, F f) {
  const DType common = result_type(a, b);
  const OperandPair pair = make_pair(a, b, common);
  if (is_floating(common)) throw_not_implemented(op + "_cpu", common, "bitwise.dtype");
  if (common == DType::Bool) return zip<bool>(pair, [f](bool x, bool y) { return f(x, y) != 0; });
  return zip<Int>(pair, [f](Int x, Int y) -> Int { return f(x, y); });
}

template <class F>
Tensor shifted(const Operand& a, const Operand& b, const std::string& kernel, F f) {
  const DType common = result_type(a, b);
  const OperandPair pair = make_pair(a, b, common);
  if (common != DType::Int64) throw_not_implemented(kernel, common);
  return zip<Int>(pair, f);
}

/// x ** number for a float type. The exponents that PyTorch does by multiplication and roots are done so here too; the
/// others stay float64 beside float32 numbers: 2 ** 24 + 1 is odd.
template <class T>
Tensor power_float(const Tensor& x, double exponent) {
  if (exponent == 0) return map<T>(x, [](T) { return T{1}; });
  if (exponent == 1) return map<T>(x, [](T v) { return v; });
  if (exponent == 2) return map<T>(x, [](T v) { return v * v; });
  if (exponent == 3) return map<T>(x, [](T v) { return v * v * v; });
  if (exponent == 0.5) return map<T>(x, [](T v) { return std::sqrt(v); });
  if (exponent == -0.5) return map<T>(x, [](T v) { return 1 / std::sqrt(v); });
  if (exponent == -1) return map<T>(x, [](T v) { return 1 / v; });
  if (exponent == -2) return map<T>(x, [](T v) { return 1 / (v * v); });
  return map<T>(x, [exponent](T v) { return static_cast<T>(math::pow(v, exponent)); });
}

Tensor power_number(const Tensor& x, const Scalar& exponent, DType common) {
  if (common == DType::Int64) {
    const Int whole = to_int(exponent);
    if (whole < 0)
      throw TensorError("pow.negative", Code::Value, "RuntimeError",
                        "Integers to negative integer powers are not allowed.", {{"exponent", whole}});
    return map<Int>(to(x, common), [whole](Int v) { return power_int(v, whole); });
  }
  const Tensor base = to(x, common);
  return common == DType::Float64 ? power_float<double>(base, to_double(exponent))
                                  : power_float<float>(base, to_double(exponent));
}

}  // namespace

Tensor add(const Operand& a, const Operand& b) {
  return zip_any(a, b, result_type(a, b), []<class T>(T x, T y) -> T {
    if constexpr (std::is_same_v<T, bool>) return x || y;
    else return with_wrapping(std::plus<>{})(x, y);
  });
}

void check_subtraction(const Operand& a, const Operand& b) {
  const std::string both = is_bool(a) && is_bool(b) ? "two bool tensors" : "a bool tensor";
  const std::string advice =
      is_bool(a) && is_bool(b) ? "Use the `^` or `logical_xor()` operator instead."
                               : "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.";
  if (is_bool(a) || is_bool(b))
    throw TensorError("sub.bool", Code::Type, "RuntimeError",
                      "Subtraction, the `-` operator, with " + both + " is not supported. " + advice);
}

Tensor sub(const Operand& a, const Operand& b) {
  check_subtraction(a, b);
  return zip_numbers(make_pair(a, b, result_type(a, b)), with_wrapping(std::minus<>{}));
}

Tensor mul(const Operand& a, const Operand& b) {
  return zip_any(a, b, result_type(a, b), []<class T>(T x, T y) -> T {
    if constexpr (std::is_same_v<T, bool>) return x && y;
    else return with_wrapping(std::multiplies<>{})(x, y);
  });
}

Tensor div(const Operand& a, const Operand& b) {
  const DType common = std::max(result_type(a, b), DType::Float32);
  const OperandPair pair = make_pair(a, b, common);
  if (common == DType::Float64) return zip<double>(pair, std::divides<double>{});
  return zip<float>(pair, std::divides<float>{});
}

Tensor floor_divide(const Operand& a, const Operand& b) {
  return divide_whole(a, b, "div_floor_cpu", floor_div_int, []<class T>(T x, T y) { return floor_div_float(x, y); });
}

Tensor remainder(const Operand& a, const Operand& b) {
  return divide_whole(a, b, "remainder_cpu", remainder_int, []<class T>(T x, T y) { return remainder_float(x, y); });
}

Tensor pow(const Operand& a, const Operand& b) {
  const DType common = result_type(a, b);
  const bool negative = b.scalar() != nullptr && !is_float(*b.scalar()) && to_int(*b.scalar()) < 0;
  broadcast_shapes(shape_of(a), shape_of(b));
  if (common == DType::Bool && !negative) throw_not_implemented("pow", common);
  if (a.tensor() != nullptr && b.scalar() != nullptr) return power_number(*a.tensor(), *b.scalar(), common);
  return zip_numbers(make_pair(a, b, common), []<class T>(T x, T y) { return power(x, y); });
}

Tensor maximum(const Operand& a, const Operand& b) {  // NaN wins
  return zip_any(a, b, result_type(a, b), []<class T>(T x, T y) -> T { return x != x || x >= y ? x : y; });
}

Tensor minimum(const Operand& a, const Operand& b) {
  return zip_any(a, b, result_type(a, b), []<class T>(T x, T y) -> T { return x != x || x <= y ? x : y; });
}

Tensor eq(const Operand& a, const Operand& b) { return compare_elements(a, b, std::equal_to<>{}); }
Tensor ne(const Operand& a, const Operand& b) { return compare_elements(a, b, std::not_equal_to<>{}); }
Tensor lt(const Operand& a, const Operand& b) { return compare_elements(a, b, std::less<>{}); }
Tensor le(const Operand& a, const Operand& b) { return compare_elements(a, b, std::less_equal<>{}); }
Tensor gt(const Operand& a, const Operand& b) { return compare_elements(a, b, std::greater<>{}); }
Tensor ge(const Operand& a, const Operand& b) { return compare_elements(a, b, std::greater_equal<>{}); }

Tensor bitwise_and(const Operand& a, const Operand& b) { return bitwise(a, b, "bitwise_and", std::bit_and<>{}); }
Tensor bitwise_or(const Operand& a, const Operand& b) { return bitwise(a, b, "bitwise_or", std::bit_or<>{}); }
Tensor bitwise_xor(const Operand& a, const Operand& b) { return bitwise(a, b, "bitwise_xor", std::bit_xor<>{}); }

Tensor bitwise_left_shift(const Operand& a, const Operand& b) {
  return shifted(a, b, "lshift_cpu",
                 [](Int x, Int count) { return static_cast<Int>(static_cast<std::uint64_t>(x) << (count & 63)); });
}
Tensor bitwise_right_shift(const Operand& a, const Operand& b) {
  return shifted(a, b, "rshift_cpu", [](Int x, Int count) { return x >> (count & 63); });
}

Tensor logical_and(const Operand& a, const Operand& b) {
  return compare_elements(a, b, []<class T>(T x, T y) { return x != T{} && y != T{}; });
}

Tensor logical_or(const Operand& a, const Operand& b) {
  return compare_elements(a, b, []<class T>(T x, T y) { return x != T{} || y != T{}; });
}

Tensor logical_xor(const Operand& a, const Operand& b) {
  return compare_elements(a, b, []<class T>(T x, T y) { return (x != T{}) != (y != T{}); });
}

}  // namespace attn
