#pragma once
// Elements as files store them: little-endian, each in its own type's size, row-major.
#include <cstdint>
#include <memory>
#include <string>

#include "base/file_bytes.h"
#include "tensor/core/tensor.h"

namespace attn {

/// A new tensor of the elements that begin at `offset`, read when one of them is first looked at. They are read in
/// blocks: beside the tensor itself a read takes less than 2 MiB. The caller has checked that they lie within the file.
///   Errors: when they are read: BadFile for a bool that is neither 0 nor 1; FileError; LimitReached for memory, work
///   or an interrupt.
Tensor stored_tensor(std::shared_ptr<const BytesAt> bytes, std::uint64_t offset, Shape shape, DType dtype);

/// The same, read at once.
Tensor read_elements(const BytesAt& bytes, std::uint64_t offset, Shape shape, DType dtype);

/// The elements of a tensor as read_elements() reads them. Every NaN is the same one, on any processor.
std::string element_bytes(const Tensor& x);

}  // namespace attn
