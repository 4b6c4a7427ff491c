// Opening a file and reading a tensor of it; what a file must look like is in safetensors_header.cpp.
#include "tensor/bad_file.h"
#include "tensor/safetensors.h"
#include "tensor/stored_elements.h"

namespace attn {

SafetensorsFile::SafetensorsFile(std::shared_ptr<const BytesAt> bytes)
    : bytes_(std::move(bytes)), header_(read_safetensors_header(*bytes_)) {
  for (std::size_t i = 0; i < header_.tensors.size(); ++i) places_.emplace(header_.tensors[i].name, i);
}

const StoredTensor* SafetensorsFile::find(const std::string& name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &header_.tensors[place->second];
}

Tensor SafetensorsFile::read(const StoredTensor& tensor) const {
  const std::optional<DType> dtype = dtype_of_safetensors(tensor.type);
  if (!dtype)
    throw BadFile(bytes_->name(), "tensor " + quoted_word(tensor.name) + ": its type " + quoted_word(tensor.type) +
                                      " is not known here; known are BOOL, U8, I8, I16, I32, I64, F16, BF16, F32 "
                                      "and F64");
  return read_elements(*bytes_, tensor.begin, tensor.shape, *dtype);
}

}  // namespace attn
