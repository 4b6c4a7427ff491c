// Sums of floats with numpy's bits. numpy walks over an array as it lies in memory. Elements that meet and follow one
// another it adds pairwise, at most 8,192 at a time: fewer than 8 from the left, up to 128 in eight sums side by side,
// more of them as two halves. What it has then, and elements that do not follow one another, it adds to the result.
#include <algorithm>
#include <vector>

#include "tensor/core/walk.h"
#include "tensor/ops/create.h"
#include "tensor/ops/fold.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

namespace attn {
namespace {

constexpr std::size_t kAtOnce = 8192;
constexpr std::int64_t kSideBySide = 128;

template <class T>
T pairwise_sum(const T* x, std::int64_t count) {
  if (count > kSideBySide) {
    const std::int64_t half = count / 2 - count / 2 % 8;
    return pairwise_sum(x, half) + pairwise_sum(x + half, count - half);
  }
  T sum = T{-0.0};
  std::int64_t i = 0;
  if (count >= 8) {
    T r[8] = {};
    std::copy_n(x, 8, r);
    for (i = 8; i + 8 <= count; i += 8)
      for (std::int64_t k = 0; k < 8; ++k) r[k] += x[i + k];
    sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  }
  for (; i < count; ++i) sum += x[i];
  return sum;
}

/// Collects the elements that meet in one place of the result.
template <class T>
class PairwiseSums {
 public:
  explicit PairwiseSums(T* out) : out_(out) {}
  void add(std::int64_t place, const T* x, std::int64_t step, std::int64_t count) {
    if (place != place_) finish();
    place_ = place;
    for (std::int64_t i = 0; i < count; ++i) {
      if (waiting_.size() == kAtOnce) finish();
      waiting_.push_back(x[i * step]);
    }
  }
  void finish() {
    if (!waiting_.empty()) out_[place_] += pairwise_sum(waiting_.data(), std::ssize(waiting_));
    waiting_.clear();
  }

 private:
  T* out_;
  std::int64_t place_ = 0;
  std::vector<T> waiting_;
};

template <class T>
void sum_as_numpy(const Tensor& x, const Fold& fold, T* out) {
  const Walk walk = plan_walk(x.shape(), {x.strides(), fold.out_strides});
  const std::int64_t step = walk.strides[0].back(), out_step = walk.strides[1].back();
  PairwiseSums<T> sums(out);
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    const T* from = x.data<T>() + at[0];
    if (out_step == 0) return sums.add(at[1], from, step, count);
    for (std::int64_t i = 0; i < count; ++i) out[at[1] + i * out_step] += from[i * step];
  });
  sums.finish();
}

}  // namespace

Tensor numpy_sum(const Tensor& x, const Shape& dims, bool keepdim) {
  if (x.dtype() != DType::Float32 && x.dtype() != DType::Float64) return sum_in_double(x, dims, keepdim);
  const Fold fold = plan_fold(x, dims, keepdim);
  Tensor result = zeros(fold.out_shape, x.dtype());
  if (x.dtype() == DType::Float32) sum_as_numpy(x, fold, result.mutable_data<float>());
  else sum_as_numpy(x, fold, result.mutable_data<double>());
  return result;
}

Tensor numpy_mean(const Tensor& x, const Shape& dims, bool keepdim) {
  if (x.dtype() != DType::Float32 && x.dtype() != DType::Float64) return mean_in_double(x, dims, keepdim);
  const Tensor result = numpy_sum(x, dims, keepdim);
  return div(result, static_cast<double>(plan_fold(x, dims, keepdim).group));
}

}  // namespace attn
