#include "explain/text_difference.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

/// "2: b|c", or "" for texts that are the same.
std::string difference(std::string_view expected, std::string_view got) {
  const auto found = first_difference(expected, got);
  return found ? std::to_string(found->line) + ": " + found->expected + "|" + found->got : "";
}

TEST(TextDifference, IsTheFirstLineThatIsAnother) {
  EXPECT_EQ(difference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(difference("a\nb\nc", "a\nB\nC"), "2: b|B");
  EXPECT_EQ(difference("a", "a\nb"), "2: |b");
  EXPECT_EQ(difference("a\nb", "a"), "2: b|");
}

// As promised for numbers: 1e-7, a millionth, or one unit of the last place that is printed.
TEST(TextDifference, LeavesOutWhatRoundingMakes) {
  EXPECT_EQ(difference("x 0.1234", "x 0.1235"), "");
  EXPECT_EQ(difference("x 0.1234", "x 0.1236"), "1: x 0.1234|x 0.1236");
  EXPECT_EQ(difference("1.0000000", "1.0000009"), "");
  EXPECT_EQ(difference("1.00000000", "1.00000200"), "1: 1.00000000|1.00000200");
  EXPECT_EQ(difference("1.5e-03", "1.6e-03"), "");
  EXPECT_EQ(difference("1.5e-03", "1.7e-03"), "1: 1.5e-03|1.7e-03");
  EXPECT_EQ(difference("2e+10", "3e+10"), "");
  EXPECT_EQ(difference("0.00000001", "0.00000009"), "");
}

TEST(TextDifference, WholeNumbersAreExact) {
  EXPECT_EQ(difference("1000000000 rows", "1000000001 rows"), "1: 1000000000 rows|1000000001 rows");
  EXPECT_EQ(difference("[3, 4]", "[3, 5]"), "1: [3, 4]|[3, 5]");
  EXPECT_EQ(difference("3.", "3"), "");
}

}  // namespace
}  // namespace attn
