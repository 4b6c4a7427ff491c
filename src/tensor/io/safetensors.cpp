#include "tensor/io/safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tensor/io/bad_file.h"
#include "tensor/io/stored_elements.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kAlignment = 8;

std::string little_endian_bytes(std::uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

}  // namespace

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
    throw BadFile(bytes_->name(),
                  say("safetensors.type", {{"name", quoted_word(tensor.name)}, {"type", quoted_word(tensor.type)}}));
  Shape shape = tensor.shape;
  if (!shape.empty()) shape[0] = end - begin;
  const std::int64_t row = shape.empty() ? 1 : numel_of({shape.begin() + 1, shape.end()});
  const auto before = static_cast<std::uint64_t>(begin * row * size_of(*dtype));
  return stored_tensor(bytes_, tensor.begin + before, std::move(shape), *dtype);
}

std::string safetensors_bytes(const TensorsByName& tensors,
                              const std::vector<std::pair<std::string, std::string>>& metadata) {
  nlohmann::ordered_json header;
  for (const auto& [key, text] : metadata) header["__metadata__"][key] = text;
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    if (header.contains(name)) throw std::invalid_argument("two tensors are called " + name);
    const std::size_t begin = data.size();
    data += element_bytes(tensor);
    header[name] = {
        {"dtype", safetensors_type(tensor.dtype())}, {"shape", tensor.shape()}, {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.is_null() ? "{}" : header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return little_endian_bytes(text.size()) + text + data;
}

}  // namespace attn
