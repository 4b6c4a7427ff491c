#include "lang/operand_notes.h"

#include <gmock/gmock.h>

namespace attn {
namespace {

using testing::ElementsAre;

std::vector<std::string> pieces(const std::string& text) {
  const std::vector<Source> sources = {{"code", text}};
  std::vector<std::string> out;
  for (const Span piece : pieces_of(sources, {0, 0, static_cast<std::uint32_t>(text.size())}))
    out.emplace_back(sources[0].slice(piece));
  return out;
}

TEST(PiecesOf, AreDividedByCommasOutsideOfBracketsAndStrings) {
  EXPECT_THAT(pieces("[a, f(b, c),d ]"), ElementsAre("a", "f(b, c)", "d"));
  EXPECT_THAT(pieces("(a, [b, (c, d)], {e, f})"), ElementsAre("a", "[b, (c, d)]", "{e, f}"));
  EXPECT_THAT(pieces("a[0, 1], b, \"c,\", 'd\\',('"), ElementsAre("a[0, 1]", "b", "\"c,\"", "'d\\',('"));
  EXPECT_THAT(pieces("[a,\n  b,\n]"), ElementsAre("a", "b")) << "a last comma";
  EXPECT_THAT(pieces("[]"), ElementsAre());
}

}  // namespace
}  // namespace attn
