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

/// a * b + c with broadcasting, rounded once. The three are of one floating type.
Tensor multiply_add(const Tensor& a, const Tensor& b, const Tensor& c);

}  // namespace attn
