#pragma once
// Ops that move axes or re-read the storage. All but contiguous() and some reshapes are views: nothing is copied.
#include <optional>
#include <string>

#include "tensor/core/tensor.h"

namespace attn {

/// Another shape over the same storage in the same order; one size may be -1.
///   Errors: TensorError "view.numel" ("shape '[3, 7]' is invalid for input of size 24"), "view.stride" (axes that no
///   longer lie in order cannot be merged: "view size is not compatible with input tensor's size and stride ..."),
///   "view.two_unknown" ("only one dimension can be inferred").
Tensor view(const Tensor& x, const Shape& shape);
/// view where possible, else a copy first.
Tensor reshape(const Tensor& x, const Shape& shape);
/// The sizes with -1 replaced. Errors as view, without the strides.
Shape infer_shape(const Shape& shape, std::int64_t numel);

Tensor flatten(const Tensor& x, std::int64_t start_dim = 0, std::int64_t end_dim = -1);
/// Errors: TensorError "permute.count" (places and axes differ in number), "permute.repeat".
Tensor permute(const Tensor& x, const Shape& dims);
Tensor transpose(const Tensor& x, std::int64_t dim0, std::int64_t dim1);
Tensor t(const Tensor& x);        // 2-D (or less): .t()
Tensor numpy_T(const Tensor& x);  // .T: all axes reversed
Tensor squeeze(const Tensor& x, std::optional<std::int64_t> dim = {});
Tensor unsqueeze(const Tensor& x, std::int64_t dim);
/// Sizes of 1 stretched with stride 0; -1 keeps a size; new axes in front.
///   Errors: TensorError "expand.size", "expand.count".
Tensor expand(const Tensor& x, const Shape& shape);
/// Itself when already in order, else a copy in row-major order.
Tensor contiguous(const Tensor& x);
Tensor clone(const Tensor& x);
/// A view of one index (`select`) or a range with a step (`slice`, step > 0, clamped as in Python) of an axis.
Tensor select(const Tensor& x, std::int64_t dim, std::int64_t index);  // IndexError when outside
Tensor slice(const Tensor& x, std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
             std::int64_t step = 1);
/// start <= index < start + length. RuntimeError when outside.
Tensor narrow(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length);
Tensor tril(const Tensor& x, std::int64_t diagonal = 0);  // copies; the last two axes
Tensor triu(const Tensor& x, std::int64_t diagonal = 0);

}  // namespace attn
