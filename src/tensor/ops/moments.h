#pragma once
// What the norm layers are made of, with PyTorch's roundings (docs/numbers.md).
#include "tensor/core/tensor.h"

namespace attn {

/// Of a group of n numbers: the mean, the sum of the squared distances from it, and that sum / n.
struct Moments {
  Tensor mean, squares, variance;
};

/// Of each row over the last `axes` axes, as layer_norm and group_norm compute them; these axes stay, with size 1.
Moments row_moments(const Tensor& x, std::int64_t axes);

/// Of each feature (axis 1) over the other axes, as batch_norm computes them; these axes stay, with size 1.
Moments feature_moments(const Tensor& x);

/// Products of two stacks, (n, 1, k) and (n, k, 1), added in lanes as the way back of layer_norm adds its rows.
Tensor row_products(const Tensor& left, const Tensor& right);
/// The same, added one after the other with fused multiply-add, as it adds its columns.
Tensor column_products(const Tensor& left, const Tensor& right);
/// The sum over the first axis, added one after the other.
Tensor sum_of_rows(const Tensor& x);

/// a * b + c with broadcasting, rounded once. The three are of one floating type.
Tensor multiply_add(const Tensor& a, const Tensor& b, const Tensor& c);

}  // namespace attn
