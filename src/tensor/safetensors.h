#pragma once
// The safetensors format: a JSON header with names, types, shapes and places, then the bytes of the tensors.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_bytes.h"
#include "tensor/safetensors_header.h"
#include "tensor/tensor.h"

namespace attn {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// A whole file: the tensors in their order, row-major; `metadata` are pairs of texts.
///   Errors: std::invalid_argument for a name that occurs twice.
///   Source: https://huggingface.co/docs/safetensors, "Format".
std::string safetensors_bytes(const NamedTensors& tensors,
                              const std::vector<std::pair<std::string, std::string>>& metadata = {});

/// A file of which the header is read when it is opened, and a tensor when it is asked for: the file may be larger
/// than memory.
class SafetensorsFile {
 public:
  ///   Errors: BadFile, as read_safetensors_header(); FileError.
  explicit SafetensorsFile(std::shared_ptr<const BytesAt> bytes);
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;

  const std::vector<StoredTensor>& tensors() const { return header_.tensors; }
  const std::vector<std::pair<std::string, std::string>>& metadata() const { return header_.metadata; }
  /// Null when there is none of that name.
  const StoredTensor* find(const std::string& name) const;

  /// Reads one of tensors().
  ///   Types:  bool, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64.
  ///   Errors: BadFile for another type, or a bool that is neither 0 nor 1; FileError; LimitReached.
  Tensor read(const StoredTensor& tensor) const;

 private:
  std::shared_ptr<const BytesAt> bytes_;
  SafetensorsHeader header_;
  std::map<std::string_view, std::size_t> places_;  // of names, which header_ holds
};

}  // namespace attn
