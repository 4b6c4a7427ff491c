#pragma once
// Elements of an axis by size. NaN counts as larger than every number.
#include <optional>

#include "tensor/core/tensor.h"
#include "tensor/ops/reduce.h"

namespace attn {

/// The axis in order, and where each element came from; equal elements keep their order only when `stable`.
///   Note: otherwise they stand as the standard library's sort leaves them, as PyTorch's do.
ValuesIndices sort(const Tensor& x, std::int64_t dim = -1, bool descending = false, bool stable = false);

/// The indices that sort an axis, Int64 in the shape of x. Equal elements come in the order in which numpy's quicksort
/// leaves them.
Tensor quicksort_order(const Tensor& x, std::int64_t dim = -1);

/// The k largest (smallest) elements of an axis, in order when `sorted`.
///   Errors: RuntimeError "selected index k out of range"; for Bool.
///   Note: which of equal elements is taken follows the standard library's nth_element, as PyTorch's does.
ValuesIndices topk(const Tensor& x, std::int64_t k, std::int64_t dim = -1, bool largest = true, bool sorted = true);

/// The lower of the two middle elements; NaN when there is one.
///   Errors: IndexError on an axis of size 0; RuntimeError for Bool.
ValuesIndices median(const Tensor& x, std::int64_t dim, bool keepdim = false);
Tensor median(const Tensor& x);
/// The k-th smallest element, k from 1.
ValuesIndices kthvalue(const Tensor& x, std::int64_t k, std::int64_t dim = -1, bool keepdim = false);

/// The different elements in order; for each element of x its place among them, in x's shape; how often each occurs.
struct Unique {
  Tensor values, inverse, counts;
};
Unique unique(const Tensor& x);

/// How often each number 0, 1, ... occurs, or the sum of its weights (`weights` may be undefined).
///   Errors: RuntimeError for what is not a vector of numbers >= 0.
Tensor bincount(const Tensor& x, const Tensor& weights, std::int64_t minlength = 0);

}  // namespace attn
