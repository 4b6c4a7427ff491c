#pragma once
// The header of a safetensors file: what tensors it says there are, checked against each other and against the size of
// the data. No tensor is read here.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_bytes.h"
#include "tensor/core/tensor.h"

namespace attn {

/// A tensor as the header describes it. `type` is the format's own name and may be one that is not known here.
struct StoredTensor {
  std::string name;
  std::string type;  // "F32"
  Shape shape;
  std::uint64_t begin = 0;  // in the file
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;                          // in the order of the header
  std::vector<std::pair<std::string, std::string>> metadata;  // of "__metadata__", likewise
};

/// "F32" for DType::Float32, and back; nothing for a type that tensors here cannot have.
std::string_view safetensors_type(DType dtype);
std::optional<DType> dtype_of_safetensors(std::string_view type);

/// Reads the length and the header.
///   Errors: BadFile for a header over 16 MiB, one that is no JSON or not of the format's form, a key that is there
///   twice, sizes that overflow or do not give the tensor's bytes, and data with holes, overlaps or bytes left over.
SafetensorsHeader read_safetensors_header(const BytesAt& bytes);

}  // namespace attn
