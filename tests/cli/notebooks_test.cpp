// Every notebook and script of tests/notebooks prints what it prints under real Python and PyTorch: expected/NAME.txt,
// written by tests/oracle/make.py. And nothing on standard error: a shape comment that is right raises no warning. (Who
// measures times is told of the clock.)
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include "explain/text_difference.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

const fs::path kNotebooks = ATTN_SOURCE_DIR "/tests/notebooks";

std::vector<std::string> notebook_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kNotebooks)) {
    const std::string extension = entry.path().extension();
    if (extension == ".ipynb" || extension == ".py") names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The addresses of objects are nobody's to expect.
std::string without_addresses(const std::string& text) {
  return std::regex_replace(text, std::regex(" at 0x[0-9a-f]+"), "");
}

std::string without_clock(const std::string& text) {
  return std::regex_replace(text, std::regex("[^\n]*: note: the clock goes on by a millisecond[^\n]*\n"), "");
}

class Notebook : public testing::TestWithParam<std::string> {};

TEST_P(Notebook, PrintsWhatPyTorchPrints) {
  const fs::path file = kNotebooks / GetParam();
  const std::string expected = text_of(kNotebooks / "expected" / (file.stem().string() + ".txt"));
  ASSERT_FALSE(expected.empty()) << "run tests/oracle/make.py " << file.stem();
  const Ended ended = run_program({"run", file.string(), "--plain"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(without_clock(ended.err), "");
  const auto difference = first_difference(expected, without_addresses(ended.out));
  EXPECT_FALSE(difference) << "line " << difference->line << "\n  PyTorch: " << difference->expected
                           << "\n  here:    " << difference->got;
}

TEST_P(Notebook, RunsInEveryView) {
  const std::string file = (kNotebooks / GetParam()).string();
  for (const char* view : {"--shapes", "--quiet"}) {
    const Ended ended = run_program({"run", file, view, "--width", "70", "--color", "never"});
    EXPECT_EQ(ended.code, 0) << view;
    EXPECT_EQ(without_clock(ended.err), "") << view;
    EXPECT_FALSE(ended.out.empty()) << view;
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
  return name;
}

INSTANTIATE_TEST_SUITE_P(Programs, Notebook, testing::ValuesIn(notebook_names()), test_name);

}  // namespace
}  // namespace attn
