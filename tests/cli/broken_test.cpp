// Attention programs that are broken in one place each: tests/broken/NAME.py. What the program says of them stands in
// NAME.expected, word for word. ATTN_UPDATE_GOLDEN=1 writes those anew: read what changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "tests/cli/program.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

const fs::path kBroken = fs::path(ATTN_SOURCE_DIR) / "tests/broken";

std::vector<fs::path> broken_programs() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(kBroken))
    if (entry.path().extension() == ".py") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Broken, EveryProgramIsToldWhatIsWrong) {
  const std::vector<fs::path> all = broken_programs();
  EXPECT_GE(all.size(), 30u);
  for (const fs::path& program : all) {
    Conditions conditions;
    conditions.folder = kBroken.string();
    const Ended ended = run_program({"run", "--plain", "--color", "never", program.filename().string()}, conditions);
    fs::path expected = program;
    expected.replace_extension(".expected");
    const bool is_silent = program.filename().string().starts_with("silent-");
    EXPECT_EQ(ended.code, is_silent ? 0 : 1) << program;
    if (std::getenv("ATTN_UPDATE_GOLDEN")) std::ofstream(expected) << ended.err;
    EXPECT_EQ(ended.err, text_of(expected)) << program;
    EXPECT_FALSE(ended.err.empty()) << program;
  }
}

/// The program with the lines that its last comments give: "# right 7:     return e / e.sum(axis=-1, keepdims=True)".
std::string twin_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    constexpr std::string_view kRight = "# right ";
    if (!line.starts_with(kRight)) {
      lines.push_back(line);
      continue;
    }
    const std::size_t colon = line.find(": ");
    lines.at(std::stoul(line.substr(kRight.size())) - 1) = line.substr(colon + 2);
  }
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// A false alarm is worse than silence: the same program, right in every place, is told nothing.
TEST(Broken, NothingIsSaidOfTheCorrectTwin) {
  int twins = 0;
  for (const fs::path& program : broken_programs()) {
    const std::string text = text_of(program);
    if (text.find("\n# right ") == std::string::npos) continue;
    const TemporaryFile file("twin.py", twin_of(text));
    const Ended ended = run_program({"run", "--plain", file.path()});
    EXPECT_EQ(ended.code, 0) << program << "\n" << ended.err;
    EXPECT_EQ(ended.err, "") << program;
    ++twins;
  }
  EXPECT_GE(twins, 40);
}

// A fix says that it runs. Here it does, in the place where it belongs: the same program with the line mended goes on.
TEST(Broken, EveryFixRuns) {
  int fixes = 0;
  for (const fs::path& program : broken_programs()) {
    const std::string text = text_of(program), message = text_of(fs::path(program).replace_extension(".expected"));
    const std::size_t at = message.find("  fix:  "), end = message.find(" gives ", at);
    const bool is_silent = program.filename().string().starts_with("silent-");
    if (at == std::string::npos || end == std::string::npos || is_silent) continue;
    const std::string fix = message.substr(at + 8, end - at - 8);
    std::istringstream position(message.substr(message.find(':') + 1));
    std::size_t line = 0;
    position >> line;
    std::istringstream lines(text);
    std::string mended;
    std::size_t number = 0;
    for (std::string each; std::getline(lines, each);) {
      if (++number != line) {
        mended += each + "\n";
        continue;
      }
      mended += each.substr(0, each.find_first_not_of(' ')) +
                (each.find("return ") != std::string::npos ? "return " : "") + fix + "\n";
      if (each.find("return ") == std::string::npos) break;  // what follows may need the name
    }
    const TemporaryFile file("mended.py", mended);
    const Ended ended = run_program({"run", "--plain", file.path()});
    EXPECT_EQ(ended.code, 0) << program << ": " << fix << "\n" << ended.err;
    ++fixes;
  }
  EXPECT_GE(fixes, 25);
}

}  // namespace
}  // namespace attn
