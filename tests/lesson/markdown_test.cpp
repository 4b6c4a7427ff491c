// What Markdown becomes, written as one line per block.
#include "lesson/markdown.h"

#include <gtest/gtest.h>

#include <sstream>

namespace attn {
namespace {

std::string shown(const Runs& runs) {
  std::string out;
  for (const Run& run : runs) {
    out += run.strong ? "B" : "";
    out += run.emph ? "I" : "";
    out += run.code ? "C" : "";
    out += run.strike ? "S" : "";
    out += run.kind == Run::Kind::Formula ? "$" : run.kind == Run::Kind::Expression ? "E" : "";
    out += "[" + run.text + "]" + (run.href.empty() ? "" : "(" + run.href + ")");
  }
  return out;
}

std::string shown(const Prose& prose) {
  constexpr const char* kKinds[] = {"h", "p", "li", "table", "formula", "code", "rule"};
  std::ostringstream out;
  out << prose.line << " " << kKinds[static_cast<int>(prose.kind)];
  if (prose.level) out << prose.level;
  if (prose.depth) out << " depth" << prose.depth;
  if (prose.quotes) out << " quote" << prose.quotes;
  if (!prose.marker.empty()) out << " " << prose.marker;
  if (!prose.language.empty()) out << " " << prose.language;
  if (!prose.runs.empty()) out << " " << shown(prose.runs);
  for (const auto& row : prose.rows) {
    out << " |";
    for (const Runs& cell : row) out << shown(cell) << "|";
  }
  if (!prose.text.empty()) out << " <" << prose.text << ">";
  return out.str();
}

std::string shown(const std::vector<Prose>& blocks) {
  std::string out;
  for (const Prose& prose : blocks) out += (out.empty() ? "" : " / ") + shown(prose);
  return out;
}

std::string shown(const Cell& cell) {
  std::ostringstream out;
  out << cell.source.first_line << " cell" << cell.ordinal << " <" << cell.source.text << ">";
  for (const auto& hint : cell.hints) out << "\n  hint " << shown(hint);
  for (const Trap& trap : cell.traps) out << "\n  trap " << shown(trap.answer) << ": " << shown(trap.text);
  if (!cell.why.empty()) out << "\n  why " << shown(cell.why);
  return out.str();
}

std::string read(const std::string& text) {
  LoadFindings findings;
  std::string out;
  for (const LessonBlock& block : read_markdown({"a.md", text}, {}, findings)) {
    if (!out.empty()) out += "\n";
    out += std::visit([](const auto& b) { return shown(b); }, block);
  }
  for (const Diagnostic& diagnostic : findings.diagnostics) out += "\nFOUND " + diagnostic.message;
  return out;
}

TEST(Markdown, BecomesBlocks) {
  const std::pair<const char*, const char*> cases[] = {
      {"# T *i*\n\ntext\nwrapped", "1 h1 [T ]I[i]\n3 p [text wrapped]"},
      {"Setext\n---", "1 h2 [Setext]"},
      {"**b** *i* ***bi*** `c` ~~s~~", "1 p B[b][ ]I[i][ ]BI[bi][ ]C[c][ ]S[s]"},
      {"a  \nb", "1 p [a\nb]"},
      {"a &lt; b &#8594; &#x41; &nope; &#0;", "1 p [a < b → A &nope; \uFFFD]"},
      {"<b>x</b> \\*y\\*", "1 p [<b>x</b> *y*]"},
      {"[t](https://a.b) <mailto:a@b.c>", "1 p [t](https://a.b)[ ][mailto:a@b.c](mailto:a@b.c)"},
      {"- a\n- b\n\n  c\n  1. d\n  2. e",
       "1 li depth1 - [a]\n2 li depth1 - [b]\n4 li depth1 [c]\n5 li depth2 1. [d]\n6 li depth2 2. [e]"},
      {"7) a\n8) b", "1 li depth1 7) [a]\n2 li depth1 8) [b]"},
      {"- - a", "1 li depth1 -\n1 li depth2 - [a]"},
      {"-\n- b", "1 li depth1 -\n2 li depth1 - [b]"},
      {"> a\n>\n> > b", "1 p quote1 [a]\n3 p quote2 [b]"},
      {"***", "1 rule"},
      {"    x {{ y }}\n", "1 code <x {{ y }}\n>"},
      {"~~~text more\n{{ a }}\n~~~", "2 code text <{{ a }}\n>"},
      {"```\n\n\nx\n```", "2 code <\n\nx\n>"},
      {"| a | b |\n|:--|--:|\n| `x\\|y` | {{ p | q }} |", "1 table |[a]|[b]| |C[x|y]|E[p | q]|"},
      // Fields
      {"{{ a * b * c }} and {{ x_y }}_z_", "1 p E[a * b * c][ and ]E[x_y][_z_]"},
      {"`v = {{ a }}`", "1 p C[v = ]CE[a]"},
      {"**{{ n }}** [{{ m }}](https://x.y)", "1 p BE[n][ ]E[m](https://x.y)"},
      {"# {{ t }}", "1 h1 E[t]"},
      // Formulas
      {"a $x_i * y$ b $z$", "1 p [a ]$[x_i * y][ b ]$[z]"},
      {"$x_{{b}}$", "1 p $[x_{{b}}]"},
      {"`$x$`", "1 p C[$x$]"},
      {"$$a$$", "1 formula <a>"},
      {"t\n$$ a\nb $$\nu", "1 p [t]\n2 formula <a b>\n4 p [u]"},
      {"- $$a$$ b", "1 formula depth1 - <a>\n1 li depth1 [b]"},
      {"## $$a$$ b", "1 h2 $[a][ b]"},
      // Cells
      {"```python\nx = 1\n```", "2 cell1 <x = 1\n>"},
      {"a\n\n```python\n\nx\n\ny {{ z }}\n```\n```python\nw\n```",
       "1 p [a]\n4 cell1 <\nx\n\ny {{ z }}\n>\n10 cell2 <w\n>"},
      {"- ```python\n  x\n  ```", "2 cell1 <x\n>"},
      {"> ```python\n> x\n> ```", "2 code quote1 python <x\n>"},
      // Questions
      {"```python predict\nx = 1\n```\n> **Hint** one\n\n> **Hint** two `c`\n\n> **Why** w\n",
       "2 cell1 <x = 1\n>\n  hint 4 p [one]\n  hint 6 p [two ]C[c]\n  why 8 p [w]"},
      {"```python write=x\nx = 1\n```\n> **Trap** `[6, {{ n }}]` That\n>\n> more\n>\n> **Why:** w",
       "2 cell1 <x = 1\n>\n  trap C[[6, ]CE[n]C[]]: 4 p [That] / 6 p [more]\n  why 8 p [w]"},
      {"```python predict\nx = 1\n```\n> plain\n\nbetween\n\n> **Hint**\n> - list",
       "2 cell1 <x = 1\n>\n  hint 9 li depth1 - [list]\n4 p quote1 [plain]\n6 p [between]"},
  };
  for (const auto& [text, blocks] : cases) EXPECT_EQ(read(text), blocks) << text;
}

TEST(Markdown, AlignmentOfTables) {
  LoadFindings findings;
  const auto blocks = read_markdown({"a.md", "|a|b|c|d|\n|---|:--|:-:|--:|\n"}, {}, findings);
  EXPECT_EQ(std::get<Prose>(blocks.at(0)).aligns,
            (std::vector<Align>{Align::Default, Align::Left, Align::Center, Align::Right}));
}

TEST(Markdown, ExpressionsAndFencesKnowTheirPlace) {
  const Source source{"a.md", "# 한 {{ t }}\n\n```python hidden predict=shape\nx\n```\n"};
  LoadFindings findings;
  const auto blocks = read_markdown(source, {}, findings);
  EXPECT_EQ(source.slice(std::get<Prose>(blocks.at(0)).runs.at(1).span), "t");
  EXPECT_EQ(source.slice(std::get<Cell>(blocks.at(1)).fence), "hidden predict=shape");
}

TEST(Markdown, TitleAlone) {
  EXPECT_EQ(read_title({"a.md", "text\n\n# The *title* $x_i$\n\n# other"}), "The title xᵢ");
  EXPECT_EQ(read_title({"a.md", "```\n# no\n```\n"}), "");
}

TEST(Markdown, GrowthIsBounded) {
  const auto repeat = [](const std::string& part, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += part;
    return out;
  };
  EXPECT_EQ(read("[x]: http:" + repeat("u", 100000) + "\n\n" + repeat("[x] ", 1000)),
            "\nFOUND the tables or links of this file grow beyond bounds");
  EXPECT_EQ(read(repeat("- ", 300) + "a"), "\nFOUND lists and quotes are nested over 200 deep");
  EXPECT_NE(read(repeat("- ", 150) + "a").find("depth150"), std::string::npos);
}

}  // namespace
}  // namespace attn
