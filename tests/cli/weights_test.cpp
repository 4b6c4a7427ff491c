// --weights and --map: what lands in which parameter, what does not fit, and what is said of it.
#include <gmock/gmock.h>

#include "base/sha256.h"
#include "tensor/io/safetensors.h"
#include "tensor/ops/pointwise.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Tensor counting_from(double first, const Shape& shape, DType dtype = DType::Float32) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < numel_of(shape); ++i) values.push_back(first + static_cast<double>(i));
  return to(Tensor::from(values, shape), dtype);
}

/// A layer as GPT-2 packs it: q, k and v side by side, [in, out]; the types that checkpoints have.
std::string packed() {
  return safetensors_bytes({{"h.attn.c_attn.weight", counting_from(0, {2, 6}, DType::Float16)},
                            {"h.attn.c_attn.bias", counting_from(100, {6}, DType::BFloat16)},
                            {"h.attn.c_proj.weight", counting_from(20, {2, 2})},
                            {"h.wide.weight", counting_from(30, {2, 3})},
                            {"places", counting_from(0, {2}, DType::Int64)}});
}

constexpr const char* kProgram = R"(import torch
from torch import nn
torch.manual_seed(0)
fc = nn.Linear(2, 2)
class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc_q = nn.Linear(2, 2)
        self.register_buffer("places", torch.zeros(2, dtype=torch.int64))
heads, narrow, turned = Heads(), nn.Linear(3, 2, bias=False), nn.Linear(2, 3, bias=False)
layers = [nn.Linear(2, 2), nn.Linear(2, 2)]
named = {"a": nn.Linear(2, 2)}
rows = nn.ModuleList([nn.Linear(2, 2)])
v = nn.Parameter(torch.rand(2))
for again in range(2):
    late = nn.Linear(2, 2)
    seen = late.weight[0].tolist()
after = torch.rand(2)
)";

Ended run_with(const std::string& printed, const std::vector<std::string>& maps, const std::string& bytes = packed(),
               const std::string& name = "w.safetensors") {
  const TemporaryFile program("p.py", kProgram + ("print(" + printed + ")\n"));
  const TemporaryFile file(name, bytes);
  std::vector<std::string> words = {"run", "--plain", "--quiet", program.path(), "--weights", file.path()};
  for (const std::string& map : maps) words.insert(words.end(), {"--map", map});
  return run_program(words);
}

TEST(Weights, EachPartLandsWhereTheMapSays) {
  struct Row {
    std::vector<std::string> maps;
    const char* printed;
    const char* expected;
  };
  const Row rows[] = {
      {{"h.attn.c_attn.weight[:, 0:2].T=fc.weight"}, "fc.weight.tolist()", "[[0.0, 6.0], [1.0, 7.0]]"},
      {{"h.attn.c_attn[..., 2:4].T = heads.fc_q"},
       "heads.fc_q.weight.tolist(), heads.fc_q.bias.tolist()",
       "[[2.0, 8.0], [3.0, 9.0]] [102.0, 103.0]"},
      {{"h.attn.c_attn[..., -2:].T=layers.1"}, "layers[1].bias.tolist()", "[104.0, 105.0]"},
      {{"h.attn.c_attn[..., -2:].T=named.a"}, "named['a'].bias.tolist()", "[104.0, 105.0]"},
      {{"h.attn.c_attn.weight.T[4:]=rows.0.weight"}, "rows[0].weight.tolist()", "[[4.0, 10.0], [5.0, 11.0]]"},
      {{"h.attn.c_attn.weight[1, 2:4]=v"}, "v.tolist()", "[8.0, 9.0]"},
      {{"h.attn.c_proj.weight=fc"}, "fc.weight.tolist()", "[[20.0, 21.0], [22.0, 23.0]]"},
      {{"h.attn.c_proj.T=fc", "h.attn.c_attn.bias[:2]=fc.bias"},
       "fc.weight.tolist(), fc.bias.tolist()",
       "[[20.0, 22.0], [21.0, 23.0]] [100.0, 101.0]"},
      {{"h.wide=narrow"}, "narrow.weight.tolist()", "[[30.0, 31.0, 32.0], [33.0, 34.0, 35.0]]"},
      {{"h.attn.c_proj=late"}, "seen", "[20.0, 21.0]"},
      {{"=heads"}, "heads.places.tolist()", "[0, 1]"},
  };
  const std::string after = run_with("after.tolist()", {}).out;
  for (const Row& row : rows) {
    const Ended ended = run_with(row.printed, row.maps);
    EXPECT_EQ(ended.err, "") << row.maps[0];
    EXPECT_EQ(ended.out, std::string(row.expected) + "\n") << row.maps[0];
    EXPECT_EQ(run_with("after.tolist()", row.maps).out, after) << "draws keep their place: " << row.maps[0];
  }
}

