#pragma once
// Walking the rows ("lanes") of a tensor along one axis, next to those of another tensor.
#include <cstddef>

#include "base/limits.h"
#include "tensor/core/tensor.h"
#include "tensor/core/walk.h"

namespace attn {

/// `x` with one axis where it has none, so that there is an axis to walk along.
inline Tensor at_least_1d(const Tensor& x) { return x.dim() > 0 ? x : x.as_strided({1}, {1}, x.offset()); }

inline Shape without_axis(Shape shape, std::int64_t axis) {
  shape.erase(shape.begin() + axis);
  return shape;
}

/// Calls f(a, b) with the offset of the first element of each lane along `axis`, in x and in a tensor with strides
/// `other`; both are alike in the other axes. Lanes are visited in no particular order; each is charged its length.
template <class F>
void for_each_lane(const Tensor& x, const Shape& other, std::int64_t axis, F&& f) {
  const Walk walk =
      plan_walk(without_axis(x.shape(), axis), {without_axis(x.strides(), axis), without_axis(other, axis)});
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      charge(x.size(axis));
      f(at[0] + i * walk.strides[0].back(), at[1] + i * walk.strides[1].back());
    }
  });
}

}  // namespace attn
