// Programs that read files beside them, from another working folder, by every command.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/sha256.h"
#include "base/text.h"
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

Conditions python(const std::string& folder = "") {
  Conditions conditions;
  conditions.program = kPython;
  conditions.folder = folder;
  return conditions;
}

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
  EXPECT_EQ(run_program({exported.path()}, python("/")).err, "");
}

constexpr const char* kLayers = R"(from . import sizes
from .sizes import WIDTH as width
import torch
print("made once by", __name__)
count = 0
scale = torch.tensor(2.0)
def scores(q, k):
    global count
    count += 1
    return q @ k.transpose(-2, -1) * scale
class Net(torch.nn.Module):
    def forward(self, x):
        return x * width
)";

constexpr const char* kImporter = R"(import torch
import parts.layers
from parts import layers, NAME
from parts.layers import *
import parts.sizes as sizes
x = torch.ones(2, 3)
y = scores(x, Net()(x))
layers.scale = torch.tensor(1.0)
z = scores(x, x)
print(y[0, 0].item(), z[0, 0].item(), parts.layers.count, NAME, sizes.WIDTH, layers is parts.layers)
try: from parts.layers import Nett
except ImportError as error: print(error)
try: layers.nothing
except AttributeError as error: print(error)
)";

/// A program with a package beside it.
class FilesAsModules : public testing::Test {
 public:
  FilesAsModules() {
    std::string name = (std::filesystem::temp_directory_path() / "attn-modules-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder_ = name;
    std::filesystem::create_directory(folder_ + "/parts");
    write("main.py", kImporter);
    write("parts/__init__.py", "NAME = 'parts'\n");
    write("parts/layers.py", kLayers);
    write("parts/sizes.py", "WIDTH = 5\n");
  }
  ~FilesAsModules() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

TEST_F(FilesAsModules, AreImportedAndSteppedThrough) {
  const std::string told =
      "made once by parts.layers\n30.0 3.0 2 parts 5 True\n"
      "cannot import name 'Nett' from 'parts.layers' (parts/layers.py)\n"
      "module 'parts.layers' has no attribute 'nothing'\n";
  EXPECT_EQ(out_of({"run", file("main.py"), "--plain"}), told);
  const std::string shown = out_of({"run", file("main.py")});
  EXPECT_THAT(shown, AllOf(HasSubstr("  inside scores\n"), HasSubstr("count += 1\n\n       count = 1\n"),
                           HasSubstr("return q @ k.transpose(-2, -1) * scale\n"), Not(HasSubstr("WIDTH as width"))));
  EXPECT_THAT(out_of({"explain", file("main.py"), "y[0,0]"}), HasSubstr("30"));
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  EXPECT_THAT(replaced(run_program({file("main.py")}, python()).out, file(""), ""), told);
  const TemporaryFile exported("out.py", out_of({"export", file("main.py"), "--format", "py", "-o", "-"}));
  EXPECT_EQ(run_program({exported.path()}, python("/")).err, "");
}

TEST_F(FilesAsModules, ErrorsStandWhereTheyAre) {
  write("late.py", "x = 1\nx / 0\n");
  write("broken.py", "x = 1\ny = x +\n");
  write("a.py", "import late");
  write("b.py", "import broken");
  write("c.py", "from .late import x");
  write("d.py", "import lat");
  std::string deep = "import a";
  for (int i = 0; i < 9999; ++i) deep += ".a";
  write("e.py", deep);
  const std::pair<const char*, const char*> rows[] = {
      {"a.py", "late.py:2:1: zero-division: division by zero\n  x / 0\n"},
      {"b.py", "broken.py:2:8: syntax: invalid syntax\n  y = x +\n"},
      {"c.py", "c.py:1:19: runtime: attempted relative import with no known parent package\n"},
      {"d.py", "d.py:1:8: runtime: No module named 'lat'\n"},
      {"e.py", "e.py:1:8: runtime: No module named 'a'\n"}};
  for (const auto& [program, message] : rows) {
    const Ended ended = run_program({"run", file(program), "--plain"});
    EXPECT_EQ(ended.code, 1) << program;
    EXPECT_THAT(ended.err, HasSubstr(message));
  }
}

TEST_F(ProgramFiles, LargeOnesAreNamedWithTheirHash) {
  const std::string sum = hex_digits(sha256(write_weights(150'000)));
  const std::string code = out_of({"export", program(), "--format", "py", "-o", "-"});
  EXPECT_THAT(code, HasSubstr("find(\"layer.safetensors\", \"" + sum + "\")"));
  EXPECT_LT(code.size(), 200'000u);
}

}  // namespace
}  // namespace attn
