// Pointwise ops with one operand. The functions stand in lambdas so that they are inlined into the loops; those that
// take long are kernels (kernels/versioned/map.h).
#include <cmath>
#include <limits>

#include "tensor/core/error.h"
#include "tensor/ops/create.h"
#include "tensor/ops/map_elements.h"
#include "tensor/ops/math_functions.h"

namespace attn {
namespace {

/// f for Int64 and floats; `refuse` throws for Bool.
template <class F>
Tensor map_numbers(const Tensor& x, F f) {
  if (x.dtype() == DType::Int64) return map<std::int64_t>(x, f);
  return map_as_floats(x, f);
}

/// A question to each element that integers and Bool answer all alike.
template <class F>
Tensor ask(const Tensor& x, bool answer_of_integers, F f) {
  if (is_floating(x.dtype())) return map_as_floats(x, [f](auto value) -> bool { return f(value); });
  return dispatch(x.dtype(), [&]<class T>(T) { return map<T>(x, [=](T) { return answer_of_integers; }); });
}

std::int64_t negated(std::int64_t value) { return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value)); }

/// NaN stays NaN, and a bound that is NaN holds for nothing.
template <class T>
Tensor clamp_elements(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  const auto number = [](const Scalar& s) { return std::visit([](auto v) { return convert<T>(v); }, s); };
  const T low = min ? number(*min) : T{};
  const T high = max ? number(*max) : T{};
  if (!max) return map<T>(x, [=](T v) { return v < low ? low : v; });
  if (!min) return map<T>(x, [=](T v) { return v > high ? high : v; });
  if (low != low || high != high) return map<T>(x, [=](T) { return low + high; });  // NaN
  return map<T>(x, [=](T v) {
    const T raised = v < low ? low : v;
    return raised > high ? high : raised;
  });
}

}  // namespace

Tensor neg(const Tensor& x) {
  if (x.dtype() == DType::Bool)
    throw TensorError("neg.bool", Code::Type, "RuntimeError",
                      "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
                      "mask, use the `~` or `logical_not()` operator instead.");
  return x.dtype() == DType::Int64 ? map<std::int64_t>(x, negated) : map_as_floats(x, [](auto v) { return -v; });
}

Tensor abs(const Tensor& x) {
  if (x.dtype() == DType::Bool) throw_not_implemented("abs_cpu", x.dtype());
  if (x.dtype() == DType::Int64) return map<std::int64_t>(x, [](std::int64_t v) { return v < 0 ? negated(v) : v; });
  return map_as_floats(x, [](auto v) { return std::fabs(v); });
}

Tensor exp(const Tensor& x) {
  return map_by_kernel(x, [](const auto& k) { return k.exp; });
}

Tensor reciprocal(const Tensor& x) {
  return map_as_floats(x, [](auto v) { return 1 / v; });
}

Tensor log(const Tensor& x) {
  return map_by_kernel(x, [](const auto& k) { return k.log; });
}

Tensor sin(const Tensor& x) {
  return map_in_double(x, [](double v) { return math::sin(v); });
}

Tensor cos(const Tensor& x) {
  return map_in_double(x, [](double v) { return math::cos(v); });
}

Tensor tanh(const Tensor& x) {
  return map_by_kernel(x, [](const auto& k) { return k.tanh; });
}

Tensor sigmoid(const Tensor& x) {
  return map_by_kernel(x, [](const auto& k) { return k.sigmoid; });
}

Tensor sqrt(const Tensor& x) {
  return map_as_floats(x, [](auto v) { return std::sqrt(v); });
}

Tensor rsqrt(const Tensor& x) {
  return map_as_floats(x, [](auto v) { return 1 / std::sqrt(v); });
}

Tensor relu(const Tensor& x) {
  if (x.dtype() == DType::Bool)
    throw TensorError("relu.dtype", Code::Type, "RuntimeError", "Boolean inputs not supported for relu");
  return map_numbers(x, []<class T>(T v) { return v < 0 ? T{0} : v; });
}

Tensor isnan(const Tensor& x) {
  return ask(x, false, [](auto v) { return v != v; });
}

Tensor isinf(const Tensor& x) {
  return ask(x, false, [](auto v) { return std::fabs(v) == math::kInfinity; });
}

Tensor isfinite(const Tensor& x) {
  return ask(x, true, [](auto v) { return std::fabs(v) < math::kInfinity; });
}

Tensor logical_not(const Tensor& x) {
  return dispatch(x.dtype(), [&]<class T>(T) { return map<T>(x, [](T v) -> bool { return v == T{}; }); });
}

Tensor bitwise_not(const Tensor& x) {
  if (is_floating(x.dtype()))
    throw TensorError("bitwise_not.dtype", Code::Type, "RuntimeError",
                      "\"bitwise_not_cpu\" not implemented for '" + scalar_type_name(x.dtype()) + "'");
  if (x.dtype() == DType::Bool) return logical_not(x);
  return map<std::int64_t>(x, [](std::int64_t v) { return ~v; });
}

Tensor clamp(const Tensor& x, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  if (!min && !max)
    throw TensorError("clamp.bounds", Code::Value, "RuntimeError",
                      "torch.clamp: At least one of 'min' or 'max' must not be None");
  DType dtype = x.dtype();
  for (const std::optional<Scalar>& bound : {min, max})
    if (bound) dtype = promote(dtype, *bound);
  if (dtype == DType::Bool)
    throw_not_implemented(!max ? "clamp_min_cpu" : !min ? "clamp_max_scalar_cpu" : "clamp_scalar_cpu", dtype);
  for (const std::optional<Scalar>& bound : {min, max})
    if (bound) check_fits(*bound, dtype);
  const Tensor converted = to(x, dtype);
  switch (dtype) {
    case DType::Int64: return clamp_elements<std::int64_t>(converted, min, max);
    case DType::Float64: return clamp_elements<double>(converted, min, max);
    default: return clamp_elements<float>(converted, min, max);
  }
}

}  // namespace attn
