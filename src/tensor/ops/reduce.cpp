// Ops that fold by adding, multiplying or asking. Those that pick an element are in extreme.cpp, those that keep the
// axis in softmax.cpp.
#include "tensor/ops/reduce.h"

#include <cmath>
#include <limits>

#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/fold.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

Shape dims_of(const std::optional<std::int64_t>& dim) { return dim ? Shape{*dim} : Shape{}; }

// Integers wrap around, as PyTorch's do; that is defined for unsigned ones only.
std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// Folds in Int64 or Float64, starting from `start`; a Float64 result is not yet rounded to x's type.
template <class IntStep, class FloatStep>
Tensor fold_wide(const Tensor& x, const Fold& fold, std::int64_t start, IntStep&& int_step, FloatStep&& float_step) {
  const DType wide = is_floating(x.dtype()) ? DType::Float64 : DType::Int64;
  Tensor acc = full(fold.out_shape, start, wide);
  dispatch(x.dtype(), [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>)
      fold_into<T>(x, fold, acc.mutable_data<double>(),
                   [&](double sum, T value, std::int64_t) { return float_step(sum, static_cast<double>(value)); });
    else
      fold_into<T>(x, fold, acc.mutable_data<std::int64_t>(), [&](std::int64_t sum, T value, std::int64_t) {
        return int_step(sum, static_cast<std::int64_t>(value));
      });
  });
  return acc;
}

Tensor wide_sum(const Tensor& x, const Fold& fold) {
  return fold_wide(x, fold, 0, wrapping_add, [](double a, double b) { return a + b; });
}

// The Float64 (or Int64) result in the type that the op promises for x.
Tensor in_result_type(Tensor wide, const Tensor& x) {
  return x.dtype() == DType::Float32 ? cast(wide, DType::Float32) : wide;
}

void divide_in_place(Tensor& x, double divisor) {
  double* data = x.mutable_data<double>();
  for (std::int64_t i = 0; i < x.numel(); ++i) data[i] /= divisor;
}

void require_mean(const Tensor& x) {
  if (is_floating(x.dtype())) return;
  throw TensorError("dtype.unsupported", Code::Type, "RuntimeError",
                    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
                    "dtype. Got: " +
                        scalar_type_name(x.dtype()));
}

// Float64: the mean squared distance from the mean, in two passes.
Tensor wide_var(const Tensor& x, const Shape& dims, bool unbiased, bool keepdim) {
  if (!is_floating(x.dtype()))
    throw TensorError("dtype.unsupported", Code::Type, "RuntimeError",
                      "std and var only support floating point and complex dtypes");
  const Fold fold = plan_fold(x, dims, keepdim);
  Tensor mean = wide_sum(x, fold);
  divide_in_place(mean, static_cast<double>(fold.group));
  Tensor squares = zeros(fold.out_shape, DType::Float64);
  const double* center = mean.data<double>();
  dispatch(x.dtype(), [&]<class T>(T) {
    fold_into<T>(x, fold, squares.mutable_data<double>(), [&](double sum, T value, std::int64_t o) {
      const double distance = static_cast<double>(value) - center[o];
      return sum + distance * distance;
    });
  });
  // With one element (or none) and Bessel's correction this is 0 / 0: NaN, as in PyTorch.
  divide_in_place(squares, static_cast<double>(std::max<std::int64_t>(fold.group - (unbiased ? 1 : 0), 0)));
  return squares;
}

template <class Step>
Tensor fold_truth(const Tensor& x, std::optional<std::int64_t> dim, bool keepdim, bool start, Step&& step) {
  const Fold fold = plan_fold(x, dims_of(dim), keepdim);
  Tensor result = full(fold.out_shape, start, DType::Bool);
  dispatch(x.dtype(), [&]<class T>(T) {
    fold_into<T>(x, fold, result.mutable_data<bool>(),
                 [&](bool sum, T value, std::int64_t) { return step(sum, value != T{0}); });
  });
  return result;
}

}  // namespace

Tensor sum(const Tensor& x, const Shape& dims, bool keepdim) {
  const Fold fold = plan_fold(x, dims, keepdim);
  return is_floating(x.dtype()) ? sum_in_order(x, fold) : wide_sum(x, fold);
}

Tensor mean(const Tensor& x, const Shape& dims, bool keepdim) {
  require_mean(x);
  const Fold fold = plan_fold(x, dims, keepdim);
  return sum_in_order(x, fold, fold.group);
}

Tensor sum_in_double(const Tensor& x, const Shape& dims, bool keepdim) {
  return in_result_type(wide_sum(x, plan_fold(x, dims, keepdim)), x);
}

Tensor mean_in_double(const Tensor& x, const Shape& dims, bool keepdim) {
  require_mean(x);
  const Fold fold = plan_fold(x, dims, keepdim);
  Tensor result = wide_sum(x, fold);
  divide_in_place(result, static_cast<double>(fold.group));
  return in_result_type(result, x);
}

Tensor prod(const Tensor& x, std::optional<std::int64_t> dim, bool keepdim) {
  return in_result_type(
      fold_wide(x, plan_fold(x, dims_of(dim), keepdim), 1, wrapping_mul, [](double a, double b) { return a * b; }), x);
}

Tensor var(const Tensor& x, const Shape& dims, bool unbiased, bool keepdim) {
  return in_result_type(wide_var(x, dims, unbiased, keepdim), x);
}

Tensor std_dev(const Tensor& x, const Shape& dims, bool unbiased, bool keepdim) {
  Tensor result = wide_var(x, dims, unbiased, keepdim);
  double* data = result.mutable_data<double>();
  for (std::int64_t i = 0; i < result.numel(); ++i) data[i] = std::sqrt(data[i]);
  return in_result_type(result, x);
}

Tensor any(const Tensor& x, std::optional<std::int64_t> dim, bool keepdim) {
  return fold_truth(x, dim, keepdim, false, [](bool a, bool b) { return a || b; });
}

Tensor all(const Tensor& x, std::optional<std::int64_t> dim, bool keepdim) {
  return fold_truth(x, dim, keepdim, true, [](bool a, bool b) { return a && b; });
}

}  // namespace attn
