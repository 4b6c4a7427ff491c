#pragma once
// Elements of one tensor in other places: rolled, reversed, repeated, padded, along a diagonal.
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

/// Each axis of dims turned by its shift: what falls out at the end comes in at the front. Without dims the tensor is
/// turned as one row. Errors: RuntimeError "shifts and dimensions must align. shifts: 2, dims:1".
Tensor roll(const Tensor& x, const Shape& shifts, const Shape& dims);
/// Axes in reverse order. Errors: RuntimeError "dim 0 appears multiple times in the list of dims".
Tensor flip(const Tensor& x, const Shape& dims);
/// Each place of an axis as often as `repeats` (a vector of one count for all, or one per place) says.
Tensor repeat_interleave(const Tensor& x, const Tensor& repeats, std::int64_t dim);
/// repeats[i] times the number i.
Tensor repeat_interleave(const Tensor& repeats);

/// A view of x[..., i, i + offset]: the two axes go, the diagonal becomes the last one.
Tensor diagonal(const Tensor& x, std::int64_t offset = 0, std::int64_t dim1 = 0, std::int64_t dim2 = 1);
/// The last axis of x on a diagonal of two new axes, zeros beside it.
Tensor diag_embed(const Tensor& x, std::int64_t offset = 0);
/// A vector on the diagonal of a matrix, or the diagonal of a matrix as a vector (a copy).
Tensor diag(const Tensor& x, std::int64_t offset = 0);

/// Axes widened by `value`, or cut by negative amounts: pads has (before, after) of the last axis, then of the one
/// before it.
///   Errors: RuntimeError "Padding length must be divisible by 2", "Padding length too large", or a negative size.
Tensor pad_constant(const Tensor& x, const Shape& pads, const Scalar& value);

/// Where the lower (upper) triangle of a matrix lies: a row of row numbers over a row of column numbers.
Tensor tril_indices(std::int64_t rows, std::int64_t columns, std::int64_t offset);
Tensor triu_indices(std::int64_t rows, std::int64_t columns, std::int64_t offset);

/// `steps` numbers from start to end in equal steps, both included.
Tensor linspace(double start, double end, std::int64_t steps, DType dtype);

}  // namespace attn
