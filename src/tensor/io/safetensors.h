#pragma once
// Writing the safetensors format: a JSON header with names, types, shapes and places, then the bytes of the tensors.
#include <string>
#include <utility>
#include <vector>

#include "tensor/tensor.h"

namespace attn {

using TensorsByName = std::vector<std::pair<std::string, Tensor>>;

/// A whole file: the tensors in their order, row-major; `metadata` are pairs of texts.
///   Errors: std::invalid_argument for a name that occurs twice.
///   Source: https://huggingface.co/docs/safetensors, "Format".
std::string safetensors_bytes(const TensorsByName& tensors,
                              const std::vector<std::pair<std::string, std::string>>& metadata = {});

}  // namespace attn
