// Malformed files as the command line sees them: the sentence that the readers say, and exit code 3.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/tensor/bad_npy_rows.h"
#include "tests/tensor/bad_safetensors_rows.h"

namespace attn {
namespace {

constexpr std::size_t kEvery = 4;  // the readers themselves are held to all of them

/// A program with a buffer that a tensor `a` of a file could fill.
constexpr const char* kBufferProgram =
    "import torch\n"
    "net = torch.nn.Module()\n"
    "net.register_buffer('a', torch.zeros(2, dtype=torch.bool))\n"
    "filled = net\n";

// A message of the command line stays on its line.
std::string shown(std::string sentence) {
  for (std::size_t at = 0; (at = sentence.find('\t', at)) != std::string::npos;) sentence.replace(at, 1, "\u2409");
  return sentence;
}

void check(const std::vector<std::vector<BadFileRow>>& tables, const std::string& name) {
  const TemporaryFile program("p.py", kBufferProgram);
  std::size_t count = 0;
  for (const std::vector<BadFileRow>& rows : tables) {
    for (const BadFileRow& row : rows) {
      if (count++ % kEvery != 0) continue;
      const TemporaryFile file(name, row.bytes);
      const Ended ended =
          run_program({"run", "--plain", program.path(), "--weights", file.path(), "--map", "a=filled.a"});
      EXPECT_EQ(ended.code, 3) << row.name;
      EXPECT_EQ(ended.out, "") << row.name;
      EXPECT_EQ(ended.err, "attn-tutor: " + file.path() + ": " + shown(row.sentence) + "\n") << row.name;
    }
  }
  EXPECT_GT(count / kEvery, 30u);
}

TEST(BadWeights, Safetensors) {
  using namespace bad_safetensors;
  check({kLengths, kJson, kKinds, kPlaces}, "a.safetensors");
}

TEST(BadWeights, Npy) {
  using namespace bad_npy;
  check({kBeginnings, kHeaders, kArrays}, "a.npy");
}

}  // namespace
}  // namespace attn
