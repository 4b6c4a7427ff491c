#include "tensor/ops/norms.h"

#include <cmath>
#include <limits>
#include <vector>

#include "tensor/core/error.h"
#include "tensor/core/lanes.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/arrange.h"
#include "tensor/ops/fold.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/math_functions.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

namespace attn {
namespace {

/// finish(acc) of acc = step(acc, |element|) over each group.
template <class Step, class Finish>
Tensor fold_sizes(const Tensor& x, const Fold& fold, double start, Step step, Finish finish) {
  Tensor out = Tensor::empty(fold.out_shape, x.dtype());
  std::vector<double> acc(static_cast<std::size_t>(out.numel()), start);
  const auto run = [&]<class T>(T) {
    fold_into<T>(x, fold, acc.data(),
                 [&](double sum, T value, std::int64_t) { return step(sum, std::fabs(static_cast<double>(value))); });
    T* to = out.mutable_data<T>();
    for (const double sum : acc) *to++ = static_cast<T>(finish(sum));
  };
  if (x.dtype() == DType::Float32) run(float{});
  else run(double{});
  return out;
}

double same(double sum) { return sum; }
double as_float(double number) {
  return number > std::numeric_limits<float>::max() ? math::kInfinity : static_cast<float>(number);
}

}  // namespace

Tensor vector_norm(const Tensor& x, double p, const Shape& dims, bool keepdim) {
  const Fold fold = plan_fold(x, dims, keepdim);
  const auto larger = [](double a, double b) { return b > a || b != b ? b : a; };
  const auto smaller = [](double a, double b) { return b < a || b != b ? b : a; };
  if (p == 2)
    return fold_sizes(
        x, fold, 0, [](double a, double b) { return a + b * b; }, [](double a) { return std::sqrt(a); });
  if (p == 1 || (p < 0 && x.numel() == 0))  // of nothing 0, not 0 to the power of 1 / p
    return fold_sizes(
        x, fold, 0, [](double a, double b) { return a + b; }, same);
  if (p == 0)
    return fold_sizes(
        x, fold, 0, [](double a, double b) { return a + (b != 0 ? 1 : 0); }, same);
  if (p == math::kInfinity) return fold_sizes(x, fold, 0, larger, same);
  if (p == -math::kInfinity) return fold_sizes(x, fold, x.numel() ? math::kInfinity : 0, smaller, same);
  // As PyTorch keeps it. Its powers are float32, too: a large one is infinite, and an order near 0 shows the rounding.
  const double order = static_cast<float>(p);
  const auto kept = x.dtype() == DType::Float32 ? as_float : same;
  return fold_sizes(
      x, fold, 0, [=](double a, double b) { return a + kept(math::pow(b, order)); },
      [=](double a) { return math::pow(kept(a), kept(1 / order)); });
}

Tensor logsumexp(const Tensor& x, const Shape& dims, bool keepdim) {
  const Tensor floats = is_floating(x.dtype()) ? x : cast(x, DType::Float32);
  if (x.numel() == 0) return log(sum(exp(floats), dims, keepdim));
  const Tensor top = amax(floats, dims, true);
  const Tensor finite = where(isinf(top), Scalar(0.0), top);  // inf - inf would be NaN
  const Tensor total = log(sum(exp(sub(floats, finite)), dims, keepdim));
  return add(total, view(finite, total.shape()));
}

Tensor count_nonzero(const Tensor& x, const Shape& dims) { return sum(ne(x, Scalar(std::int64_t{0})), dims); }

Tensor cumprod(const Tensor& x, std::int64_t dim) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  const Tensor from = at_least_1d(x.dtype() == DType::Bool ? cast(x, DType::Int64) : x);
  Tensor out = Tensor::empty(from.shape(), from.dtype());
  const auto place = static_cast<std::size_t>(axis);
  dispatch(from.dtype(), [&]<class T>(T) {
    using Acc = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
    T* data = out.mutable_data<T>();
    for_each_lane(from, out.strides(), axis, [&](std::int64_t in, std::int64_t to) {
      Acc product{1};
      for (std::int64_t i = 0; i < from.size(axis); ++i) {
        if (i % kBlock == 0) look();
        product *= static_cast<Acc>(from.data<T>()[in + i * from.strides()[place]]);
        data[to + i * out.strides()[place]] = static_cast<T>(product);
      }
    });
  });
  return x.dim() ? out : squeeze(out);
}

Tensor trace(const Tensor& x) {
  if (x.dim() != 2)
    throw TensorError("trace.dims", Code::Shape, "RuntimeError",
                      "trace: expected a matrix, but got tensor with dim " + std::to_string(x.dim()));
  if (x.dtype() == DType::Bool) throw_not_implemented("trace", x.dtype());
  return sum_in_double(diagonal(x));
}

}  // namespace attn
