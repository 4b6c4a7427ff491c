// Runs beside one another, and what a touched value moved.
#include "render/run_difference.h"

#include <gmock/gmock.h>

#include "base/limits.h"
#include "base/text.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kCells =
    cell("n = 2", "parameters") +
    cell(
        "assert 6 % n == 0\nx = torch.zeros(n, 6 // n)  # [n_heads, head_dim]\nsame = torch.ones(2, 2)\n"
        "y = x + 1  # [n_heads, head_dim]\nz = y.sum(dim=1)");

Trace run_with(const std::string& n) {
  RunOptions options;
  options.set["n"] = n;
  return trace_of(kCells, options);
}

std::string sweep(const std::vector<std::string>& values, int width) {
  std::vector<Trace> traces;
  for (const std::string& value : values) traces.push_back(run_with(value));
  std::vector<LabelledRun> runs;
  for (std::size_t i = 0; i < values.size(); ++i) runs.push_back({"n=" + values[i], &traces[i]});
  return render_side_by_side(runs, {.width = width, .ascii = true});
}

TEST(Touched, SaysWhatARowIsWhereAViewCutThroughTheWords) {
  const Lesson lesson = lesson_of(
      cell("words, width, heads, part = 3, 4, 2, 2\nlist_of = ['sie', 'liest', 'viel']\n# axis words: list_of\n"
           "x = torch.zeros(words, width)  # [words, width]\ny = x.view(heads, words, part)\nz = y * 2"));
  const Trace before = run_lesson(lesson);
  EXPECT_THAT(render_touched(before, run_touched(lesson, before, "x[0, 0] = 1")),
              HasSubstr("y [heads 2, words? 3, part 2]\n"
                        "      1 of 12 numbers moved: heads 0; words? 0; part 0\n"
                        "      kept every bit: heads 1; words? 1, 2; part 1\n"
                        "      ? means that a view cut this axis: row 1 is the second half of \"sie\"\n"));
}

TEST(SideBySide, AColumnForEachRun) {
  EXPECT_EQ(sweep({"2", "3"}, 80),
            "step  name           axes               n=2     n=3\n"
            "------------------------------------------------------\n"
            "   1  n                                 2       3\n"
            "   3  x              n_heads, head_dim  [2, 3]  [3, 2]\n"
            "   4  same                              [2, 2]  same\n"
            "   5  y              n_heads, head_dim  [2, 3]  [3, 2]\n"
            "   6  z              n_heads            [2]     [3]\n"
            "------------------------------------------------------\n"
            "      multiply-adds                     0       0\n"
            "\n"
            "The first tensor with another shape is x, at step 3.\n");
}

TEST(SideBySide, BlocksWhereItIsNarrow) {
  EXPECT_EQ(sweep({"1", "2", "3"}, 38),
            "step  name           n=1     n=2\n"
            "-----------------------------------\n"
            "   1  n              1       2\n"
            "   3  x              [1, 6]  [2, 3]\n"
            "   4  same           [2, 2]  same\n"
            "   5  y              [1, 6]  [2, 3]\n"
            "   6  z              [1]     [2]\n"
            "-----------------------------------\n"
            "      multiply-adds  0       0\n"
            "\n"
            "step  name           n=3\n"
            "---------------------------\n"
            "   1  n              3\n"
            "   3  x              [3, 2]\n"
            "   4  same           [2, 2]\n"
            "   5  y              [3, 2]\n"
            "   6  z              [3]\n"
            "---------------------------\n"
            "      multiply-adds  0\n");
}

TEST(SideBySide, ARunThatFailedSaysWhy) {
  const std::string text = sweep({"2", "4"}, 80);
  EXPECT_THAT(text, HasSubstr("   3  x              n_heads, head_dim  [2, 3]  -\n"));
  EXPECT_THAT(text, HasSubstr("n=4 ends with an error at step 2: assertion: this must hold: 6 % n == 0, but 6 %\n"
                              "  4 is 2\n"));
  EXPECT_THAT(text, Not(HasSubstr("Every tensor kept every bit.")));
}

TEST(Touched, WhatMovedAndWhatDidNot) {
  const Lesson lesson = lesson_of(kCells);
  const Trace before = run_lesson(lesson);
  EXPECT_EQ(render_touched(before, run_touched(lesson, before, "x[0, 1] += 1"), {}),
            "7 Small, with one change\n"
            "\n"
            "Step 3 binds x, and right there:\n"
            "  x[0, 1] += 1\n"
            "\n"
            "An axis that is not named moved in all of its slices.\n"
            "\n"
            "   3  x [n_heads 2, head_dim 3]\n"
            "      1 of 6 numbers moved: n_heads 0; head_dim 1\n"
            "      kept every bit: n_heads 1; head_dim 0, 2\n"
            "   4  same kept every bit\n"
            "   5  y [n_heads 2, head_dim 3]\n"
            "      1 of 6 numbers moved: n_heads 0; head_dim 1\n"
            "      kept every bit: n_heads 1; head_dim 0, 2\n"
            "   6  z [n_heads 2]\n"
            "      1 of 2 numbers moved: n_heads 0\n"
            "      kept every bit: n_heads 1\n"
            "\n"
            "Of 3 later tensors 2 moved; the others kept every bit.\n");
}

