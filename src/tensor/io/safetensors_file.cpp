// Opening a file and reading a tensor of it; what a file must look like is in safetensors_header.cpp.
#include "tensor/io/safetensors_file.h"

#include <algorithm>

#include "tensor/io/bad_file.h"
#include "tensor/io/stored_elements.h"

namespace attn {

SafetensorsFile::SafetensorsFile(std::shared_ptr<const BytesAt> bytes)
    : bytes_(std::move(bytes)), header_(read_safetensors_header(*bytes_)) {
  for (std::size_t i = 0; i < header_.tensors.size(); ++i) places_.emplace(header_.tensors[i].name, i);
}

std::vector<const StoredTensor*> SafetensorsFile::in_order_of_data() const {
  std::vector<const StoredTensor*> order;
  for (const StoredTensor& tensor : header_.tensors) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(),
                   [](const StoredTensor* a, const StoredTensor* b) { return a->begin < b->begin; });
  return order;
}

const StoredTensor* SafetensorsFile::find(const std::string& name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &header_.tensors[place->second];
}

Tensor SafetensorsFile::read_rows(const StoredTensor& tensor, std::int64_t begin, std::int64_t end) const {
  const std::optional<DType> dtype = dtype_of_safetensors(tensor.type);
  if (!dtype)
    throw BadFile(bytes_->name(), "tensor " + quoted_word(tensor.name) + ": its type " + quoted_word(tensor.type) +
                                      " is not known here; known are BOOL, U8, I8, I16, I32, I64, F16, BF16, F32 "
                                      "and F64");
  Shape shape = tensor.shape;
  if (!shape.empty()) shape[0] = end - begin;
  const std::int64_t row = shape.empty() ? 1 : numel_of({shape.begin() + 1, shape.end()});
  const auto before = static_cast<std::uint64_t>(begin * row * size_of(*dtype));
  return stored_tensor(bytes_, tensor.begin + before, std::move(shape), *dtype);
}

}  // namespace attn
