// load_file() in a program that `attn-tutor run` runs, and its refusal everywhere else.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::HasSubstr;

constexpr const char* kLoad = "from safetensors.torch import load_file\nw = load_file('w.safetensors')\n";

/// `b`, a float32 of two elements, lies behind `a`, an int64 of one, but is named first.
std::string weights() {
  const std::string header =
      R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},"a":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})";
  std::string bytes(1, static_cast<char>(header.size()));
  bytes += std::string(7, '\0') + header + '\5' + std::string(7, '\0');
  return bytes + std::string("\0\0\x80\x3f\0\0\x20\xc0", 8);  // 1 and -2.5
}

/// Runs a program beside which w.safetensors lies, from another folder.
Ended run_beside(const std::string& bytes, const std::string& code, const std::string& name = "p.py") {
  const TemporaryFile program(name, code);
  const std::filesystem::path folder = std::filesystem::path(program.path()).parent_path();
  std::ofstream(folder / "w.safetensors", std::ios::binary) << bytes;
  Ended ended = run_program({"run", "--plain", program.path()});
  std::filesystem::remove(folder / "w.safetensors");
  return ended;
}

TEST(RunWeights, AProgramReadsWhatLiesBesideIt) {
  const Ended ended = run_beside(weights(), std::string(kLoad) + "print(w)\nprint(list(w), w['a'].shape)\n");
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out, "{'a': tensor(5), 'b': tensor([ 1.0000, -2.5000])}\n['a', 'b'] torch.Size([])\n");
  const std::string other =
      "import torch\nimport safetensors.torch\n"
      "print(safetensors.torch.load_file('./w.safetensors', device=torch.device('cpu'))['b'])\n";
  EXPECT_EQ(run_beside(weights(), other).out, "tensor([ 1.0000, -2.5000])\n");
}

TEST(RunWeights, WhatIsRefused) {
  struct Row {
    const char* argument;
    const char* message;
  };
  const Row rows[] = {
      {"'/etc/passwd'", "/etc/passwd: only files in the program's folder, and in folders below it, are read"},
      {"'../w.safetensors'", "../w.safetensors: only files in the program's folder"},
      {"'missing.safetensors'", "missing.safetensors: No such file or directory"},
      {"'w.safetensors', 'cuda'", "load_file() on the device 'cuda': everything runs on the processor here"},
      {"'p.py'", "p.py: byte 0: the header is said to have "},
      {"3", "must be str, not int"},
  };
  for (const Row& row : rows) {
    const std::string code = "from safetensors.torch import load_file\nload_file(" + std::string(row.argument) + ")\n";
    const Ended ended = run_beside(weights(), code);
    EXPECT_EQ(ended.code, 1) << row.argument;
    EXPECT_THAT(ended.err, HasSubstr(row.message)) << row.argument;
  }
  const Ended cut = run_beside(weights().substr(0, weights().size() - 4), kLoad);
  EXPECT_THAT(cut.err,
              HasSubstr("w.safetensors: tensor \"b\": it ends at byte 16 of the data, which has only 12 bytes"));
}

TEST(RunWeights, PicklesAreRefused) {
  const Ended ended = run_beside(weights(), "import torch\ntorch.load('w.pt')\n");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("torch.load is not known here"));
  EXPECT_THAT(ended.err, HasSubstr("reading a pickle may run code"));
}

TEST(RunWeights, OnlyRunReadsFiles) {
  const TemporaryFile file("w.safetensors", weights());
  Conditions here;
  here.folder = std::filesystem::path(file.path()).parent_path();
  const Ended typed = run_program({"eval", kLoad}, here);
  EXPECT_EQ(typed.code, 1);
  EXPECT_THAT(typed.err, HasSubstr("load_file() may not read files here"));

  const std::string lesson = "# Mine\n\nText.\n\n```python\n" + std::string(kLoad) + "```\n";
  EXPECT_THAT(run_beside(weights(), lesson, "90-mine.md").err, HasSubstr("load_file() may not read files here"));
}

}  // namespace
}  // namespace attn
