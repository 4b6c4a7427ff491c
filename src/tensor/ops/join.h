#pragma once
// Several tensors into one, and one into several.
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

/// Errors: TensorError "cat.size" (another axis differs), "cat.dims", "cat.empty".
Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim = 0);
/// A new axis at `dim`. Errors: TensorError "stack.size".
Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim = 0);
Tensor hstack(const std::vector<Tensor>& tensors);
Tensor vstack(const std::vector<Tensor>& tensors);
/// Views. Errors: RuntimeError when the sizes do not add up.
std::vector<Tensor> split(const Tensor& x, std::int64_t size, std::int64_t dim = 0);
std::vector<Tensor> split(const Tensor& x, const Shape& sizes, std::int64_t dim = 0);
std::vector<Tensor> chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim = 0);
std::vector<Tensor> unbind(const Tensor& x, std::int64_t dim = 0);
Tensor repeat(const Tensor& x, const Shape& repeats);

}  // namespace attn
