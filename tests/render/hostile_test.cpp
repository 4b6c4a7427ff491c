// What a stranger wrote stays text in every format: each row below stands in every place of a Trace that comes from a
// file, a notebook or a keyboard, and each format must stay whole and do nothing with it. (html has tests of its own.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/file_bytes.h"
#include "base/text.h"
#include "render/data/trace_json.h"
#include "render/formats.h"
#include "tensor/io/safetensors.h"
#include "tests/render/lesson_traces.h"
#include "tests/render/markdown_reader.h"
#include "tests/render/notebook_schema.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::string_literals;

struct Evil {
  const char* what;
  std::string text;
};

const Evil kEvil[] = {
    {"a script", "<script>alert(1)</script>"},
    {"the end of a script", "</script><!-- -->"},
    {"an image", "<img src=x onerror=alert(1)>"},
    {"the end of CDATA", "]]>"},
    {"the end of a fold", "</details></summary>"},
    {"backticks", "``` ` `` ````"},
    {"a fence", "a\n```\n<b>\n~~~~\n"},
    {"Markdown", "\n# h\n\n- i\n\n> q\n\n| a | b |\n|---|---|\n\n***\n\n    code\n"},
    {"a link", "[x](javascript:alert(1)) ![y](http://x/y.png) <http://x>"},
    {"a formula", "$\\href{javascript:alert(1)}{x}$ $$ \\frac{"},
    {"entities", "&lt;script&gt; &#27;[31m &#x202e;"},
    {"bars and backslashes", "a|b\\|c\\"},
    {"an expression", "{{ 1 + 1 }} {0} %s"},
    {"a colour", "\x1b[31mred\x1b[0m"},
    {"a window title", "\x1b]0;title\a"},
    {"C1 in UTF-8", "\u009b31m \u0085 \u0090"},
    {"C1 as a byte", "\x9b\x33\x31m"},
    {"bidi marks", "\u202e\u2066abc\u2069\u202c \u200f"},
    {"zero width", "a\u200bb\ufeffc\U000e0041"},
    {"half a surrogate pair", "\xed\xa0\x80 x"},
    {"broken UTF-8", "\xff\xc3\x28 \xe2\x82"},
    {"a zero", "a\0b"s},
    {"lines of code", "x\nimport os\n\ros.system('ls')\r\nexit()"},
    {"other ends of lines", "a\u2028import os\u2029b\fc\vd"},
    {"ends of strings", "''' \"\"\" \\' \\\" \\"},
    {"a comment", "# --> */ //"},
    {"JSON", "\"}], \"x\": {\"y\": [null, NaN]}\\u0000"},
    {"marks on a letter", "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301"},
    {"a long word", std::string(5000, 'w')},
};

void add_prose(Trace& trace, const std::string& evil) {
  trace.blocks.emplace_back(test::heading(evil, 2));
  trace.blocks.emplace_back(test::paragraph(evil));
  Prose item = test::paragraph(evil);
  item.kind = Prose::Kind::ListItem;
  item.depth = 1;
  item.marker = "-";
  trace.blocks.emplace_back(item);
  for (const auto kind : {Prose::Kind::Code, Prose::Kind::Formula}) {
    Prose block;
    block.kind = kind;
    block.text = block.language = evil;
    trace.blocks.emplace_back(block);
  }
  Prose table;
  table.kind = Prose::Kind::Table;
  Run code = test::paragraph(evil).runs[0];
  code.code = true;
  table.rows = {{test::paragraph(evil).runs, {code}}, {{code}, test::paragraph(evil).runs}};
  table.aligns = {Align::Left, Align::Right};
  trace.blocks.emplace_back(table);
}

SessionRecord session_of(const std::string& evil) {
  SessionRecord session;
  session.step = session.steps = 2;
  session.parameters = {{evil, evil}};
  session.answers = {{1, evil, evil, evil, Mark::Wrong, 2, 1}};
  session.typed = {{1, evil, evil}, {2, "print(1)", evil}};
  session.began = session.ended = evil;
  return session;
}

/// Two cells, `x = 1` and `y = 2`, with the text in all places around them.
Trace evil_trace(const std::string& evil) {
  test::TraceBuilder builder(evil, 4);
  Trace& trace = builder.trace;
  trace.summary = trace.lesson_id = trace.path = evil;
  add_prose(trace, evil);
  CellRecord& first = builder.cell("x = 1");
  first.question = Question{Predict::Value, evil, builder.plain(evil, "str"), false, Effect::NoDifference, ""};
  first.hints = {{test::paragraph(evil)}};
  first.traps = {{evil, {test::paragraph(evil)}}};
  first.why = {test::heading(evil, 3)};
  first.printed = builder.last_step().printed = evil;
  first.result = first.question->value;
  builder.bind("x", builder.tensor(test::counting({2, 2}), {evil, evil}, {evil, evil}));
  builder.bind("s", first.question->value);
  builder.op("f", {{evil, 1}}, {1}).attributes = {{"dim", evil}};
  CellRecord& second = builder.cell("y = 2");
  Diagnostic error;
  error.message = error.hint = error.fix = evil;
  error.span = builder.last_step().span;
  trace.diagnostics.push_back(error);
  builder.last_step().outcome = Outcome::Raised;
  builder.last_step().diagnostic = second.diagnostic = 0;
  second.raised = "ValueError";
  second.failed = true;
  trace.session = session_of(evil);
  return trace;
}

