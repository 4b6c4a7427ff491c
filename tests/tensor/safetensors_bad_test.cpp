// Safetensors files that must be refused, each with its sentence.
#include "tensor/io/safetensors.h"
#include "tests/tensor/bad_safetensors_rows.h"

namespace attn {
namespace {

void read_all(const BytesAt& bytes) {
  const SafetensorsFile file(std::shared_ptr<const BytesAt>(&bytes, [](const BytesAt*) {}));
  for (const StoredTensor& tensor : file.tensors()) file.read(tensor).storage().buffer->data();
}

TEST(SafetensorsBad, lengths) { check_bad_files(bad_safetensors::kLengths, read_all); }
TEST(SafetensorsBad, json) { check_bad_files(bad_safetensors::kJson, read_all); }
TEST(SafetensorsBad, kinds) { check_bad_files(bad_safetensors::kKinds, read_all); }
TEST(SafetensorsBad, places) { check_bad_files(bad_safetensors::kPlaces, read_all); }

}  // namespace
}  // namespace attn
