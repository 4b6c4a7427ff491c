// Calls of functions that cells define: how arguments are bound, in Python's words.
#include <gtest/gtest.h>

#include "printed.h"

namespace attn {
namespace {

// What Python 3.11 says to each.
TEST(Calls, PositionalOnlyParametersHaveNoNameForTheCaller) {
  const std::string define = "def f(a, b=2, /, c=3):\n    return a, b, c\n";
  const std::string refused = "TypeError: f() got some positional-only arguments passed as keyword arguments: ";
  const std::pair<const char*, std::string> cases[] = {
      {"print(f(1, 5, c=4))", "(1, 5, 4)"}, {"print(f(1))", "(1, 2, 3)"},
      {"f(1, b=2)", refused + "'b'"},       {"f(a=1, b=2, c=3)", refused + "'a, b'"},
      {"f(1, 2, a=1)", refused + "'a'"},    {"f()", "TypeError: f() missing 1 required positional argument: 'a'"},
  };
  for (const auto& [call, expected] : cases) EXPECT_EQ(printed(define + call), expected) << call;
  EXPECT_EQ(printed("def g(a, /, **more):\n    return a, more\nprint(g(1, a=2))"), "(1, {'a': 2})");
}

}  // namespace
}  // namespace attn