// ---- what must hold of each format ----

void expect_inert_text(const Trace&, const std::string& bytes) { EXPECT_TRUE(bytes.ends_with("transcript\n")); }

void expect_inert_markdown(const Trace&, const std::string& bytes) {
  const test::Read back = test::read(bytes);
  EXPECT_THAT(back.cells, ElementsAre("x = 1\n", "y = 2\n"));
  EXPECT_EQ(test::foreign_html(back.html), "");
}

void expect_inert_json(const Trace& trace, const std::string& bytes) {
  const Trace back = read_trace_json(bytes);
  if (valid_utf8(trace.title) != trace.title) return;  // what is no text does not come back as it was
  EXPECT_TRUE(write_trace_json(back) == bytes);
  EXPECT_EQ(back.title, trace.title);
  EXPECT_TRUE(back.session == trace.session);
}

void expect_inert_notebook(const Trace&, const std::string& bytes) {
  const test::Json notebook = test::Json::parse(bytes);
  test::expect_valid(notebook);
  std::vector<std::string> cells;
  for (const test::Json& cell : notebook["cells"]) {
    if (cell["cell_type"] == "code") cells.push_back(test::joined(cell["source"]));
    else EXPECT_EQ(test::foreign_html(test::read(test::joined(cell["source"])).html), "");
  }
  EXPECT_THAT(cells, ElementsAre("x = 1", "y = 2"));
}

/// Whatever is no comment is code.
void expect_inert_python(const Trace&, const std::string& bytes) {
  std::vector<std::string> code;
  for (const std::string_view line : split_lines(bytes))
    if (!line.empty() && !line.starts_with("#")) code.emplace_back(line);
  EXPECT_THAT(code, ElementsAre("x = 1", "assert tuple(x.shape) == (2, 2)", "y = 2"));
}

void expect_inert_tensors(const Trace&, const std::string& bytes) {
  const SafetensorsFile file(std::make_shared<TextBytes>("x", bytes));  // which is strict
  ASSERT_EQ(file.tensors().size(), 1u);
  EXPECT_EQ(file.tensors()[0].name, "x");
  for (const auto& [key, text] : file.metadata()) EXPECT_EQ(visible(text), text) << key;
}

/// A row for the names, one for the tensor, with as many cells whatever is in them; none is a formula.
void expect_inert_table(const Trace&, const std::string& bytes) {
  const std::vector<std::string_view> rows = split_lines(bytes);
  ASSERT_EQ(rows.size(), 2u);
  for (const std::string_view row : rows) {
    std::size_t cells = 1;
    bool is_quoted = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool begins = i == 0 || (row[i - 1] == ',' && !is_quoted);
      if (row[i] == '"') is_quoted = !is_quoted;
      if (row[i] == ',' && !is_quoted) ++cells;
      EXPECT_FALSE(begins && std::string_view("=+-@").find(row[i]) != std::string_view::npos) << row;
    }
    EXPECT_FALSE(is_quoted);
    EXPECT_EQ(cells, 9u) << row;
  }
}

const std::map<std::string_view, void (*)(const Trace&, const std::string&)> kChecks = {
    {"txt", expect_inert_text},       {"md", expect_inert_markdown}, {"json", expect_inert_json},
    {"ipynb", expect_inert_notebook}, {"py", expect_inert_python},   {"safetensors", expect_inert_tensors},
    {"csv", expect_inert_table}};

TEST(Hostile, TextStaysTextInEveryFormat) {
  for (const Format& format : all_formats()) {
    if (format.name == "html") continue;
    ASSERT_TRUE(kChecks.contains(format.name)) << format.name;
    for (const Evil& evil : kEvil) {
      const testing::ScopedTrace where(__FILE__, __LINE__, std::string(format.name) + ": " + evil.what);
      const Trace trace = evil_trace(evil.text);
      const std::string bytes = format.render(trace, {kTranscriptWidth});
      EXPECT_TRUE(has_transcript_mark(bytes));
      EXPECT_TRUE(format.name == "safetensors" || visible(bytes) == bytes);
      kChecks.at(format.name)(trace, bytes);
    }
  }
}

TEST(Hostile, NotebookOfAStrangerComesThroughEveryFormat) {
  const std::string text =
      R"({"nbformat": 4, "nbformat_minor": 5, "metadata": {"title": "\ud800"}, "cells": [
          {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# T \ud83d<script> \u202e\u001b[1m\n\n\udc00 b"},
          {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1,
           "outputs": [{"output_type": "stream", "name": "stdout", "text": "\ud800 \u001b[31m"}],
           "source": "x = '\udfff \ud83d\ude00 \u202e'\nprint(x)\nprint('\\x1b[2J\\x9b ``` </script>')\n"}]})";
  const Trace trace = test::trace_of_file("x.ipynb", text);
  ASSERT_EQ(trace.outcome, RunOutcome::Fine);
  EXPECT_THAT(trace.title, HasSubstr("\uFFFD<script>"));
  for (const Format& format : all_formats()) {
    const std::string bytes = format.render(trace, {kTranscriptWidth});
    EXPECT_TRUE(format.name == "safetensors" || visible(bytes) == bytes) << format.name;
  }
  test::expect_valid(test::Json::parse(find_format("ipynb")->render(trace, {})));
  EXPECT_EQ(test::foreign_html(test::read(find_format("md")->render(trace, {})).html), "");
}

}  // namespace
}  // namespace attn
