// The linter of lessons: what it finds in what a run shows. (What the loader finds: tests/lesson/load_test.cpp.)
#include "engine/check.h"

#include <gmock/gmock.h>

#include "tests/engine/run.h"

namespace attn {
namespace {

const std::string kOnes = cell("x = torch.ones(2, 3)");  // lines 8 to 10 of the file

/// "line: message" of every finding.
std::string findings_of(const std::string& body) {
  std::string out;
  for (const CheckFinding& finding : check_lesson(lesson_of(body))) {
    out += (out.empty() ? "" : "\n") + std::to_string(position_of(finding.source, finding.diagnostic.span.begin).line);
    out += ": " + finding.diagnostic.message;
  }
  return out;
}

struct CheckCase {
  std::string body;
  const char* findings;
};

void expect_findings(std::initializer_list<CheckCase> cases) {
  for (const CheckCase& c : cases) EXPECT_EQ(findings_of(c.body), c.findings) << c.body;
}

TEST(Check, FailedCellsAndExpectations) {
  expect_findings({
      {kOnes, ""},
      {kOnes + cell("x @ x", "raises=RuntimeError"), ""},
      {kOnes + cell("1 / 0", "raises=RuntimeError"),
       "13: division by zero\n"
       "13: this cell should raise RuntimeError, but it raised ZeroDivisionError"},
      {kOnes + cell("x", "raises=RuntimeError"), "13: this cell should raise RuntimeError, but it ran to its end"},
      {kOnes + cell("y = 1\nundefined"), "14: name 'undefined' is not defined"},
      {kOnes + cell("y = ("), "13: '(' was never closed"},
      {kOnes + "Text {{ undefined }}.\n", "12: name 'undefined' is not defined"},
      {kOnes + cell("y = x  # [a, b, c]"), "13: y has 2 axes [2, 3], but the comment names 3"},
      {kOnes + cell("torch.randn(2)", "wrong=x"), "13: a cell marked `wrong` may not draw random numbers"},
  });
}

TEST(Check, DrawsAfterDropout) {
  const std::string drop = cell("torch.manual_seed(0)\ny = torch.dropout(x, 0.5, True)");  // 13, 14
  const std::string layer = cell("torch.manual_seed(0)\ndrop = nn.Dropout(0.5)\ny = drop(x)");
  const std::string stale = "numbers are drawn after dropout without a new seed";
  expect_findings({
      {kOnes + layer, ""},
      {kOnes + layer + cell("z = torch.randn(2)"), ("19: " + stale).c_str()},
      {kOnes + layer + cell("z = nn.Linear(2, 2)"), ("19: " + stale).c_str()},
      {kOnes + layer + cell("z = torch.randn(2)\nw = torch.rand(2)"), ("19: " + stale).c_str()},
      {kOnes + layer + cell("torch.manual_seed(1)\nz = torch.randn(2)"), ""},
      {kOnes + layer + cell("z = torch.zeros(2)\nw = drop(x)"), ""},
      {kOnes + cell("drop = nn.Dropout(0.5).eval()\ny = drop(x)\nz = torch.randn(2)"), ""},
  });
}

TEST(Check, NamesOfAMapThatAreNotThere) {
  const auto map = [](const std::string& names) { return "```map\n" + names + "\n```\n\n"; };
  const auto missing = [&](int line, const std::string& name) {
    return std::to_string(line) + ": the map lists " + name + ", which no cell binds to a tensor";
  };
  const std::string code = cell("x = torch.ones(2)\ny = x * 2\nn = 3");
  const std::string function = cell("def f(a):\n    inside = a * 2\n    return inside\nz = f(x)");
  EXPECT_EQ(findings_of(map("x, y") + code), "");
  EXPECT_EQ(findings_of(map("x, inside, z") + code + function), "");
  EXPECT_EQ(findings_of(map("x,\nz, y") + code), missing(10, "z"));
  EXPECT_EQ(findings_of(map("x, n, y.T") + code), missing(9, "n") + "\n" + missing(9, "y.T"));
  EXPECT_EQ(findings_of(map("x, bug") + code + cell("bug = x * 3", "wrong=y")), missing(9, "bug"));
  EXPECT_EQ(findings_of(map("x, w") + code + cell("undefined\nw = x * 2")),
            "19: name 'undefined' is not defined");  // the reason why there is no w
  EXPECT_EQ(findings_of(map("a b c d e f g h i j k l m") +
                        cell("a = b = c = d = e = f = g = h = i = j = k = l = torch.ones(2)\nm = a * 2")),
            "9: the map lists 13 names; a drawing has at most 12");
}

TEST(Check, SlicesAlongAnAxisThatIsNotThere) {
  const std::string code = "a, b, c = 2, 3, 4\nx = torch.ones(a, b, c)  # [a, b, c]";
  const auto none = [](const std::string& name) { return "9: no table of this cell has slices along an axis " + name; };
  EXPECT_EQ(findings_of(cell("# slice a: -1\n" + code)), "");
  EXPECT_EQ(findings_of(cell("# slice a: 1, d: 0\n" + code)), none("d"));
  EXPECT_EQ(findings_of(cell("# slice b: 1\n" + code)), none("b"));  // its rows are all shown
  EXPECT_EQ(findings_of(cell("# slice off what is too long: the rest\n" + code)), "");
}

TEST(Check, QuestionsThatCannotBeAnswered) {
  expect_findings({
      {kOnes + cell("y = x.t()", "predict=shape") + kWhy, ""},
      {kOnes + cell("y = x.t()", "predict=shape"), "13: a question without a **Why**"},
      {kOnes + cell("y = 3", "predict=shape") + kWhy, "13: predict=shape: the cell binds no tensor"},
      {kOnes + cell("x[0, 0]", "predict=value") + kWhy, ""},
      {kOnes + cell("x.shape[0]", "predict=value") + kWhy, ""},
      {kOnes + cell("x", "predict=value") + kWhy, "13: predict=value: the cell does not end in a single number"},
      {kOnes + cell("'text'", "predict=value") + kWhy, "13: predict=value: the cell does not end in a single number"},
      {kOnes + cell("x + 1", "predict=effect wrong=x") + kWhy, ""},
      {kOnes + cell("y = x.sum()", "write=y"), "13: a question without a **Why**"},
      {kOnes + cell("y = x.t()", "predict=shape") + "> **Trap** `[2, 3]` Turned.\n\n" + kWhy, ""},
      {kOnes + cell("y = x.t()", "predict=shape") + "> **Trap** `[3, 2]` Turned.\n\n" + kWhy,
       "13: the answer of a **Trap** is the right one"},
  });
}

}  // namespace
}  // namespace attn
