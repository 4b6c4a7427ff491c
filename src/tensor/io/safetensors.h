#pragma once
// The safetensors format: a JSON header with names, types, shapes and places (safetensors_header.h says what it must
// look like), then the bytes of the tensors.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_bytes.h"
#include "tensor/core/tensor.h"
#include "tensor/io/safetensors_header.h"

namespace attn {

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
  /// Those of tensors(), by where their data lie.
  std::vector<const StoredTensor*> in_order_of_data() const;
  /// Null when there is none of that name.
  const StoredTensor* find(const std::string& name) const;

  /// One of tensors(), whose elements are read when one of them is first looked at, also when this is gone by then.
  ///   Types:  bool, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64.
  ///   Errors: BadFile for another type; when it is read: BadFile for a bool that is neither 0 nor 1, FileError,
  ///   LimitReached.
  Tensor read(const StoredTensor& tensor) const {
    return read_rows(tensor, 0, tensor.shape.empty() ? 1 : tensor.shape[0]);
  }
  /// The same of the part [begin, end) of the first axis: no other part is ever read. 0 <= begin <= end <= its size.
  Tensor read_rows(const StoredTensor& tensor, std::int64_t begin, std::int64_t end) const;

 private:
  std::shared_ptr<const BytesAt> bytes_;
  SafetensorsHeader header_;
  std::map<std::string_view, std::size_t> places_;  // of names, which header_ holds
};

using TensorsByName = std::vector<std::pair<std::string, Tensor>>;

/// A whole file: the tensors in their order, row-major; `metadata` are pairs of texts.
///   Errors: std::invalid_argument for a name that occurs twice.
///   Source: https://huggingface.co/docs/safetensors, "Format".
std::string safetensors_bytes(const TensorsByName& tensors,
                              const std::vector<std::pair<std::string, std::string>>& metadata = {});

}  // namespace attn
