// Arrays of numpy: the reader, the reader of ids, and how such an array prints.
#include "tensor/io/npy.h"

#include "engine/own_input.h"
#include "tensor/core/print.h"
#include "tensor/io/bad_file.h"
#include "tests/fuzz/fuzz.h"

namespace attn {

void fuzz_npy(std::string_view bytes) {
  const LimitScope limits(kFuzzLimits);
  const TextBytes file("fuzz.npy", bytes);
  allowing<BadFile, LimitReached>([&] { look_at(tensor_repr(read_npy(file))); });
  allowing<BadFile, LimitReached>([&] { read_npy_ids(file); });
}

}  // namespace attn
