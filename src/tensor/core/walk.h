#pragma once
// How several tensors of one (broadcast) shape are walked together, and in which order of axes a result lies in memory.
//
// A pointwise result of PyTorch keeps the order of axes of its operands in memory: (q.permute(0, 2, 1, 3) / 8) is no
// more contiguous than the permuted q, and view() refuses it just the same. So the order matters to what a cell means.
#include <functional>
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

/// Strides of x as if it had `shape`, to which it broadcasts: 0 along axes that are stretched or new.
Shape broadcast_strides(const Tensor& x, const Shape& shape);

/// Strides of a new tensor that is filled from operands with these strides (0 where they are stretched): of the
/// operands in turn, the first that tells two axes apart decides which of them lies closer together.
Shape strides_in_order(const Shape& shape, const std::vector<Shape>& operands);

/// Strides of the result of a pointwise op, as PyTorch's TensorIterator chooses them.
Shape result_strides(const Shape& shape, const std::vector<const Tensor*>& operands);

Tensor empty_strided(const Shape& shape, DType dtype, const Shape& strides);
/// A new tensor with x's sizes and, where x has no gaps, strides: what clone() and to() fill.
Tensor empty_like(const Tensor& x, DType dtype);

bool has_channels_last(const Tensor& x);
/// Every element has a place of its own and there are no gaps: a permuted contiguous tensor.
bool is_dense(const Tensor& x);

/// The axes to loop over, outermost first, with one list of strides per tensor. Axes of size 1 are left out, and axes
/// that follow each other in all tensors are merged; at least one remains.
struct Walk {
  Shape sizes;
  std::vector<Shape> strides;
};
Walk plan_walk(const Shape& shape, const std::vector<Shape>& strides);

/// Elements between two looks at the limits and at Ctrl-C.
inline constexpr std::int64_t kBlock = std::int64_t{1} << 16;

/// Calls row(offsets, count) for runs along the innermost axis: `offsets` of the first element from each data(), the
/// steps within are strides[tensor].back(). Charges one unit per element, at least every kBlock elements.
using RowFunction = std::function<void(const std::int64_t* offsets, std::int64_t count)>;
void for_each_row(const Walk& walk, const RowFunction& row);

}  // namespace attn
