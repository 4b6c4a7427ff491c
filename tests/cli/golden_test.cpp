// The text of every lesson, as it stood when it was last looked at. After an intended change:
//   ATTN_UPDATE_GOLDEN=1 ctest --test-dir build -R Golden
// and read the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/cli/program.h"
#include "tests/cli/same_text.h"

namespace attn {
namespace {

TEST(FirstDifference, IsFound) {
  EXPECT_TRUE(first_other_line("a\nb\n", "a\nb\n").is_end);
  EXPECT_EQ(first_other_line("a\nb\nc\n", "a\nB\nc\n").number, 2);
  EXPECT_EQ(first_other_line("a\nb\n", "a\n").actual, "(end)");
  EXPECT_EQ(first_other_line("a\n", "a\nb\n").expected, "(end)");
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
  EXPECT_TRUE(same_text(text_of(path), ended.out)) << path;
}

INSTANTIATE_TEST_SUITE_P(Lessons, Golden, testing::ValuesIn(lesson_names()),
                         [](const auto& lesson) { return lesson.param; });

}  // namespace
}  // namespace attn
