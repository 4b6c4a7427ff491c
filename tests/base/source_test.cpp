#include "base/source.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

const Source kSource{"a.py", "x = 1\n한국 = 2\n\nlast", 10};

TEST(Source, CountsLinesOfTheFileAndColumnsInCharacters) {
  struct {
    std::uint32_t offset;
    int line, column;
    const char* text;
  } const cases[] = {{0, 10, 1, "x = 1"}, {5, 10, 6, "x = 1"}, {6, 11, 1, "한국 = 2"}, {13, 11, 4, "한국 = 2"},
                     {17, 12, 1, ""},     {18, 13, 1, "last"}, {22, 13, 5, "last"},    {999, 13, 5, "last"}};
  for (const auto& [offset, line, column, text] : cases) {
    EXPECT_EQ(position_of(kSource, offset).line, line) << offset;
    EXPECT_EQ(position_of(kSource, offset).column, column) << offset;
    EXPECT_EQ(line_at(kSource, offset), text) << offset;
  }
}

TEST(Source, SlicesAndCovers) {
  EXPECT_EQ(kSource.slice({0, 4, 5}), "1");
  EXPECT_EQ(kSource.slice({0, 18, 99}), "last");
  EXPECT_EQ(kSource.slice({0, 99, 100}), "");
  EXPECT_EQ(cover({2, 4, 5}, {2, 1, 3}), (Span{2, 1, 5}));
}

}  // namespace
}  // namespace attn
