#pragma once
// The .npy format of numpy: a magic word, a version, a header that is a Python dict, then the bytes of one array.
#include "base/file_bytes.h"
#include "tensor/core/tensor.h"

namespace attn {

/// The array of a .npy file of version 1.0, 2.0 or 3.0, contiguous whatever its order in the file.
///   Types:  bool, uint8, int8, int16, uint16, int32, uint32, int64, float16, float32, float64.
///   Errors: BadFile when anything about the file is not as it must be: its header at most 10,000 bytes (numpy's own
///   limit), its end where the array ends. Arrays of objects are refused: they are pickles, which may run code.
///   Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
Tensor read_npy(const BytesAt& bytes);

}  // namespace attn
