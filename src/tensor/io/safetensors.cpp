#include "tensor/io/safetensors.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tensor/io/safetensors_header.h"
#include "tensor/io/stored_elements.h"

namespace attn {
namespace {

constexpr std::size_t kAlignment = 8;

std::string little_endian_bytes(std::uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

}  // namespace

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
