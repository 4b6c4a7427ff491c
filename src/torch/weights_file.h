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
  static const Type kType;
  WeightsFile(std::shared_ptr<const SafetensorsFile> f, bool numpy)
      : Object(kType), file(std::move(f)), gives_numpy(numpy) {}
  std::shared_ptr<const SafetensorsFile> file;  // null once a `with` block has ended
  bool gives_numpy;                             // framework="np"
};

/// slice[2:5, 0] reads of the first axis only what the index asks for, now or later.
struct WeightsSlice : Object {
  static const Type kType;
  WeightsSlice(std::shared_ptr<const SafetensorsFile> f, const StoredTensor& t, bool numpy)
      : Object(kType), file(std::move(f)), tensor(t), gives_numpy(numpy) {}
  std::shared_ptr<const SafetensorsFile> file;
  const StoredTensor& tensor;  // of the file
  bool gives_numpy;
};

}  // namespace attn
