// Files of tensors: each is read whole and in parts, parts by --map (as the metadata `map` says), and written again.
#include "tensor/io/safetensors.h"

#include "engine/runner.h"
#include "engine/weights_map.h"
#include "tensor/core/print.h"
#include "tensor/io/bad_file.h"
#include "tensor/io/stored_elements.h"
#include "tests/fuzz/fuzz.h"

namespace attn {
namespace {

void look_at_tensor(const SafetensorsFile& file, const StoredTensor& stored) {
  const Tensor whole = file.read(stored);
  look_at(tensor_repr(whole));
  if (!stored.shape.empty()) look_at(tensor_repr(file.read_rows(stored, stored.shape[0] / 2, stored.shape[0])));
  for (const auto& entry : file.metadata()) {
    if (entry.first == "map")
      allowing<UserError>([&] { look_at(tensor_repr(mapped_part(whole, parse_map(entry.second)))); });
  }
}

/// All of it, written and read, must be the same.
void write_again(const SafetensorsFile& file) {
  TensorsByName tensors;
  for (const StoredTensor& stored : file.tensors()) tensors.emplace_back(stored.name, file.read(stored));
  const std::string bytes = safetensors_bytes(tensors, file.metadata());
  const SafetensorsFile again(std::make_shared<TextBytes>("again.safetensors", bytes));
  if (again.metadata() != file.metadata()) throw std::logic_error("other metadata");
  for (const auto& [name, tensor] : tensors) {
    const StoredTensor* stored = again.find(name);
    if (!stored || stored->shape != tensor.shape()) throw std::logic_error("a tensor is another one");
    if (element_bytes(again.read(*stored)) != element_bytes(tensor)) throw std::logic_error("other elements");
  }
}

}  // namespace

void fuzz_safetensors(std::string_view bytes) {
  const LimitScope limits(kFuzzLimits);
  allowing<BadFile, LimitReached>([&] {
    const SafetensorsFile file(std::make_shared<TextBytes>("fuzz.safetensors", bytes));
    for (const StoredTensor& stored : file.tensors()) allowing<BadFile>([&] { look_at_tensor(file, stored); });
    write_again(file);
  });
}

}  // namespace attn
