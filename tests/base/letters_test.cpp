#include "base/letters.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

// What CPython 3.11 says of each.
TEST(Letters, BelongToClasses) {
  struct Row {
    const char* text;
    bool letter, decimal, digit, number, blank;
  };
  constexpr Row kRows[] = {
      {"a", true, false, false, false, false},      {"Z", true, false, false, false, false},
      {"\u00DF", true, false, false, false, false}, {"\uD55C", true, false, false, false, false},
      {"7", false, true, true, true, false},        {"\u0663", false, true, true, true, false},
      {"\u00B2", false, false, true, true, false},  {"\u00BD", false, false, false, true, false},
      {"\u2167", false, false, false, true, false}, {" ", false, false, false, false, true},
      {"\t", false, false, false, false, true},     {"\r", false, false, false, false, true},
      {"\x1C", false, false, false, false, true},   {"\x1B", false, false, false, false, false},
      {"\x08", false, false, false, false, false},  {"\x0E", false, false, false, false, false},
      {"\u0085", false, false, false, false, true}, {"\u3000", false, false, false, false, true},
      {"\u2028", false, false, false, false, true}, {"\u200B", false, false, false, false, false},
      {"_", false, false, false, false, false},     {"-", false, false, false, false, false},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(consists_of(row.text, CharacterClass::Letter), row.letter) << row.text;
    EXPECT_EQ(consists_of(row.text, CharacterClass::Decimal), row.decimal) << row.text;
    EXPECT_EQ(consists_of(row.text, CharacterClass::Digit), row.digit) << row.text;
    EXPECT_EQ(consists_of(row.text, CharacterClass::Number), row.number) << row.text;
    EXPECT_EQ(consists_of(row.text, CharacterClass::LetterOrDigit), row.letter || row.number) << row.text;
    EXPECT_EQ(consists_of(row.text, CharacterClass::Blank), row.blank) << row.text;
    EXPECT_EQ(leading_blank(row.text), row.blank ? std::string_view(row.text).size() : 0) << row.text;
  }
  EXPECT_FALSE(consists_of("", CharacterClass::Letter));
  EXPECT_FALSE(consists_of("a1", CharacterClass::Letter));
  EXPECT_TRUE(consists_of("a1", CharacterClass::LetterOrDigit));
}

TEST(Letters, HaveCases) {
  EXPECT_EQ(upper_case("stra\u00DFe \u00E9"), "STRASSE \u00C9");
  EXPECT_EQ(lower_case("\u00C9A1"), "\u00E9a1");
  EXPECT_EQ(title_case("they're \u00DFa 2nd"), "They'Re Ssa 2Nd");
  EXPECT_EQ(case_fold("Stra\u00DFe"), "strasse");
  EXPECT_TRUE(is_upper_case("A1"));
  EXPECT_FALSE(is_upper_case("Aa"));
  EXPECT_FALSE(is_upper_case("1"));
  EXPECT_TRUE(is_lower_case("a1"));
  EXPECT_FALSE(is_lower_case("aA"));
}

TEST(Letters, MakeNames) {
  for (const char* name : {"a", "_", "a1", "\uD55C\uAE00", "\u2167", "e\u0301"})
    EXPECT_TRUE(is_python_identifier(name)) << name;
  for (const char* text : {"", "1a", "a-b", "a b", "\u0301", "\u00BD"})
    EXPECT_FALSE(is_python_identifier(text)) << text;
}

TEST(Letters, ArePrintable) {
  for (const char* text : {"", "a b", "\uD55C", "\u00BD"}) EXPECT_TRUE(is_printable(text)) << text;
  for (const char* text : {"\n", "\x7F", "\u00A0", "\u200B", "\u202E", "\u2028"})
    EXPECT_FALSE(is_printable(text)) << text;
}

TEST(Letters, AreCountedAsCodePoints) {
  EXPECT_EQ(character_count("a\uD55C\u00BD"), 3U);
  EXPECT_EQ(first_code("\uD55Ca"), 0xD55C);
  EXPECT_EQ(character_offset("a\uD55Cb", 2), 4U);
  EXPECT_EQ(character_offset("ab", 9), 2U);
}

}  // namespace
}  // namespace attn
