#pragma once
// FNV-1a of the bytes of tensors, so that a table can expect thousands of values in one number.
#include <cstdint>
#include <vector>

#include "tensor/core/tensor.h"
#include "tensor/ops/layout.h"

namespace attn {

using Tensors = std::vector<Tensor>;

inline std::uint64_t hash_of(const Tensors& tensors) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const Tensor& x : tensors) {
    const Tensor row_major = contiguous(x);
    const std::byte* bytes = row_major.data<std::byte>() + row_major.offset() * (size_of(x.dtype()) - 1);
    for (std::int64_t i = 0; i < x.numel() * size_of(x.dtype()); ++i) {
      hash ^= static_cast<std::uint64_t>(bytes[i]);
      hash *= 0x100000001b3;
    }
  }
  return hash;
}

}  // namespace attn
