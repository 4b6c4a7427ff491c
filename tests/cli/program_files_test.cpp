// Programs that read files beside them, from another working folder, by every command.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/sha256.h"
#include "tensor/io/safetensors.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kReader = R"(import os
import torch
from safetensors.torch import load_file
with open("words.txt") as file:
    count = len(file.read().split())
layer = load_file("layer.safetensors")
weight = layer["weight"] * count
energy = weight[:2] @ weight[:2].T
)";

/// A program, a text of three words beside it, and weights.
class ProgramFiles : public testing::Test {
 public:
  ProgramFiles() : program_("x.py", kReader) { write("words.txt", "a b c"); }
  ~ProgramFiles() override {
    for (const char* file : {"words.txt", "layer.safetensors"}) std::filesystem::remove(folder() + "/" + file);
  }
  std::string folder() const { return std::filesystem::path(program_.path()).parent_path().string(); }
  const std::string& program() const { return program_.path(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder() + "/" + name, std::ios::binary) << text;
  }
  std::string write_weights(std::int64_t rows) const {
    std::string bytes = safetensors_bytes(
        {{"weight", Tensor::from<float>(std::vector<float>(static_cast<std::size_t>(2 * rows), 0.5F), {rows, 2})}});
    write("layer.safetensors", bytes);
    return bytes;
  }

 private:
  TemporaryFile program_;
};

TEST_F(ProgramFiles, EveryCommandReadsThem) {
  write_weights(2);
  EXPECT_THAT(out_of({"run", program()}), HasSubstr("energy"));
  EXPECT_THAT(out_of({"explain", program(), "energy[0,1]"}), HasSubstr("4.5"));
  EXPECT_THAT(out_of({"touch", program(), "weight[0, 0] += 1"}), HasSubstr("energy"));
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  EXPECT_THAT(out_of({"verify", program(), "--python", kPython}), HasSubstr("tensors agree with PyTorch"));
}

TEST_F(ProgramFiles, SmallOnesAreCarriedByExports) {
  write_weights(2);
  const std::string code = out_of({"export", program(), "--format", "py", "-o", "-"});
  EXPECT_THAT(code, AllOf(HasSubstr("carry(\"words.txt\", \"" + base64("a b c") + "\")"),
                          HasSubstr("carry(\"layer.safetensors\""), Not(HasSubstr("find(\""))));
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  const TemporaryFile exported("out.py", code);
  Conditions python;
  python.program = kPython;
  python.folder = "/";
  EXPECT_EQ(run_program({exported.path()}, python).err, "");
}

TEST_F(ProgramFiles, LargeOnesAreNamedWithTheirHash) {
  const std::string sum = hex_digits(sha256(write_weights(150'000)));
  const std::string code = out_of({"export", program(), "--format", "py", "-o", "-"});
  EXPECT_THAT(code, HasSubstr("find(\"layer.safetensors\", \"" + sum + "\")"));
  EXPECT_LT(code.size(), 200'000u);
}

}  // namespace
}  // namespace attn