TEST(Weights, NamesOfTheFileThatAreNamesOfTheLessonNeedNoMap) {
  const std::string bytes = safetensors_bytes({{"fc.weight", counting_from(1, {2, 2})},
                                               {"heads.fc_q.bias", counting_from(5, {2})},
                                               {"v", counting_from(7, {2})}});
  EXPECT_EQ(run_with("fc.weight[1].tolist(), heads.fc_q.bias.tolist(), v.tolist()", {}, bytes).out,
            "[3.0, 4.0] [5.0, 6.0] [7.0, 8.0]\n");
}

TEST(Weights, AnArrayIsCalledAsItsFile) {
  const std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (2,), }\n";
  const std::string npy = std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header +
                          std::string("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0", 16);
  EXPECT_EQ(run_with("fc.bias.tolist()", {}, npy, "fc.bias.npy").out, "[1.0, -2.0]\n");
  EXPECT_EQ(run_with("v.tolist()", {"x=v"}, npy, "x.npy").out, "[1.0, -2.0]\n");
}

TEST(Weights, WhatIsWrongIsToldOnce) {
  struct Row {
    std::vector<std::string> maps;
    int code;
    const char* message;
  };
  const Row rows[] = {
      {{"h.attn.c_attn=fc"},
       3,
       "w.safetensors: 2 tensors do not fit the lesson\n"
       "  fc.weight is [2, 2] in the lesson, but h.attn.c_attn.weight is [2, 6] in the file\n"
       "  fc.bias is [2] in the lesson, but h.attn.c_attn.bias is [6] in the file\n"},
      {{"h.wide=turned"},
       3,
       "turned.weight is [3, 2] in the lesson, but h.wide.weight is [2, 3] in the file; transposed it fits (the Conv1D "
       "of GPT-2 keeps [in, out]): --map 'h.wide.weight.T=turned.weight'\n"},
      {{"h.wide.T=narrow"}, 3, "is [3, 2] in the file; without .T it fits: --map 'h.wide.weight=narrow.weight'\n"},
      {{"places=v"}, 3, "v holds float32 numbers, but places holds int64\n"},
      {{"h.attn.c_atn=fc"}, 2, "w.safetensors has no tensor h.attn.c_atn"},
      {{"h.attn.c_proj.weigt=fc"}, 2, "has no tensor h.attn.c_proj.weigt (did you mean h.attn.c_proj.weight?)"},
      {{"h.attn.c_proj=fc", "h.wide=fc"}, 2, "--map h.wide=fc: fc.weight is h.attn.c_proj.weight already"},
      {{"h.attn.c_attn[:, 0:2]=fc"}, 2, "2 items for h.attn.c_attn, which has shape [6]; [..., 0:768] takes a part"},
      {{"h.attn.c_proj.weight[2]=v"}, 2, "axis 0 of h.attn.c_proj.weight has size 2"},
      {{"h.attn.c_proj.weight[0:3]=v"}, 2, "axis 0 of h.attn.c_proj.weight has size 2"},
      {{"h.attn.c_proj.weight[1:0]=v"}, 2, "axis 0 of h.attn.c_proj.weight has size 2"},
      {{"h.wide.weight[::2]=v"}, 2, "a ] is missing, or : appears twice: a range has no step"},
      {{"h.wide.weight[0=v"}, 2, "a ] is missing"},
      {{"h.wide.weight[]=v"}, 2, "between [ and ] come numbers, ranges such as 0:768, : and ..."},
      {{"h.wide.weight[..., ...]=v"}, 2, "... may appear once between [ and ]"},
      {{"h.wide.weight[0].t()=v"}, 2, "come [rows, columns] or .T alone"},
      {{"h.wide.weight[99999999999999999999]=v"}, 2, "is not a whole number"},
      {{"h.wide.weight"}, 2, "it takes FILE_NAME=LESSON_NAME"},
      {{"="}, 2, "it names neither a tensor of the file nor one of the lesson"},
  };
  for (const Row& row : rows) {
    const Ended ended = run_with("1", row.maps);
    EXPECT_EQ(ended.code, row.code) << row.maps[0];
    EXPECT_EQ(ended.out, "") << row.maps[0];
    EXPECT_THAT(ended.err, HasSubstr(row.message)) << row.maps[0];
  }
  const Ended alone = run_program({"lesson", "3", "--map", "a=b"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--map says what the tensors of --weights are in the lesson"));
}

/// Weights for fc_q of a lesson.
std::string square(std::int64_t size) {
  return safetensors_bytes({{"fc_q.weight", counting_from(0, {size, size})}, {"fc_q.bias", counting_from(0, {size})}});
}

TEST(Weights, ASettingThatMakesThemFitIsTried) {
  const TemporaryFile sixteen("w.safetensors", square(16)), seven("w.safetensors", square(7));
  const Ended fits = run_program({"lesson", "3", "--weights", sixteen.path()});
  EXPECT_EQ(fits.code, 3);
  EXPECT_THAT(fits.err, HasSubstr("  hint: --set hidden_dim=16 makes them fit\n"));
  EXPECT_EQ(run_program({"lesson", "3", "--weights", sixteen.path(), "--set", "hidden_dim=16"}).code, 0);
  // Seven cannot be split into heads: no setting is named that would not run.
  EXPECT_THAT(run_program({"lesson", "3", "--weights", seven.path()}).err, Not(HasSubstr("hint")));
}

TEST(Weights, EveryViewAndTranscriptSaysWhatCameFromTheFile) {
  const std::string bytes = safetensors_bytes({{"fc_q.weight", counting_from(0, {8, 8})},
                                               {"fc_q.bias", counting_from(0, {8})},
                                               {"other", counting_from(0, {1})}});
  const TemporaryFile file("w.safetensors", bytes);
  const std::string sum = hex_digits(sha256(bytes));
  const std::vector<std::string> commands[] = {
      {"lesson", "3", "--width", "80", "--color", "never"}, {"export", "3", "-o", "-", "--format", "md"},
      {"export", "3", "-o", "-", "--format", "html"},       {"export", "3", "-o", "-", "--format", "json"},
      {"export", "3", "-o", "-", "--format", "txt"},        {"export", "3", "-o", "-", "--format", "py"},
      {"export", "3", "-o", "-", "--format", "ipynb"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"--weights", file.path()});
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.code, 0) << words[5];
    EXPECT_THAT(ended.out, AllOf(HasSubstr(sum), HasSubstr("fc_q.weight"), HasSubstr("w.safetensors"))) << words[5];
    EXPECT_THAT(ended.err, AllOf(HasSubstr("note: Not in the file, so drawn: fc_k.weight, fc_k.bias, fc_v.weight"),
                                 HasSubstr("note: In the file, but not used: other.")));
  }
  EXPECT_EQ(run_program({"lesson", "3", "--quiet", "--weights", file.path()}).err, "");
}

