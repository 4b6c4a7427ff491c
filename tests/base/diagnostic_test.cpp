#include "base/diagnostic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace attn {
namespace {

Span find(const Source& source, const std::string& text) {
  const auto begin = static_cast<std::uint32_t>(source.text.find(text));
  return {0, begin, begin + static_cast<std::uint32_t>(text.size())};
}

Diagnostic made(Code code, Span span, std::string message, std::string hint = {}) {
  return CellError(code, span, std::move(message), std::move(hint)).diagnostic();
}

TEST(Diagnostic, DrawsOperandsUnderTheirPlaces) {
  const Source source{"lessons/03-batch.md", "import torch\nenergy = torch.matmul(Q, K)\n", 41};
  Diagnostic d =
      made(Code::Shape, find(source, "torch.matmul(Q, K)"), "cannot be multiplied (5x8 and 6x8)", "transpose K");
  const Span q = find(source, "Q"), k = find(source, "K");
  d.operands = {{q, "Q [query_len 5]", {}, {}}, {k, "K [key_len 6]", {}, {}}};
  EXPECT_EQ(draw(d, source),
            "lessons/03-batch.md:42:10: shape: cannot be multiplied (5x8 and 6x8)\n"
            "  energy = torch.matmul(Q, K)\n"
            "                        ^  ^\n"
            "                        |  K [key_len 6]\n"
            "                        Q [query_len 5]\n"
            "  hint: transpose K\n");
  // Too narrow for texts under their carets: they stand below.
  EXPECT_EQ(draw(d, source, {false, 32}),
            "lessons/03-batch.md:42:10: shape: cannot be multiplied (5x8 and 6x8)\n"
            "  energy = torch.matmul(Q, K)\n"
            "                        ^  ^\n"
            "    Q [query_len 5]\n"
            "    K [key_len 6]\n"
            "  hint: transpose K\n");
}

TEST(Diagnostic, ForAPersonSentencesAreWrapped) {
  const Source source{"a.py", "x + y"};
  Diagnostic d;
  d.code = Code::Shape;
  d.span = find(source, "+");
  d.message = "shapes are lined up from the right\nPyTorch says: no";
  d.fix = "x + y.unsqueeze(0) gives a matrix of them";
  EXPECT_EQ(draw(d, source, {false, 30, true}),
            "a.py:1:3: shape: shapes are\n  lined up from the right\n  PyTorch says: no\n  x + y\n    ^\n"
            "  fix:  x + y.unsqueeze(0)\n        gives a matrix of them\n");
  EXPECT_EQ(draw(d, source, {true, 30, true}).substr(0, 34), "a.py:1:3: \x1b[1;31mshape\x1b[0m: shapes");
}

TEST(Diagnostic, OperandsOnOtherLines) {
  const Source source{"a.py", "e = matmul(\n    Q,\n    K)"};
  Diagnostic d = made(Code::Shape, find(source, "matmul(\n    Q,\n    K)"), "no");
  d.operands = {{find(source, "K"), "K [6]", {}, {}}, {find(source, "Q"), "Q [5]", {}, {}}};
  EXPECT_EQ(draw(d, source),
            "a.py:1:5: shape: no\n"
            "  e = matmul(\n"
            "      Q,\n"
            "      ^\n"
            "      Q [5]\n"
            "      K)\n"
            "      ^\n"
            "      K [6]\n");
}

TEST(Diagnostic, OperandsAtTheSamePlaceShareACaret) {
  const Source source{"a.py", "Q.t() @ K"};
  Diagnostic d = made(Code::Shape, {0, 0, 9}, "no");
  d.operands = {{{0, 0, 1}, "one", {}, {}}, {{0, 0, 5}, "two", {}, {}}, {{0, 8, 9}, "K", {}, {}}};
  EXPECT_EQ(draw(d, source), "a.py:1:1: shape: no\n  Q.t() @ K\n  ^       ^\n  |       K\n  two\n  one\n");
}

TEST(Diagnostic, UnderlinesASpan) {
  const Source source{"a.py", "x = foo(1,\n  2)\n\ny"};
  EXPECT_EQ(draw(made(Code::Name, find(source, "foo"), "no foo"), source),
            "a.py:1:5: name: no foo\n  x = foo(1,\n      ^~~\n");
  EXPECT_EQ(draw(made(Code::Type, find(source, "foo(1,\n  2)"), "m"), source),
            "a.py:1:5: type: m\n  x = foo(1,\n      ^~~~~~\n");
  EXPECT_EQ(draw(made(Code::Syntax, {0, 10, 10}, "end"), source),
            "a.py:1:11: syntax: end\n  x = foo(1,\n            ^\n");
  EXPECT_EQ(draw(made(Code::Syntax, {0, 16, 16}, "empty line"), source), "a.py:3:1: syntax: empty line\n");
}

TEST(Diagnostic, ColumnsOfWideCharactersLineUp) {
  const Source source{"ko.md", "s = '한국어' + x"};
  EXPECT_EQ(draw(made(Code::Name, find(source, "x"), "m"), source),
            "ko.md:1:13: name: m\n  s = '한국어' + x\n                 ^\n");
}

TEST(Diagnostic, LongLinesAreCutAroundTheCaret) {
  const Source source{"a.py", std::string(100, 'a') + "X" + std::string(100, 'b')};
  const std::string text = draw(made(Code::Name, find(source, "X"), "m"), source, {false, 40});
  const auto lines = split_lines(text);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(display_width(lines[1]), 40);
  EXPECT_TRUE(lines[1].starts_with("  …a") && lines[1].ends_with("b…")) << lines[1];
  // The caret stands under the X: as many cells before it.
  EXPECT_EQ(display_width(lines[1].substr(0, lines[1].find('X'))), static_cast<int>(lines[2].find('^')));
}

TEST(Diagnostic, WideCharactersInACutLineKeepTheCaretInPlace) {
  std::string text = "x";
  for (int i = 0; i < 60; ++i) text += "한";
  const Source source{"a.py", text + "X" + text};
  const auto out = draw(made(Code::Name, find(source, "X"), "m"), source, {false, 40});
  const auto lines = split_lines(out);
  EXPECT_LE(display_width(lines[1]), 40);
  EXPECT_EQ(display_width(lines[1].substr(0, lines[1].find('X'))), static_cast<int>(lines[2].find('^')));
}

TEST(Diagnostic, TextFromFilesIsHarmless) {
  const Source source{"a\x1b.py", "x = '\x1b[2J'\ty"};
  Diagnostic d = made(Code::Name, find(source, "y"), "no \x1b[31m", "\u202E");
  const std::string text = draw(d, source);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text, "a␛.py:1:12: name: no ␛[31m\n  x = '␛[2J'  y\n              ^\n  hint: <U+202E>\n");
}

