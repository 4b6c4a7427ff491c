#pragma once
// Products of vectors and matrices.
//
// Below 2^20 multiply-adds a product takes one fixed-order kernel (each element summed over k = 0, 1, 2, ... in the
// element's type, no fused multiply-add). Larger ones go through a kernel of the level of the processor
// (kernels/levels.h), for float64 Eigen's, in tiles fixed by the shape alone and spread over threads, so that their
// number never changes a bit.
#include "tensor/core/tensor.h"

namespace attn {

/// PyTorch's torch.matmul for 1 to N dimensions; leading axes broadcast.
///   Shapes: (..., T, D) @ (..., D, S) -> (..., T, S); a 1-D operand counts as a row (left) or column (right), which
///           is dropped from the result.
///   Errors: TensorError "matmul.inner" (facts left, right: the sizes that differ), "broadcast", "matmul.dtype",
///           "matmul.scalar" (an operand without dimensions).
Tensor matmul(const Tensor& a, const Tensor& b);
Tensor mm(const Tensor& a, const Tensor& b);
Tensor bmm(const Tensor& a, const Tensor& b);  // both 3-D
Tensor dot(const Tensor& a, const Tensor& b);  // both 1-D, equal length

/// x W^T + bias over the last axis. `bias` may be undefined.
///   Shapes: x (..., in), weight (out, in), bias (out) -> (..., out).
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);

}  // namespace attn
