#pragma once
// Nested Python lists to a tensor, as torch.tensor() reads them.
#include <optional>

#include "python/value.h"
#include "tensor/core/tensor.h"

namespace attn {

/// The numbers of `data`: a number, a tensor, or lists, tuples and ranges nested to one depth.
///   Shapes: the first element of each level decides; all others must have its length.
///   Types:  `dtype` when given, else bool, int64 or float32 by the widest element; [] is float32.
///   Errors: ValueError "expected sequence of length 2 at dim 1 (got 3)", TypeError "not a sequence", RuntimeError
///           "Could not infer dtype of NoneType".
Tensor tensor_from(const Value& data, std::optional<DType> dtype = {});

/// Refuses a[::-1] of a numpy array.
///   Errors: ValueError with PyTorch's text.
void require_forward(const Array& array, Span span);

/// Errors: TypeError for what only numpy has: uint16, uint32.
void require_torch_type(DType dtype, Span span);

}  // namespace attn
