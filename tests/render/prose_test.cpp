#include "render/prose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lesson/load.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

/// The blocks of a Markdown text, as they are drawn.
std::string drawn_prose(const std::string& markdown, RenderOptions options = {}) {
  LoadFindings findings;
  const Lesson lesson = load_lesson("01-x.md", markdown, findings);
  std::vector<Prose> blocks;
  for (const LessonBlock& block : lesson.blocks) blocks.push_back(std::get<Prose>(block));
  Page page(options);
  put_prose(page, blocks);
  return page.text();
}

TEST(Prose, HeadingsAndParagraphs) {
  EXPECT_EQ(drawn_prose("# Masks\n\nHide `keys`, *not* words. **Bold** is bold.\n\n## Why\n\nText."),
            "Masks\n━━━━━\n\nHide `keys`, *not* words. Bold is bold.\n\n\nWhy\n───\n\nText.\n");
}

TEST(Prose, WrapsAtBlanks) {
  EXPECT_EQ(drawn_prose("one two three four five", {12, false, false}), "one two\nthree four\nfive\n");
}

TEST(Prose, ListsAndQuotes) {
  EXPECT_EQ(drawn_prose("- first item\n- second\n  - inner\n\n1. one\n2. two\n\n> quoted text", {14, false, false}),
            "• first item\n• second\n  • inner\n1. one\n2. two\n\n│ quoted text\n");
}

TEST(Prose, FormulasAndLinks) {
  EXPECT_EQ(drawn_prose("Divide by $\\sqrt{d}$, see [the paper](https://a.org/p)."),
            "Divide by √d, see the paper (https://a.org/p).\n");
  EXPECT_EQ(drawn_prose("$$\\frac{Q K^\\top}{\\sqrt{d}}$$"), "    (Q Kᵀ)/√d\n");
  EXPECT_EQ(drawn_prose("Divide by $\\sqrt{d}$.", {80, false, true}), "Divide by \\sqrt{d}.\n");
}

TEST(Prose, CodeStaysAsItIs) { EXPECT_EQ(drawn_prose("```\na  b\n\n  c\n```"), "    a  b\n\n      c\n"); }

TEST(Prose, TablesAlign) {
  const std::string table = "| name | means |\n|---|---:|\n| B | batch |\n| 나는 | I |\n";
  EXPECT_EQ(drawn_prose(table), "name   means\n────   ─────\nB      batch\n나는       I\n");
  // Too narrow for columns: a row after the other.
  EXPECT_EQ(drawn_prose("| name | explanation |\n|---|---|\n| query_len | the words that ask |\n", {14, false, false}),
            "name:\n  query_len\nexplanation:\n  the words\n  that ask\n");
}

TEST(Prose, IsHarmless) { EXPECT_EQ(drawn_prose("a\x1b[31mred", {80, true, false}), "a␛[31mred\n"); }

TEST(Prose, ColorOnlyAdds) {
  EXPECT_EQ(drawn_prose("Hide `keys` now", {80, true, false}), "Hide \x1b[33m`keys`\x1b[0m now\n");
}

}  // namespace
}  // namespace attn
