#pragma once
// Tensors from nothing or from numbers. Names and results are PyTorch's.
#include "tensor/core/tensor.h"

namespace attn {

Tensor full(const Shape& shape, const Scalar& value, DType dtype);
Tensor zeros(const Shape& shape, DType dtype = DType::Float32);
Tensor ones(const Shape& shape, DType dtype = DType::Float32);

/// start, start + step, ... below (above, for a negative step) `end`.
///   Shapes: [ceil((end - start) / step)].
///   Errors: RuntimeError "step must be nonzero", "upper bound and larger bound inconsistent with step sign".
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, DType dtype);

Tensor eye(std::int64_t rows, std::int64_t columns, DType dtype = DType::Float32);

}  // namespace attn