// ---- under PyTorch ----

TEST(Weights, VerifyLoadsTheSame) {
  if (!has_torch()) GTEST_SKIP() << "no PyTorch here";
  const TemporaryFile small("w.safetensors", packed());
  const std::string large_bytes = safetensors_bytes({{"big", counting_from(-0.5, {600, 600}, DType::Float16)}});
  const TemporaryFile large("w.safetensors", large_bytes);
  const TemporaryFile program("p.py", std::string(kProgram) + "x = heads.fc_q(fc(after)) + rows[0](after) + v\n");
  const TemporaryFile wide("p.py",
                           "import torch\ntorch.manual_seed(0)\nif True:\n    fc = torch.nn.Linear(600, 600)\n"
                           "    x = fc(torch.ones(600)) / 1e6\n");
  const std::vector<std::string> commands[] = {
      {program.path(), "--weights", small.path(), "--map", "h.attn.c_attn[..., 2:4].T=heads.fc_q", "--map",
       "h.attn.c_proj=fc", "--map", "h.wide.weight[:, 1:].T=rows.0.weight", "--map", "h.attn.c_attn.bias[4:]=v"},
      {wide.path(), "--weights", large.path(), "--map", "big.T=fc.weight"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.begin(), "verify");
    words.insert(words.end(), {"--quiet", "--python", kPython});
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
    EXPECT_THAT(ended.out, testing::ContainsRegex("tensors? agrees? with PyTorch"));
  }
}

}  // namespace
}  // namespace attn
