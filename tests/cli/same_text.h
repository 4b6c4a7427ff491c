#pragma once
// Comparing long texts: a failure shows the first line that differs, not both texts.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace attn {

struct LineDifference {
  int number = 1;
  std::string expected, actual;
  bool is_end = false;  // both ended without a difference
};

inline LineDifference first_other_line(const std::string& expected, const std::string& actual) {
  std::istringstream left(expected), right(actual);
  LineDifference lines;
  for (;; ++lines.number) {
    const bool more_left = static_cast<bool>(std::getline(left, lines.expected));
    const bool more_right = static_cast<bool>(std::getline(right, lines.actual));
    if (!more_left) lines.expected = "(end)";
    if (!more_right) lines.actual = "(end)";
    lines.is_end = !more_left && !more_right;
    if (lines.expected != lines.actual || lines.is_end) return lines;
  }
}

inline testing::AssertionResult same_text(const std::string& expected, const std::string& actual) {
  if (expected == actual) return testing::AssertionSuccess();
  const LineDifference lines = first_other_line(expected, actual);
  return testing::AssertionFailure() << "line " << lines.number << "\n  was: " << lines.expected
                                     << "\n  is:  " << lines.actual;
}

}  // namespace attn
