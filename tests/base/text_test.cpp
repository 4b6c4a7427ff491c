#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attn {
namespace {

using testing::ElementsAre;

TEST(Text, WidthIsCountedByGrapheme) {
  const std::pair<const char*, int> cases[] = {{"", 0},
                                               {"abc", 3},
                                               {"한국어", 6},
                                               {"\u1112\u1161\u11AB", 2},  // conjoining jamo
                                               {"é", 1},
                                               {"e\u0301", 1},
                                               {"日本", 4},
                                               {"ｱ", 1},  // half-width katakana
                                               {"🙂", 2},
                                               {"❤", 1},
                                               {"❤\uFE0F", 2},
                                               {"1\uFE0F\u20E3", 2},
                                               {"a\uFE0F", 1},
                                               {"🇰🇷", 2},
                                               {"🇰🇷🇫🇷", 4},
                                               {"🇰", 1},
                                               {"👨\u200D👩\u200D👧", 2},
                                               {"👍🏽", 2},
                                               {"√²∑", 3},
                                               {"a\nb", 2},
                                               {"\x1b[1m", 3},
                                               {"\xff", 1}};
  for (const auto& [text, width] : cases) EXPECT_EQ(display_width(text), width) << text;
}

TEST(Text, Pads) {
  EXPECT_EQ(pad_right("한", 4), "한  ");
  EXPECT_EQ(pad_left("ab", 4), "  ab");
  EXPECT_EQ(pad_left("abcde", 4), "abcde");
}

TEST(Text, Elides) {
  EXPECT_EQ(elide("abcdef", 6), "abcdef");
  EXPECT_EQ(elide("abcdef", 5), "abcd…");
  EXPECT_EQ(elide("abcdef", 5, true), "ab...");
  EXPECT_EQ(elide("한국어", 4), "한…");  // half of a wide character is not drawn
  EXPECT_EQ(elide("abc", 1), "…");
  EXPECT_EQ(elide("abc", 0), "");
  EXPECT_EQ(elide("abcd", 2, true), "..");
}

TEST(Text, Wraps) {
  EXPECT_THAT(wrap("the cat sat down", 8), ElementsAre("the cat", "sat down"));
  EXPECT_THAT(wrap("", 8), ElementsAre(""));
  EXPECT_THAT(wrap("a\n\nb\n", 8), ElementsAre("a", "", "b"));
  EXPECT_THAT(wrap("abcdefgh ij", 3), ElementsAre("abc", "def", "gh", "ij"));
  EXPECT_THAT(wrap("한국어 말", 5), ElementsAre("한국", "어 말"));
  EXPECT_THAT(wrap("한", 1), ElementsAre("…"));
  EXPECT_THAT(wrap("  a  b", 8), ElementsAre("  a  b"));
  EXPECT_THAT(wrap("a      b", 3), ElementsAre("a", "b"));
  EXPECT_THAT(wrap("ab   ", 3), ElementsAre("ab"));
}

TEST(Text, SplitsIntoGraphemes) {
  EXPECT_THAT(graphemes("ae\u0301🇰🇷🇫🇷x"), ElementsAre("a", "e\u0301", "🇰🇷", "🇫🇷", "x"));
  EXPECT_THAT(graphemes("\xff\xfe"), ElementsAre("\xff", "\xfe"));
}

TEST(Text, VisibleShowsWhatCouldSteerATerminal) {
  const std::pair<std::string, std::string> cases[] = {
      {"plain\ttext\n", "plain\ttext\n"},
      {"\x1b[2J", "␛[2J"},
      {"a\rb\a\b", "a␍b␇␈"},
      {std::string("\0", 1), "␀"},
      {"\x7f", "␡"},
      {"\u009b2J", "<U+009B>2J"},
      {"\x9b", "\uFFFD"},
      {"a\u202Eb\u2066", "a<U+202E>b<U+2066>"},
      {"a\u200Bb\uFEFF\u2060", "a<U+200B>b<U+FEFF><U+2060>"},
      {"\u2028", "<U+2028>"},
      {"\u3164", "<U+3164>"},
      {"\U000E0041", "<U+E0041>"},
      {"a\u200Db", "a<U+200D>b"},
      {"👨\u200D👩", "👨\u200D👩"},
      {"❤\uFE0F\u200D🔥", "❤\uFE0F\u200D🔥"},
      {"می\u200Cخواهم", "می\u200Cخواهم"},
      {"한국어 é √", "한국어 é √"},
      {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},  // a surrogate
      {"x\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301y",
       "x\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301y"}};
  for (const auto& [text, shown] : cases) EXPECT_EQ(visible(text), shown);
}

TEST(Text, MendsInvalidUtf8) {
  // Expectations: bytes.decode("utf-8", "replace") of CPython.
  const std::pair<const char*, std::pair<const char*, std::size_t>> cases[] = {
      {"ok 한", {"ok 한", 0}},           {"a\xff\xfe", {"a\uFFFD\uFFFD", 2}},
      {"\xe2\x82", {"\uFFFD", 1}},       {"\xe2\x82x", {"\uFFFDx", 1}},
      {"\xf0\x9f\x99", {"\uFFFD", 1}},   {"\xc0\xaf", {"\uFFFD\uFFFD", 2}},
      {"\xf5\x80", {"\uFFFD\uFFFD", 2}}, {"\xe0\x80\x80", {"\uFFFD\uFFFD\uFFFD", 3}}};
  for (const auto& [text, expected] : cases) {
    std::size_t count = 99;
    EXPECT_EQ(valid_utf8(text, &count), expected.first);
    EXPECT_EQ(count, expected.second);
  }
}

TEST(Text, SplitsJoinsTrims) {
  EXPECT_THAT(split_lines("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(split_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(split_lines(""), ElementsAre());
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Text, FindsTheNearestWord) {
  const std::vector<std::string> known = {"matmul", "masked_fill", "mean", "softmax"};
  EXPECT_EQ(nearest("matmull", known), "matmul");
  EXPECT_EQ(nearest("amtmul", known), "matmul");
  EXPECT_EQ(nearest("masked_fil", known), "masked_fill");
  EXPECT_EQ(nearest("sofmtax", known), "softmax");
  EXPECT_EQ(nearest("men", known), "mean");
  EXPECT_EQ(nearest("zzz", known), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest(std::string(10000, 'a'), known), "");
}

}  // namespace
}  // namespace attn
