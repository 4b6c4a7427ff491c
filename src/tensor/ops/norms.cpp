#include "tensor/ops/norms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "tensor/core/error.h"
#include "tensor/core/lanes.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/work.h"
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
    for (const double sum : acc) {
      look();
      *to++ = static_cast<T>(finish(sum));
    }
  };
  if (x.dtype() == DType::Float32) run(float{});
  else run(double{});
  return out;
}

// The squares of a row as PyTorch adds those of float32: in eight lanes, then four at a time, then one by one.
template <class T>
T add_squares(const T* x, std::int64_t count) {
  std::array<T, 8> lanes{};
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    if (i % kBlock == 0) look();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const T number = x[i + static_cast<std::int64_t>(lane)];
      lanes[lane] = math::fused(number, number, lanes[lane]);
    }
  }
  T sum = 0;
  for (const T lane : lanes) sum += lane;
  if (i + 4 <= count)
    for (const std::int64_t four = i + 4; i < four; ++i) sum += x[i] * x[i];
  for (; i < count; ++i) sum = math::fused(x[i], x[i], sum);
  return sum;
}

// The axes that are kept, with their strides in x and in the result, if the folded ones lie next to each other.
std::optional<Walk> plan_rows(const Tensor& x, const Fold& fold) {
  Shape kept, steps, out_steps;
  std::vector<std::pair<std::int64_t, std::int64_t>> folded;  // strides and sizes
  for (std::size_t d = 0; d < x.shape().size(); ++d) {
    if (x.shape()[d] == 1) continue;
    if (fold.number_strides[d] != 0) folded.emplace_back(x.strides()[d], x.shape()[d]);
    else kept.push_back(x.shape()[d]), steps.push_back(x.strides()[d]), out_steps.push_back(fold.out_strides[d]);
  }
  std::sort(folded.begin(), folded.end());
  std::int64_t length = 1;
  for (const auto& [stride, size] : folded) {
    if (stride != length) return std::nullopt;
    length *= size;
  }
  return plan_walk(kept, {steps, out_steps});
}

template <class T>
void add_rows_of_squares(const Tensor& x, const Fold& fold, const Walk& walk, T* to) {
  const std::int64_t step = walk.strides[0].back(), out_step = walk.strides[1].back();
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      charge(fold.group);
      to[at[1] + i * out_step] = add_squares(x.data<T>() + at[0] + i * step, fold.group);
    }
  });
}

template <class T>
Tensor euclidean_norm(const Tensor& x, const Fold& fold) {
  Tensor out = Tensor::empty(fold.out_shape, x.dtype());
  T* const to = out.mutable_data<T>();
  std::fill_n(to, out.numel(), T{});
  const bool in_lanes = std::is_same_v<T, float> && x.numel() > 0;
  const std::optional<Walk> rows = in_lanes ? plan_rows(x, fold) : std::nullopt;
  if (rows) add_rows_of_squares(x, fold, *rows, to);
  else fold_into<T>(x, fold, to, [](T sum, T number, std::int64_t) { return math::fused(number, number, sum); });
  in_chunks(out.numel(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) to[i] = std::sqrt(to[i]);
  });
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
  if (p == 2) return x.dtype() == DType::Float32 ? euclidean_norm<float>(x, fold) : euclidean_norm<double>(x, fold);
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
