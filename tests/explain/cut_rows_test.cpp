// What rows are behind a view that cut through their axis, of values that real ops made.
#include "explain/cut_rows.h"

#include <gtest/gtest.h>

#include "explain/element.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

/// "[heads 2, words? 3, part 2]: ? means that a view cut this axis: row 1 is ...": of y, of sentences with three words,
/// four numbers each.
std::string rows_of(const std::string& code, const Shape& leading = {}) {
  const Trace trace = trace_of(
      cell("batch, words, width, heads, part = 2, 3, 4, 2, 2\nlist_of = [['sie', 'liest', 'viel'], ['er', 'auch', "
           "'<pad>']]\n"
           "# axis batch, words: list_of\nx = torch.arange(24.0).view(batch, words, width)  # [batch, words, width]\n" +
           code));
  EXPECT_TRUE(trace.diagnostics.empty()) << code << trace.diagnostics.front().message;
  const ValueId y = find_bound(trace, "y");
  return axes_text(trace.value(y)) + ": " + cut_row_text(trace, y, leading);
}

TEST(CutRows, SayWhichPartOfAWordTheyAre) {
  EXPECT_EQ(
      rows_of("y = x.view(batch, heads, words, part)"),
      "[batch 2, heads 2, words? 3, part 2]: ? means that a view cut this axis: row 1 is the second half of \"sie\"");
  EXPECT_EQ(
      rows_of("y = x.view(batch, heads, words, part)", {1, 1}),
      "[batch 2, heads 2, words? 3, part 2]: ? means that a view cut this axis: row 1 is the first half of \"<pad>\"");
  EXPECT_EQ(
      rows_of("y = x.view(batch, heads, -1, part)  # [batch, heads, words, part]", {1}),
      "[batch 2, heads 2, words? 3, part 2]: ? means that a view cut this axis: row 1 is the second half of \"er\"");
  EXPECT_EQ(rows_of("y = x.view(batch, 4, words, 1)"),
            "[batch 2, 4, words? 3, 1]: ? means that a view cut this axis: row 1 is width 1 of \"sie\"");
  EXPECT_EQ(rows_of("y = x.view(batch, width, words).transpose(1, 2)"),
            "[batch 2, words? 3, width? 4]: ? means that a view cut this axis: row 1 is width 1 of \"sie\", width 0 of "
            "\"liest\", width 3 of \"liest\" and "
            "1 part more");
}

TEST(CutRows, SayWhoseHeadTheyAre) {
  const std::string split = "s = x.view(batch, words, heads, part)\n";
  EXPECT_EQ(rows_of(split + "y = s.reshape(batch, heads, words, part)"),
            "[batch 2, heads? 2, words? 3, part 2]: ? means that a view cut this axis: row 1 is heads 1 of \"sie\"");
  EXPECT_EQ(rows_of(split + "y = s.transpose(1, 2).reshape(batch, words, width)"),
            "[batch 2, words? 3, width 4]: ? means that a view cut this axis: row 1 is \"viel\" of heads 0, \"sie\" of "
            "heads 1");
}

TEST(CutRows, AreSilentWhereTheLabelsAreTrue) {
  EXPECT_EQ(rows_of("y = x.view(batch, words, heads, part).transpose(1, 2)"), "[batch 2, heads 2, words 3, part 2]: ");
  EXPECT_EQ(rows_of("y = x.view(batch, heads, words, part) * 2"), "[batch 2, heads 2, words? 3, part 2]: ");
  EXPECT_EQ(rows_of("one = 1\nz = x[:, :one]  # [batch, one, width]\ny = z.view(batch, heads, one, part)"),
            "[batch 2, heads 2, one 1, part 2]: ");
}

TEST(CutRows, EqualSizesAreNoExcuse) {
  // A word is one slice: both axes were asked for by its size.
  EXPECT_EQ(rows_of("two = 2\nz = x[0, :two]  # [two, width]\ny = z.view(heads, two, part)", {1}),
            "[two 2, two? 2, part 2]: ? means that a view cut this axis: row 1 is the second half of \"liest\"");
  const Trace trace =
      trace_of(cell("words, width, heads, part = 4, 4, 2, 2\nlist_of = ['a', 'b', 'c', 'd']\n# axis words: list_of\n"
                    "x = torch.arange(16.0).view(words, width)  # [words, width]\ny = x.view(heads, words, part)"));
  const ValueId y = find_bound(trace, "y");
  EXPECT_EQ(axes_text(trace.value(y)), "[heads 2, words? 4, part 2]");
  EXPECT_EQ(trace.value(y).axes[1].words, nullptr);
  EXPECT_EQ(cut_row_text(trace, y, {}), "? means that a view cut this axis: row 1 is the second half of \"a\"");
}

}  // namespace
}  // namespace attn
