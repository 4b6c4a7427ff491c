#pragma once
// Elements picked by tensors of numbers along one axis, and written to such places.
#include <optional>

#include "tensor/core/tensor.h"

namespace attn {

/// out[i][j][k] = x[i][index[i][j][k]][k] for dim = 1; the result has the shape of index.
///   Shapes: index has x's number of axes and is nowhere larger, except along dim.
///   Errors: RuntimeError "gather.dims", "gather.size", "gather.range", "gather.type".
Tensor gather(const Tensor& x, std::int64_t dim, const Tensor& index);

/// What happens to an element that is written to.
enum class Scatter { Set, Add, Multiply };
/// A copy of x with x[i][index[i][j][k]][k] = src[i][j][k] for dim = 1. src may be larger than index.
Tensor scatter(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& src, Scatter how = Scatter::Set);
/// The same with one number.
Tensor scatter(const Tensor& x, std::int64_t dim, const Tensor& index, const Scalar& value, Scatter how = Scatter::Set);

/// The places `index` (a vector) of an axis.
///   Errors: IndexError for an index that is no vector; RuntimeError for a place that does not exist.
Tensor index_select(const Tensor& x, std::int64_t dim, const Tensor& index);
/// A copy of x with those places filled with `value` (no dimensions).
Tensor index_fill(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& value);
/// A copy of x to whose places `index` along dim the slices of src are added, times alpha; or which they replace.
/// What index_add refuses before it looks at the numbers in index.
void check_index_add(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& src);
Tensor index_add(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& src, const Scalar& alpha);
Tensor index_copy(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& src);

/// Elements by their number in row-major order; the result has the shape of index.
Tensor take(const Tensor& x, const Tensor& index);
/// The elements where the mask (broadcast) is True, as a vector.
Tensor masked_select(const Tensor& x, const Tensor& mask);
/// The indices of the elements that are not 0, one per row: (count, x.dim()).
Tensor nonzero(const Tensor& x);

}  // namespace attn
