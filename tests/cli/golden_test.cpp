// The text of every lesson, as it stood when it was last looked at. After an intended change:
//   ATTN_UPDATE_GOLDEN=1 ctest --test-dir build -R Golden
// and read the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/cli/program.h"
#include "tests/cli/same_text.h"

namespace attn {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(FirstDifference, IsFound) {
  EXPECT_TRUE(first_difference("a\nb\n", "a\nb\n").is_end);
  EXPECT_EQ(first_difference("a\nb\nc\n", "a\nB\nc\n").number, 2);
  EXPECT_EQ(first_difference("a\nb\n", "a\n").actual, "(end)");
  EXPECT_EQ(first_difference("a\n", "a\nb\n").expected, "(end)");
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, Lesson) {
  const std::string path = ATTN_SOURCE_DIR "/tests/golden/lesson-" + GetParam() + ".txt";
  const Ended ended = run_program({"lesson", GetParam(), "--all", "--width", "80", "--color", "never"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  if (std::getenv("ATTN_UPDATE_GOLDEN")) {
    std::ofstream(path, std::ios::binary) << ended.out;
    return;
  }
  EXPECT_TRUE(same_text(read(path), ended.out)) << path;
}

INSTANTIATE_TEST_SUITE_P(Lessons, Golden, testing::ValuesIn(lesson_names()),
                         [](const auto& lesson) { return lesson.param; });

}  // namespace
}  // namespace attn
