#pragma once
// What a product of tensors comes to as products of matrices, and what PyTorch says when it cannot be.
#include <string>

#include "tensor/core/tensor.h"

namespace attn {

/// A batch of products (rows x depth) (depth x cols). Strides are in elements; broadcast axes have stride 0.
struct MatmulPlan {
  Shape batch;
  Shape a_batch_strides, b_batch_strides;
  std::int64_t rows = 1, depth = 1, cols = 1;
  std::int64_t a_row = 0, a_col = 0, b_row = 0, b_col = 0;
  Shape out_shape;  // batch, rows unless a is 1-D, cols unless b is 1-D
};

/// The plan of torch.matmul(a, b).
///   Errors: TensorError as matmul in matmul.h.
MatmulPlan plan_matmul(const Tensor& a, const Tensor& b);

/// What PyTorch says of operands of two types.
[[noreturn]] void throw_matmul_dtype(std::string text);
void require_one_dtype_of_vectors(DType a, DType b);

/// Where the matrix of that number (row-major over `batch`) begins, by the strides of the axes of `batch`.
std::int64_t batch_offset(std::int64_t number, const Shape& batch, const Shape& strides);

}  // namespace attn
