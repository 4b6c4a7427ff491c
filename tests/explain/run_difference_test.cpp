// What moved from one run to another.
#include "explain/run_difference.h"

#include <gmock/gmock.h>

#include "engine/touch.h"
#include "explain/failure.h"
#include "explain/paired_values.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

using testing::ElementsAre;

const std::string kChangedCells =
    cell("n = 2\nseed = 0", "parameters") +
    cell(
        "words = ['the', 'cat', 'sat']\nx = torch.zeros(2, 3)  # [batch_size, key_len]\n# axis key_len: words\n"
        "mask = x + 1\ntorch.manual_seed(seed)\nnoise = torch.rand(4)\ny = x * 2\nhead = torch.zeros(n, 3)\n"
        "wide = torch.zeros(n, 1)\nfor i in range(n):\n    piece = torch.zeros(i + 1)\ny.sum()\nn * 3\nflat = x.sum()");

/// A line for each value that changed: "x OtherNumbers-word: sentence | sentence".
std::vector<std::string> changes(const Trace& before, const Trace& after) {
  std::vector<std::string> lines;
  for (const ValueChange& value : run_difference(before, after).values) {
    if (value.change == Change::Same) continue;
    std::string line = fmt::format("{} {} {}:", value.step, value.name, change_word(value.change));
    for (const std::string& text : change_text(before, after, value)) line += " " + text + ";";
    lines.push_back(line);
  }
  return lines;
}

TEST(RunDifference, NothingMovesInTheSameRun) {
  const Trace before = trace_of(kChangedCells), after = trace_of(kChangedCells);
  EXPECT_THAT(changes(before, after), ElementsAre());
  const RunDifference difference = run_difference(before, after);
  EXPECT_EQ(difference.first_numbers, -1);
  EXPECT_THAT(first_moved_text(difference), ElementsAre("Every tensor kept every bit."));
}

TEST(RunDifference, ATouchMovesWhatDependsOnIt) {
  const Lesson lesson = lesson_of(kChangedCells);
  const Trace before = run_lesson(lesson);
  const Trace after = run_touched(lesson, before, "x[1, 1] += 1");
  EXPECT_THAT(
      changes(before, after),
      ElementsAre(
          "4 x numbers: 1 of 6 numbers moved: batch_size 1; key_len 1; kept every bit: batch_size 0; key_len 0, 2;",
          "5 mask numbers: 1 of 6 numbers moved: batch_size 1; key_len 1 (cat); kept every bit: batch_size 0; "
          "key_len 0 (the), 2 (sat);",
          "8 y numbers: 1 of 6 numbers moved: batch_size 1; key_len 1 (cat); kept every bit: batch_size 0; "
          "key_len 0 (the), 2 (sat);",
          "14 y.sum() numbers: 0.0000 before, 2.0000 now;", "16 flat numbers: 0.0000 before, 1.0000 now;"));
  const RunDifference difference = run_difference(before, after);
  EXPECT_THAT(first_moved_text(difference), ElementsAre("The first numbers to move are those of x, at step 4."));
  EXPECT_EQ(difference.count(Change::OtherNumbers), 5);
}

TEST(RunDifference, ASettingChangesShapesAndRounds) {
  RunOptions options;
  options.set["n"] = "3";
  const Trace before = trace_of(kChangedCells), after = trace_of(kChangedCells, options);
  EXPECT_THAT(changes(before, after),
              ElementsAre("1 n value: 2 before, 3 now;",
                          "9 head shape: another shape or type: [n 2, 3] float32 before, [n 3, 3] float32 now;",
                          "10 wide shape: another shape or type: [n 2, 1] float32 before, [n 3, 1] float32 now;",
                          "11 i new: only in the run now;", "14 piece new: only in the run now;",
                          "15 n * 3 value: 6 before, 9 now;"));
  EXPECT_THAT(first_moved_text(run_difference(before, after)),
              ElementsAre("The first tensor with another shape is head, at step 9."));
}

TEST(RunDifference, ASeedMovesTheDraws) {
  RunOptions options;
  options.seed = 5;
  EXPECT_THAT(changes(trace_of(kChangedCells), trace_of(kChangedCells, options)),
              ElementsAre("2 seed value: 0 before, 5 now;", "7 noise numbers: all 4 numbers moved;"));
}

TEST(RunDifference, NumbersThatWereNotKeptAreNotCompared) {
  RunOptions options;
  options.value_budget = 0;
  const std::string cells = cell("x = torch.zeros(2)");
  EXPECT_THAT(changes(trace_of(cells), trace_of(cells, options)),
              ElementsAre("1 x unknown: not known: the record of the run is full, and its numbers were not kept;"));
}

TEST(RunDifference, AMoveInEverySliceNamesNone) {
  const Lesson lesson = lesson_of(cell("x = torch.zeros(2, 2)"));
  const Trace before = run_lesson(lesson);
  EXPECT_THAT(changes(before, run_touched(lesson, before, "x += torch.eye(2)")),
              ElementsAre("1 x numbers: 2 of 4 numbers moved, some in every slice;"));
}

TEST(Failure, IsOneLineWithItsStep) {
  EXPECT_FALSE(failure_of(trace_of(cell("x = 1"))));
  const auto failure = failure_of(trace_of(cell("x = 1\nassert x == 2")));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure_text(*failure, "runs.failed", "n=3"),
            "n=3 ends with an error at step 2: assertion: this must hold: x == 2, but x is 1");
}

}  // namespace
}  // namespace attn
