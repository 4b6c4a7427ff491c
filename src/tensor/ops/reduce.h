#pragma once
// Ops that fold one or more axes. `dims` empty means all axes; keepdim leaves them with size 1.
//
// sum() and mean() of floats have PyTorch's bits (sum.cpp). The others compute in double, element by element in
// row-major order, and round once: the same bits everywhere.
#include <optional>
#include <utility>

#include "tensor/core/tensor.h"

namespace attn {

/// Bool and Int64 add up in Int64.
Tensor sum(const Tensor& x, const Shape& dims = {}, bool keepdim = false);
/// Errors: RuntimeError for integer tensors.
Tensor mean(const Tensor& x, const Shape& dims = {}, bool keepdim = false);
/// The same from the left in double, rounded once: nearest to what PyTorch has where it does not call its sum.
Tensor sum_in_double(const Tensor& x, const Shape& dims = {}, bool keepdim = false);
Tensor mean_in_double(const Tensor& x, const Shape& dims = {}, bool keepdim = false);
/// The sum of all losses but the ignored ones, added in the order of PyTorch's nll_loss (docs/numbers.md).
Tensor sum_of_losses(const Tensor& losses, const Tensor* ignored = nullptr);
/// The same with numpy's bits (numpy_sum.cpp).
Tensor numpy_sum(const Tensor& x, const Shape& dims = {}, bool keepdim = false);
Tensor numpy_mean(const Tensor& x, const Shape& dims = {}, bool keepdim = false);
Tensor prod(const Tensor& x, std::optional<std::int64_t> dim = {}, bool keepdim = false);
Tensor var(const Tensor& x, const Shape& dims = {}, bool unbiased = true, bool keepdim = false);
Tensor std_dev(const Tensor& x, const Shape& dims = {}, bool unbiased = true, bool keepdim = false);

struct ValuesIndices {
  Tensor values;
  Tensor indices;  // Int64; of equal values the first
};
/// NaN wins. Errors: IndexError on an axis of size 0.
ValuesIndices max(const Tensor& x, std::int64_t dim, bool keepdim = false);
ValuesIndices min(const Tensor& x, std::int64_t dim, bool keepdim = false);
Tensor max(const Tensor& x);  // RuntimeError when x is empty
Tensor min(const Tensor& x);
Tensor amax(const Tensor& x, const Shape& dims = {}, bool keepdim = false);
Tensor amin(const Tensor& x, const Shape& dims = {}, bool keepdim = false);
Tensor argmax(const Tensor& x, std::optional<std::int64_t> dim = {}, bool keepdim = false);
Tensor argmin(const Tensor& x, std::optional<std::int64_t> dim = {}, bool keepdim = false);
Tensor any(const Tensor& x, std::optional<std::int64_t> dim = {}, bool keepdim = false);
Tensor all(const Tensor& x, std::optional<std::int64_t> dim = {}, bool keepdim = false);

/// exp(x - max) / sum along `dim`, so exp never overflows; a row of -inf gives NaN, as PyTorch.
Tensor softmax(const Tensor& x, std::int64_t dim);
Tensor log_softmax(const Tensor& x, std::int64_t dim);
Tensor cumsum(const Tensor& x, std::int64_t dim);

}  // namespace attn
