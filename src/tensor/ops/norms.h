#pragma once
// More ops that fold axes, summed in double and rounded once; and running products.
#include "tensor/core/tensor.h"

namespace attn {

/// (sum of |x|^p)^(1/p); p = 0 counts what is not 0, p = inf (-inf) takes the largest (smallest) size.
///   Errors: RuntimeError for integers.
Tensor vector_norm(const Tensor& x, double p, const Shape& dims = {}, bool keepdim = false);
/// log(sum of exp(x)) without overflow; integers become Float32.
Tensor logsumexp(const Tensor& x, const Shape& dims, bool keepdim = false);
Tensor count_nonzero(const Tensor& x, const Shape& dims = {});
Tensor cumprod(const Tensor& x, std::int64_t dim);  // Bool becomes Int64
/// The sum of a matrix' diagonal. Errors: RuntimeError for what is no matrix.
Tensor trace(const Tensor& x);

}  // namespace attn
