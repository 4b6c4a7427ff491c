// The hint of an assertion that does not hold.
#include <gtest/gtest.h>

#include "tests/lang/run_cell.h"

namespace attn {
namespace {

std::string hint_of(const std::string& code) {
  try {
    CellRun run(code);
    return "it holds";
  } catch (const CellError& error) {
    return error.diagnostic().hint;
  }
}

TEST(Assertion, ShowsWhatTheSidesOfAComparisonCameTo) {
  const char* rows[][2] = {
      {"a = 8\nb = 3\nassert a % b == 0", "this must hold: a % b == 0, but 8 % 3 is 2"},
      {"a = 8\nb = 3\nassert a == b", "this must hold: a == b, but a is 8 and b is 3"},
      {"a = 8\nb = 3\nassert b * 2 >= a", "this must hold: b * 2 >= a, but 3 * 2 is 6 and a is 8"},
      {"a = 8\nassert -a > 0", "this must hold: -a > 0"},
      {"x = torch.zeros(2, 3)\nassert x.shape == (3, 2)",
       "this must hold: x.shape == (3, 2), but x.shape is torch.Size([2, 3])"},
      {"a = []\nassert a", "this must hold: a"},
      {"a = 1\nb = 2\nassert a == 1 and b == 1", "this must hold: a == 1 and b == 1"},
      {"a = 5\nassert 1 < a < 3", "this must hold: 1 < a < 3"},
      {"assert 1 == 2", "this must hold: 1 == 2"},
      {"a = 'one'\nassert a in ['two']", "this must hold: a in ['two'], but a is 'one'"},
      {"a = 'x' * 100\nassert a == ''", "this must hold: a == ''"},
      {"a = 1\nassert a == 1", "it holds"},
  };
  for (const auto& [code, hint] : rows) EXPECT_EQ(hint_of(code), hint) << code;
}

// The sides are evaluated once: a cell that counts, draws or prints does so no more often than in Python.
TEST(Assertion, EvaluatesEachSideOnce) {
  EXPECT_EQ(hint_of("calls = []\ndef f():\n    calls.append(1)\n    return len(calls)\nassert f() == 2"),
            "this must hold: f() == 2, but f() is 1");
}

}  // namespace
}  // namespace attn
