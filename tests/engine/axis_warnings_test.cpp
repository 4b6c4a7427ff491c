// Shape comments in learners' own files: what is wrong is warned of once, and what an author may well mean is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/runner.h"
#include "lesson/program.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The warnings of a notebook of these cells.
std::vector<std::string> warnings(const std::vector<std::string>& cells) {
  LoadFindings findings;
  Lesson notebook = load_program("mine.py", "import torch\n", findings);
  notebook.form = LessonForm::Notebook;
  for (const std::string& code : cells) {
    Cell cell;
    cell.source = {"cell", code};
    notebook.blocks.push_back(cell);
  }
  parse_cells(notebook);
  std::vector<std::string> out;
  for (const Diagnostic& diagnostic : run_lesson(notebook, {}).diagnostics) out.push_back(diagnostic.message);
  return out;
}

TEST(AxisWarnings, OfWhatIsWrong) {
  EXPECT_THAT(warnings({"T = 5\nx = torch.ones(2, 3)  # (B, T)"}),
              ElementsAre("axis 1 of x has size 3, but the comment says T = 5"));
  EXPECT_THAT(warnings({"x = torch.ones(2, 3)  # (B, T)\ny = torch.ones(4, 3)  # (B, T)"}),
              ElementsAre("axis 0 of y has size 4, but the comment says B = 2"));
  EXPECT_THAT(warnings({"width = 4\ndef f(x):\n    y = x.view(-1, width).T  # (n, width)\n    return y",
                        "f(torch.ones(3, 8));"}),
              ElementsAre("axis 1 of y has size 6, but the comment says width = 4"));
}

TEST(AxisWarnings, OncePerPlaceAndSentence) {
  EXPECT_THAT(warnings({"T = 5\nfor i in range(9):\n    x = torch.ones(2, 3)  # (B, T)"}),
              ElementsAre("axis 1 of x has size 3, but the comment says T = 5"));
}

TEST(AxisWarnings, NotOfTheCounterOfALoop) {
  EXPECT_THAT(warnings({"x = torch.ones(4, 3)\nfor t in range(3):\n    past = x[:t + 1]  # (t, C)"}), IsEmpty());
}

TEST(AxisWarnings, NotOfAVariableOutsideThatTheFunctionDoesNotRead) {
  EXPECT_THAT(warnings({"T = 5\ndef f(x):\n    # T is the length\n    y = x + 1  # (B, T)\n    return y",
                        "f(torch.ones(2, 3));"}),
              IsEmpty());
}

TEST(AxisWarnings, OfTheFirstOfSeveralTargets) {
  const std::string later = "\nq = torch.ones(4, 1, 16)  # [B, 1, H]";
  const std::string out = "torch.ones(4, 7, 16)", hidden = "torch.ones(1, 4, 16)";
  EXPECT_THAT(warnings({"out, h = " + out + ", " + hidden + "  # [B, T, H]" + later}), IsEmpty());
  EXPECT_THAT(warnings({"out, (h, c) = " + out + ", (" + hidden + ", " + hidden + ")  # [B, T, H]" + later}),
              IsEmpty());
  EXPECT_THAT(warnings({"[out, _] = [" + out + ", " + hidden + "]  # [B, T, H]" + later}), IsEmpty());
  EXPECT_THAT(warnings({"_, h = " + out + ", " + hidden + "  # [1, B, H]" + later}), IsEmpty());
  EXPECT_THAT(warnings({"loss, logits = torch.ones(()), " + out + "  # [B, T, H]" + later}), IsEmpty());
  EXPECT_THAT(warnings({"T = 5\nout, h = " + out + ", " + hidden + "  # [B, T, H]"}),
              ElementsAre("axis 1 of out has size 7, but the comment says T = 5"));
}

TEST(AxisWarnings, NotOfLettersOfAnotherCell) {
  EXPECT_THAT(warnings({"x = torch.ones(2, 3)  # (B, T)", "x = torch.ones(4, 8)  # (B, T)"}), IsEmpty());
}

}  // namespace
}  // namespace attn
