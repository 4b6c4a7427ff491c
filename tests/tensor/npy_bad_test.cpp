// .npy files that must be refused, each with its sentence.
#include "tensor/io/npy.h"
#include "tests/tensor/bad_npy_rows.h"

namespace attn {
namespace {

TEST(NpyBad, beginnings) {
  check_bad_files(bad_npy::kBeginnings, [](const BytesAt& bytes) { read_npy(bytes); });
}
TEST(NpyBad, headers) {
  check_bad_files(bad_npy::kHeaders, [](const BytesAt& bytes) { read_npy(bytes); });
}
TEST(NpyBad, arrays) {
  check_bad_files(bad_npy::kArrays, [](const BytesAt& bytes) { read_npy(bytes); });
}

}  // namespace
}  // namespace attn
