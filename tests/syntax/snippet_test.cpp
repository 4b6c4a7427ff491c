#include "syntax/snippet.h"

#include <gmock/gmock.h>

namespace attn {
namespace {

using testing::ElementsAre;

std::vector<std::string> pieces(const std::string& text) {
  const Source source = {"code", text};
  std::vector<std::string> out;
  for (const Span piece : pieces_of(source, {0, 0, static_cast<std::uint32_t>(text.size())}))
    out.emplace_back(source.slice(piece));
  return out;
}

TEST(PiecesOf, AreDividedByCommasOutsideOfBracketsAndStrings) {
  EXPECT_THAT(pieces("[a, f(b, c),d ]"), ElementsAre("a", "f(b, c)", "d"));
  EXPECT_THAT(pieces("(a, [b, (c, d)], {e, f})"), ElementsAre("a", "[b, (c, d)]", "{e, f}"));
  EXPECT_THAT(pieces("a[0, 1], b, \"c,\", 'd\\',('"), ElementsAre("a[0, 1]", "b", "\"c,\"", "'d\\',('"));
  EXPECT_THAT(pieces("[a,\n  b,\n]"), ElementsAre("a", "b")) << "a last comma";
  EXPECT_THAT(pieces("[]"), ElementsAre());
  EXPECT_THAT(pieces("(a, b)[0], (c), d"), ElementsAre("(a, b)[0]", "(c)", "d"));
  EXPECT_THAT(pieces("[a,  # one, two\n b]"), ElementsAre("a", "b"));
  EXPECT_THAT(pieces("a, b)"), ElementsAre("a", "b")) << "what is no code has pieces, too";
}

TEST(Snippet, IsAnOperandAsItStandsOrInBrackets) {
  for (const char* code : {"x", "self.K", "f(a, b + c)", "x[0, 1:2].T", "[1, 2]", "(a + b)", "f('(').g()", "None"})
    EXPECT_EQ(as_operand(code), code);
  for (const char* code : {"a + b", "-x", "f(a) @ b", "'a'", "{1}", "not x", "x if y else z", "(a) + (b)", "lambda: x"})
    EXPECT_EQ(as_operand(code), "(" + std::string(code) + ")");
}

TEST(Snippet, OnOneLine) {
  EXPECT_EQ(on_one_line("f(\n    a,  # the first\n    b\n)"), "f(a, b )");
  EXPECT_EQ(on_one_line("f('a  #  b',\t\r\n  \"\"\"c\"  d\"\"\")"), "f('a  #  b', \"\"\"c\"  d\"\"\")");
  EXPECT_EQ(on_one_line("a + \\\n  b"), "a + b");
  EXPECT_EQ(on_one_line("'not  closed"), "'not  closed");
}

}  // namespace
}  // namespace attn