TEST(Touched, TheLastTensorAndAFailure) {
  const Lesson lesson =
      lesson_of(cell("x = torch.zeros(2)\ny = torch.ones(1)\nassert x.sum() == 0\nz = x + 1\nw = y * 1"));
  const Trace before = run_lesson(lesson);
  const std::string text = render_touched(before, run_touched(lesson, before, "x += 1"), {});
  EXPECT_THAT(text, HasSubstr("   1  x [2]\n      all 2 numbers moved\n   2  y kept every bit\n"));
  EXPECT_THAT(text, HasSubstr("The one later tensor did not move.\n"));
  EXPECT_THAT(text, HasSubstr("   4  z, w: only in the run before\n"));
  EXPECT_THAT(text, HasSubstr("With the change the lesson ends with an error at step 3: assertion:"));
}

TEST(Touched, WhatIsInsideFunctionsIsCounted) {
  const Lesson lesson =
      lesson_of(cell("def f(a):\n    b = a * 2\n    return b, a") + cell("seen = torch.ones(1)", "hidden") +
                cell("x = seen * 1\ny = f(x)\nz = f(y[0])[0]"));
  const Trace before = run_lesson(lesson);
  const std::string of_x = render_touched(before, run_touched(lesson, before, "x += 1"), {});
  EXPECT_THAT(of_x, HasSubstr("\n   2  x [1]\n      1.0000 before, 2.0000 now"));
  EXPECT_THAT(of_x, Not(HasSubstr("  b [1]")));
  EXPECT_THAT(of_x, Not(HasSubstr("  y\n")));  // a tuple of tensors
  EXPECT_THAT(of_x, HasSubstr("The one later tensor moved.\n2 more tensors are inside functions;"));
  const std::string of_b = render_touched(before, run_touched(lesson, before, "b@4 += 1"), {});
  EXPECT_THAT(of_b, HasSubstr("Step 4 binds b, and right there:\n  b += 1\n"));
  EXPECT_THAT(of_b, HasSubstr("\n   4  b [1]\n"));
  EXPECT_THAT(of_b, HasSubstr("1 more tensor is inside a function;"));
  const std::string of_hidden = render_touched(before, run_touched(lesson, before, "seen += 1"), {});
  EXPECT_THAT(of_hidden, HasSubstr("Right where seen is bound, in a cell that is not shown:\n  seen += 1\n"));
  EXPECT_THAT(of_hidden, HasSubstr("All 2 later tensors moved.\n"));
}

TEST(Touched, NamesThatGoOnStandBelowTheirStep) {
  const Lesson lesson = lesson_of(
      cell("x = torch.zeros(2)\nfirst_of_many = torch.ones(2)\nsecond_of_many = torch.ones(2)\nthird = torch.ones(2)"));
  const Trace before = run_lesson(lesson);
  EXPECT_THAT(render_touched(before, run_touched(lesson, before, "x[0] = 1"), {.width = 40}),
              HasSubstr("\n   2  first_of_many, second_of_many,\n        third kept every bit\n"));
}

TEST(Touched, NoLineIsWiderThanThePage) {
  const Lesson lesson = lesson_of(kCells);
  const Trace before = run_lesson(lesson);
  const Trace after = run_touched(lesson, before, "x[0, 1] += 1");
  for (const int width : {20, 23, 31, 40, 57}) {
    const std::string texts[] = {render_touched(before, after, {.width = width}), sweep({"1", "2", "3", "6"}, width)};
    for (const std::string& text : texts)
      for (const std::string_view line : split_lines(text)) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(Touched, ARunThatWasStoppedIsComparedUpToThere) {
  RunOptions options;
  options.on_round = [](const RoundPlace& place) {
    if (place.round == 2) request_interrupt();
  };
  const Lesson lesson = lesson_of(cell("x = torch.ones(1)\nfor i in range(9):\n    y = x * i"));
  Trace before = run_lesson(lesson, options);
  clear_interrupt();
  before.options.on_round = nullptr;
  const std::string text = render_touched(before, run_touched(lesson, before, "x += 1"), {});
  EXPECT_THAT(text, HasSubstr("Both runs end where you stopped the first one."));
  EXPECT_THAT(text, Not(HasSubstr("error")));
}

}  // namespace
}  // namespace attn
