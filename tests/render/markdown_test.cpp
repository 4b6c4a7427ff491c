#include "lesson/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "render/formats.h"
#include "render/markdown_prose.h"
#include "tests/render/lesson_traces.h"
#include "tests/render/markdown_reader.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using test::cell_texts;
using test::foreign_html;
using test::read;
using test::Read;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::Not;

TEST(EveryLesson, HasItsCellsInOrderInMarkdown) {
  for (const Trace& trace : test::lesson_traces()) {
    const Read back = read(find_format("md")->render(trace, {100}));
    EXPECT_THAT(back.cells, ElementsAreArray(cell_texts(trace))) << trace.title;
    EXPECT_EQ(foreign_html(back.html), "") << trace.title;
    EXPECT_GT(back.tables, 4) << trace.title;
  }
}

TEST(Markdown, HostileTextIsText) {
  const Trace trace = test::hostile_trace();
  ASSERT_FALSE(cell_texts(trace).empty());
  const std::string markdown = find_format("md")->render(trace, {100});
  const Read back = read(markdown);
  EXPECT_THAT(back.cells, ElementsAreArray(cell_texts(trace)));
  EXPECT_EQ(foreign_html(back.html), "");
  EXPECT_THAT(back.text, HasSubstr("<script>alert(1)</script> ]]> -->"));
  EXPECT_EQ(visible(markdown), markdown);
}

/// Runs as text with their styles; those of one style that stand beside one another are one.
std::string runs_text(const Runs& runs) {
  std::string out, last;
  for (const Run& run : runs) {
    const bool formula = run.kind == Run::Kind::Formula;
    const std::string style = std::string(run.strong ? "S" : "") + (run.emph ? "E" : "") + (run.strike ? "K" : "") +
                              (run.code ? "C" : "") + (formula ? "F" : "") + "(" + run.href + ")";
    if (style == last && !formula) out.pop_back();
    else out += style + "{";
    out += run.text + "}";
    last = style;
  }
  return out;
}

std::string prose_text(const Prose& prose) {
  std::string out = std::to_string(static_cast<int>(prose.kind)) + "/" + std::to_string(prose.level) + "/" +
                    std::to_string(prose.depth) + "/" + std::to_string(prose.quotes) + "/" + prose.marker + " " +
                    runs_text(prose.runs) + prose.text;
  for (const auto& row : prose.rows)
    for (const Runs& cell : row) out += " | " + runs_text(cell);
  return out;
}

std::vector<std::string> blocks_of(const std::string& markdown) {
  LoadFindings findings;
  std::vector<std::string> out;
  for (const LessonBlock& block : read_markdown(Source{"x.md", markdown}, {}, findings))
    if (const Prose* prose = std::get_if<Prose>(&block)) out.push_back(prose_text(*prose));
  return out;
}

std::vector<Prose> prose_of(const std::string& markdown) {
  LoadFindings findings;
  std::vector<Prose> out;
  for (LessonBlock& block : read_markdown(Source{"x.md", markdown}, {}, findings))
    if (Prose* prose = std::get_if<Prose>(&block)) out.push_back(std::move(*prose));
  return out;
}

TEST(MarkdownProse, ComesBackAsItWas) {
  const char* const kTexts[] = {
      "plain words, batch_size and _under_ 2 * 3 * 4",
      "**bold `code` more** then *it* and ~~out~~, `a_b*c`",
      "a **strong *both* strong** end, [a link](http://x.org/a_(b)) and [`x`](02-heads.md)",
      "`` a ` b `` and ` `` ` and \\*no\\* \\`no\\` \\[no\\](x) \\$5 \\$6 a\\_b \\\\ &amp; &lt;b&gt; &copy;",
      "$\\frac{a_b}{c}$ and\n\n$$Q K^\\top$$\n\nend",
      "one\\\ntwo\\\n\\# three\\\n1\\. four",
      "\\# no heading\n\n1\\. no item\n\n\\- no item\n\n\\+ no item\n\n\\> no quote\n\n\\=\\=\\=\n\n\\---",
      "- one\n- two\n  - deep\n  - er\n- three\n\n1. first\n2. second\n\n   more of it\n\n       code in it\n\nend",
      "10. ten\n    - in ten\n11. eleven",
      "> quoted\n>\n> > twice\n>\n> - item\n\nend",
      "| a \\| b | `c \\| d` |\n|:---|---:|\n| **x** | $\\alpha$ |\n| [l](http://x) | |",
      "````text\n```\nx  \n\ny\n````\n\n---\n\n## Head *it* \\#",
      "한국어 **굵게** 와 `코드`",
  };
  for (const std::string text : kTexts) {
    const std::string written = markdown_prose(prose_of(text));
    EXPECT_THAT(blocks_of(written), ElementsAreArray(blocks_of(text))) << written;
  }
}

TEST(EveryLesson, HasItsProseInMarkdown) {
  for (const Trace& trace : test::lesson_traces()) {
    std::vector<Prose> prose;
    for (const TraceBlock& block : trace.blocks)
      if (const Prose* text = std::get_if<Prose>(&block)) prose.push_back(*text);
    std::vector<std::string> expected;
    for (const Prose& block : prose) expected.push_back(prose_text(block));
    const std::string written = markdown_prose(prose);
    EXPECT_THAT(blocks_of(written), ElementsAreArray(expected)) << trace.title;
  }
}

TEST(MarkdownProse, CodeOutgrowsItsBackticks) {
  EXPECT_EQ(markdown_code("a"), "`a`");
  EXPECT_EQ(markdown_code("`"), "`` ` ``");
  EXPECT_EQ(markdown_code("a``b"), "```a``b```");
  EXPECT_EQ(markdown_code(" "), "");
  EXPECT_EQ(markdown_fence("```\n", "text"), "````text\n```\n````\n");
  EXPECT_EQ(markdown_fence("x", "a\u202e`b\n"), "```ab\nx\n```\n");
}

TEST(Markdown, TablesNameTheirAxes) {
  test::TraceBuilder builder;
  builder.cell("energy = f(x)");
  builder.bind("energy", builder.tensor(test::counting({2, 3}, 0.5f), {"query_len", "key_len"}, {"a|b", "*c*", "d"}));
  EXPECT_THAT(find_format("md")->render(builder.trace, {100}),
              HasSubstr("**`energy`** \\[query_len 2, key_len 3\\]\n\n"
                        "| query_len \\\\ key_len | a\\|b | \\*c\\* | d |\n"
                        "|---|---:|---:|---:|\n"
                        "| 0 | 0.0000 | 0.5000 | 1.0000 |\n"
                        "| 1 | 1.5000 | 2.0000 | 2.5000 |\n\n"
                        "min 0.0000, mean 1.2500, max 2.5000, 6 numbers\n"));
}

}  // namespace
}  // namespace attn
