#pragma once
// What safetensors.safe_open() gives: a file whose tensors are read one by one, and get_slice() of it: a tensor of
// which a part is read.
#include <memory>
#include <span>
#include <string>

#include "python/interpreter.h"
#include "python/operators.h"
#include "python/types/methods.h"
#include "python/value.h"
#include "tensor/io/safetensors.h"

namespace attn {

struct WeightsFile : Object {
  static constexpr Kind kKind = Kind::WeightsFile;
  WeightsFile(std::shared_ptr<const SafetensorsFile> f, bool numpy)
      : Object(kKind), file(std::move(f)), gives_numpy(numpy) {}
  std::shared_ptr<const SafetensorsFile> file;  // null once a `with` block has ended
  bool gives_numpy;                             // framework="np"
};

struct WeightsSlice : Object {
  static constexpr Kind kKind = Kind::WeightsSlice;
  WeightsSlice(std::shared_ptr<const SafetensorsFile> f, const StoredTensor& t, bool numpy)
      : Object(kKind), file(std::move(f)), tensor(t), gives_numpy(numpy) {}
  std::shared_ptr<const SafetensorsFile> file;
  const StoredTensor& tensor;  // of the file
  bool gives_numpy;
};

std::span<const Method> weights_file_methods();
std::span<const Method> weights_slice_methods();

/// slice[2:5, 0]: of the first axis only what the index asks for is read, now or later.
///   Errors: CellError as those of an index of a tensor.
Value weights_slice_item(Interpreter& interpreter, const WeightsSlice& slice, const Value& index,
                         const OperatorSpans& spans);

}  // namespace attn