TEST(Diagnostic, WarningsSaySoAndColourIsOptional) {
  const Source source{"a.py", "x"};
  Diagnostic d = made(Code::Axis, {0, 0, 1}, "m", "one\ntwo");
  d.severity = Severity::Warning;
  EXPECT_EQ(draw(d, source), "a.py:1:1: warning: axis: m\n  x\n  ^\n  hint: one\n        two\n");
  EXPECT_EQ(draw(d, source, {true, 80}),
            "a.py:1:1: \x1b[1;33mwarning: axis\x1b[0m: m\n  x\n  \x1b[36m^\x1b[0m\n  hint: one\n        two\n");
}

TEST(Diagnostic, CodesHaveNamesAndPythonTypes) {
  EXPECT_EQ(code_name(Code::ZeroDivision), "zero-division");
  EXPECT_EQ(code_name(Code::Interrupt), "interrupt");
  EXPECT_EQ(python_type(Code::Index), "IndexError");
  EXPECT_EQ(python_type(Code::Shape), "RuntimeError");
  EXPECT_EQ(python_type(Code::Assertion), "AssertionError");
  EXPECT_EQ(CellError(Code::Key, {}, "k").type(), "KeyError");
}

TEST(Diagnostic, DrawsTheFixAboveTheHint) {
  Diagnostic diagnostic = made(Code::Shape, {0, 4, 5}, "no", "think");
  diagnostic.fix = "x.t() gives [2, 3].";
  EXPECT_EQ(draw(diagnostic, {"a.py", "y = x\n"}),
            "a.py:1:5: shape: no\n  y = x\n      ^\n  fix:  x.t() gives [2, 3].\n  hint: think\n");
}

}  // namespace
}  // namespace attn
