#pragma once
// Reading single elements and nested lists out of a tensor, whatever its type and strides.
#include <cstdint>
#include <variant>
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

/// The element at `index` (0 <= index[d] < size(d), one entry per axis).
Scalar element_at(const Tensor& x, const Shape& index);
/// The element with that number in row-major order.
Scalar element_at(const Tensor& x, std::int64_t number);
Shape unravel(std::int64_t number, const Shape& shape);
/// All elements in row-major order as doubles (int64 beyond 2^53 are rounded).
std::vector<double> to_doubles(const Tensor& x);

/// The same to look at, without a copy of a contiguous float32 tensor, which outlives it.
class Doubles {
 public:
  explicit Doubles(const Tensor& x);
  std::size_t size() const { return size_; }
  double operator[](std::size_t number) const { return floats_ ? floats_[number] : copy_[number]; }
  bool has_nan() const;
  /// Whether `count` numbers from `from` on are those of `other` from `other_from` on, `step` apart; nan is nan.
  bool is_same_run(std::size_t from, const Doubles& other, std::int64_t other_from, std::int64_t step,
                   std::size_t count) const;

 private:
  std::size_t size_;
  const float* floats_ = nullptr;
  std::vector<double> copy_;
};

/// The value of a tensor with one element.
///   Errors: ValueError "only one element tensors can be converted to Python scalars".
Scalar item(const Tensor& x);

/// A view without copies: of a stretched axis, which may be of any length, one place.
Tensor unstretched(const Tensor& x);

struct Statistics {
  std::int64_t count = 0, nan = 0, inf = 0;
  double min = 0, mean = 0, max = 0;  // over the finite elements
};
Statistics statistics(const Tensor& x);

}  // namespace attn
