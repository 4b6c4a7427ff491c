#include "tensor/core/read.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/limits.h"
#include "tensor/core/error.h"

namespace attn {
namespace {

Scalar scalar_at(const Tensor& x, std::int64_t offset) {
  return dispatch(x.dtype(), [&]<class T>(T) -> Scalar {
    const T value = x.data<T>()[offset];
    if constexpr (std::is_same_v<T, float>) return static_cast<double>(value);
    else return value;
  });
}

/// f(element as double) in row-major order.
template <class F>
void for_each_double(const Tensor& x, F f) {
  constexpr std::int64_t kBlock = 1 << 16;
  std::int64_t seen = 0;
  dispatch(x.dtype(), [&]<class T>(T) {
    const T* const data = x.data<T>();
    if (x.is_contiguous()) {
      while (seen < x.numel()) {
        const std::int64_t end = std::min(seen + kBlock, x.numel());
        for (; seen < end; ++seen) f(static_cast<double>(data[seen]));
        if (seen % kBlock == 0) charge(kBlock);
      }
      return;
    }
    for_each_offset(x.shape(), x.strides(), [&](std::int64_t at) {
      f(static_cast<double>(data[at]));
      if (++seen % kBlock == 0) charge(kBlock);
    });
  });
  charge(seen % kBlock);
}

}  // namespace

Scalar element_at(const Tensor& x, const Shape& index) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * x.strides()[d];
  return scalar_at(x, offset);
}

Scalar element_at(const Tensor& x, std::int64_t number) {
  return x.is_contiguous() ? scalar_at(x, number) : element_at(x, unravel(number, x.shape()));
}

Shape unravel(std::int64_t number, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = number % shape[d];
    number /= shape[d];
  }
  return index;
}

std::vector<double> to_doubles(const Tensor& x) {
  std::vector<double> values(static_cast<std::size_t>(x.numel()));
  double* to = values.data();
  for_each_double(x, [&](double value) { *to++ = value; });
  return values;
}

Doubles::Doubles(const Tensor& x) : size_(static_cast<std::size_t>(x.numel())) {
  if (x.dtype() == DType::Float32 && x.is_contiguous()) floats_ = x.data<float>();
  else copy_ = to_doubles(x);
}

template <class T>
static bool has_nan_in(const T* numbers, std::size_t count) {
  int found = 0;  // without a way out, so that several are compared at once
  for (std::size_t i = 0; i < count; ++i) found |= numbers[i] != numbers[i];
  return found != 0;
}

bool Doubles::has_nan() const { return floats_ ? has_nan_in(floats_, size_) : has_nan_in(copy_.data(), copy_.size()); }

bool Doubles::is_same_run(std::size_t from, const Doubles& other, std::int64_t other_from, std::int64_t step,
                          std::size_t count) const {
  const bool are_bytes = floats_ && other.floats_ && step == 1;
  if (are_bytes && std::memcmp(floats_ + from, other.floats_ + other_from, count * sizeof(float)) == 0) return true;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = (*this)[from + i];
    const double b = other[static_cast<std::size_t>(other_from + static_cast<std::int64_t>(i) * step)];
    if (a != b && !(std::isnan(a) && std::isnan(b))) return false;
  }
  return true;
}

Scalar item(const Tensor& x) {
  if (x.numel() != 1)
    throw TensorError("item.numel", Code::Value, "ValueError",
                      "only one element tensors can be converted to Python scalars", {{"numel", x.numel()}});
  return scalar_at(x, 0);
}

Tensor unstretched(const Tensor& x) {
  Shape shape = x.shape();
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (x.strides()[axis] == 0) shape[axis] = std::min<std::int64_t>(shape[axis], 1);
  return x.as_strided(shape, x.strides(), x.offset());
}

Statistics statistics(const Tensor& whole) {
  const Tensor x = unstretched(whole);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double sum = 0, least = kInfinity, largest = -kInfinity;
  std::int64_t nan = 0, inf = 0;
  for_each_double(x, [&](double value) {
    if (!std::isfinite(value)) {
      ++(std::isnan(value) ? nan : inf);
      return;
    }
    least = std::min(least, value);
    largest = std::max(largest, value);
    sum += value;
  });
  Statistics result{.count = x.numel(), .nan = nan, .inf = inf};
  const std::int64_t finite = x.numel() - nan - inf;
  if (finite > 0) result.min = least, result.max = largest, result.mean = sum / static_cast<double>(finite);
  if (const std::int64_t copies = x.numel() > 0 ? whole.numel() / x.numel() : 1; copies > 1)
    for (std::int64_t* count : {&result.count, &result.nan, &result.inf}) *count *= copies;
  return result;
}

}  // namespace attn
