// The levels of the processor: how one is asked for, and that no instruction of a higher one stands elsewhere.
#include "tensor/kernels/levels.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "tests/cli/program.h"

namespace attn {
namespace {

Conditions with_level(const std::string& name) {
  Conditions conditions;
  conditions.environment["ATTN_TUTOR_CPU"] = name;
  return conditions;
}

TEST(Levels, AnUnknownOneIsAMistakeOfUsage) {
  const Ended ended = run_program({"list"}, with_level("v5"));
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(
      ended.err.starts_with("attn-tutor: ATTN_TUTOR_CPU: there is no level 'v5'\n  hint: levels here: baseline"))
      << ended.err;
}

TEST(Levels, OneThatTheProcessorLacksIsAMistakeOfUsage) {
  for (const Level& level : levels()) {
    const Ended ended = run_program({"list"}, with_level(std::string(level.name)));
    EXPECT_EQ(ended.code, level.is_supported() ? 0 : 2) << level.name << '\n' << ended.err;
  }
}

// Large enough that products take the kernels of the level; seed and sizes make no number a tie.
const char* const kLargeCode =
    "torch.manual_seed(0); x = torch.randn(300, 200); y = torch.softmax(x @ torch.randn(200, 310), -1); "
    "(y @ y.t()).sum(0)[:4]";

TEST(Levels, AgreeInWhatIsPrinted) {
  const std::string expected = run_program({"eval", kLargeCode}, with_level("baseline")).out;
  EXPECT_NE(expected, "");
  for (const Level& level : levels()) {
    if (!level.is_supported()) continue;
    EXPECT_EQ(run_program({"eval", kLargeCode}, with_level(std::string(level.name))).out, expected) << level.name;
  }
}

TEST(Levels, TheTraceNamesTheOneThatNumbersDependOn) {
  const TemporaryFile large("large.py", "import torch\nx = torch.ones(128, 128)\ny = x @ x\n");
  const TemporaryFile small("small.py", "import torch\nx = torch.ones(8, 8)\ny = x @ x\n");
  for (const Level& level : levels()) {
    if (!level.is_supported()) continue;
    const std::string name(level.name);
    const auto json = [&](const TemporaryFile& file) {
      return run_program({"export", file.path(), "--format", "json", "-o", "-"}, with_level(name)).out;
    };
    EXPECT_NE(json(large).find("\"level\": \"" + name + "\""), std::string::npos) << json(large).substr(0, 400);
    EXPECT_NE(json(small).find("\"level\": \"baseline\""), std::string::npos);
  }
}

// ---- the binary itself ----

#if defined(__x86_64__) && !defined(ATTN_SANITIZED)

bool belongs_to_a_level(const std::string& symbol) {
  for (const char* name : {"attn::v3::", "attn::v4::", "attn::math::v3::", "attn::math::v4::", "Eigen_v3", "Eigen_v4"})
    if (symbol.find(name) != std::string::npos) return true;
  return false;
}

// "  401000:\tvaddps %ymm0,..." -> "vaddps"; "" for lines that are no instruction.
std::string instruction_of(const std::string& line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string::npos) return "";
  return line.substr(tab + 1, line.find_first_of(" \t\n", tab + 1) - tab - 1);
}

// Instructions with a VEX or EVEX prefix begin with v, except for a few old ones; masks and BMI2 come with them.
bool needs_a_level(const std::string& instruction) {
  for (const char* old : {"verr", "verw", "vmcall", "vmmcall"})
    if (instruction == old) return false;
  for (const char* other : {"andn", "mulx", "shlx", "shrx", "sarx", "rorx", "bzhi", "kmovw", "kmovb", "kmovq"})
    if (instruction == other) return true;
  return instruction.starts_with("v");
}

TEST(Levels, NoInstructionOfAHigherOneStandsOutside) {
  const std::string command = "objdump -d -C --no-show-raw-insn " ATTN_BINARY " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  ASSERT_NE(pipe, nullptr);
  std::string symbol, outside;
  int inside = 0, functions = 0;
  char* line = nullptr;
  std::size_t room = 0;
  while (getline(&line, &room, pipe.get()) >= 0) {
    const std::string text(line);
    if (text.size() > 3 && text.ends_with(">:\n")) symbol = text, ++functions;
    else if (needs_a_level(instruction_of(text)))
      belongs_to_a_level(symbol) ? void(++inside) : void(outside += symbol + text);
  }
  free(line);
  if (functions == 0) GTEST_SKIP() << "no objdump, or a stripped program";
  EXPECT_EQ(outside.substr(0, 1000), "");
  EXPECT_GT(inside, 1000);
}

#endif

}  // namespace
}  // namespace attn
