#include "syntax/lexer.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

/// The kinds of tokens with their texts: "name a, operator =, newline, end".
std::string tokens(const std::string& text, LexMode mode = LexMode::Lines) {
  constexpr std::string_view kNames[] = {"name",   "keyword", "number",  "string", "operator", "newline",
                                         "indent", "dedent",  "comment", "magic",  "end",      "error"};
  const Source source{"cell", text, 1};
  const TokenList list = tokenize(source, 0, 0, static_cast<std::uint32_t>(text.size()), mode);
  std::string out;
  for (const Token& token : list.tokens) {
    if (!out.empty()) out += ", ";
    out += kNames[static_cast<std::size_t>(token.kind)];
    if (token.kind == TokenKind::Error) out += " " + list.error->diagnostic().message;
    const bool has_text = token.kind != TokenKind::Indent && token.kind != TokenKind::Error && !token.text.empty();
    if (has_text) out += " " + std::string(token.text);
    if (token.comment.begin != token.comment.end) out += " #" + std::string(source.slice(token.comment));
  }
  return out;
}

struct TokenCase {
  std::string text, expected;
};

TEST(Lexer, Tokens) {
  const TokenCase cases[] = {
      {"", "end"},
      {"a=b", "name a, operator =, name b, newline, end"},
      {"a**=b//c<<d", "name a, operator **=, name b, operator //, name c, operator <<, name d, newline, end"},
      {"a...b", "name a, operator ..., name b, newline, end"},
      {"is_not not", "name is_not, keyword not, newline, end"},
      {"x1 1x", "name x1, error invalid decimal literal"},
      {".5.T", "number .5, operator ., name T, newline, end"},
      {"1.e5", "number 1.e5, newline, end"},
      {"0xfor", "number 0xf, keyword or, newline, end"},
      {"rb", "name rb, newline, end"},
      {"Rf'a' fr\"b\" k'c'", "string Rf'a', string fr\"b\", name k, string 'c', newline, end"},
      {"'a\\'b' r'\\'' '''c'd\n'''", "string 'a\\'b', string r'\\'', string '''c'd\n''', newline, end"},
      {"'a\\\nb'", "string 'a\\\nb', newline, end"},
      {"한글_1 = é", "name 한글_1, operator =, name é, newline, end"},
      {"a:=b", "name a, operator :=, name b, newline, end"},
      {"\xEF\xBB\xBF"
       "a",
       "name a, newline, end"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(tokens(text), expected) << text;
}

TEST(Lexer, Lines) {
  const TokenCase cases[] = {
      {"a\n\n  \nb", "name a, newline, name b, newline, end"},
      {"a\r\nb\rc\n", "name a, newline, name b, newline, name c, newline, end"},
      {"(\na\n)", "operator (, name a, operator ), newline, end"},
      {"a \\\n  b", "name a, name b, newline, end"},
      {"a:\n  b\n\n  c\nd",
       "name a, operator :, newline, indent, name b, newline, name c, newline, dedent, name d, "
       "newline, end"},
      {"a\n  b\n    c", "name a, newline, indent, name b, newline, indent, name c, newline, dedent, dedent, end"},
      {"a\n\tb\n\tc", "name a, newline, indent, name b, newline, name c, newline, dedent, end"},
      {"%time x'\na", "magic %time x', newline, name a, newline, end"},
      {"a\n%b", "name a, newline, magic %b, newline, end"},
      {"!a \\\n b\nc", "magic !a \\\n b, newline, name c, newline, end"},
      {"!a \\", "magic !a \\, newline, end"},
      {"%a # b\nc", "magic %a # b, newline, name c, newline, end"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(tokens(text), expected) << text;
}

TEST(Lexer, CommentsBelongToTheBlockThatTheyAreIndentedAs) {
  const TokenCase cases[] = {
      {"a # b", "name a, newline # b, end"},
      {"a(# b\n) # c\r\n", "name a, operator (, operator ), newline # c, end"},
      {"#a\nb", "comment a, name b, newline, end"},
      {"a\n #b\n  c", "name a, newline, indent, comment b, name c, newline, dedent, end"},
      {"a\n  b\n  #c\n#d\ne",
       "name a, newline, indent, name b, newline, comment c, dedent, comment d, name e, newline, end"},
      {"a\n  b\n#c\nelse", "name a, newline, indent, name b, newline, comment c, dedent, keyword else, newline, end"},
      {"a\n  b\n    c\n  #d\n#e\nfinally",
       "name a, newline, indent, name b, newline, indent, name c, newline, dedent, comment d, comment e, dedent, "
       "keyword finally, newline, end"},
      {"a\n  b\n  #c", "name a, newline, indent, name b, newline, comment c, dedent, end"},
      {"a\n  b\n #c", "name a, newline, indent, name b, newline, dedent, comment c, end"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(tokens(text), expected) << text;
}

TEST(Lexer, JoinedIsAsInsideBrackets) {
  EXPECT_EQ(tokens("  a\n  + b # c\n", LexMode::Joined), "name a, operator +, name b, end");
}

TEST(Lexer, ErrorsAreTheLastToken) {
  const TokenCase cases[] = {
      {"a 'b", "name a, error unterminated string literal (detected at line 1)"},
      {"a = '''b\nc", "name a, operator =, error unterminated triple-quoted string literal (detected at line 2)"},
      {"(]", "operator (, error closing parenthesis ']' does not match opening parenthesis '('"},
      {")", "error unmatched ')'"},
      {"[a", "operator [, name a, error '[' was never closed"},
      {"a $", "name a, error invalid syntax"},
      {"a \\ b", "name a, error unexpected character after line continuation character"},
      {"a \\", "name a, error unexpected EOF while parsing"},
      {"1_", "error invalid decimal literal"},
      {"1__0", "error invalid decimal literal"},
      {"1_.5", "error invalid decimal literal"},
      {"1._5", "error invalid decimal literal"},
      {"1e", "error invalid decimal literal"},
      {"0x", "error invalid hexadecimal literal"},
      {"0xg", "error invalid hexadecimal literal"},
      {"0b12", "error invalid digit '2' in binary literal"},
      {"0b_", "error invalid binary literal"},
      {"0o8", "error invalid digit '8' in octal literal"},
      {"012", "error leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"},
      {"a\u202Eb", "error invalid non-printable character U+202E"},
      {"a\u200Bb", "error invalid non-printable character U+200B"},
      {"a\u00A0b", "error invalid non-printable character U+00A0"},
      {"a\x1b[1m", "name a, error invalid non-printable character U+001B"},
      {"\u201Ca\u201D", "error invalid character '\u201C' (U+201C)"},
      {"a \u2212 b", "name a, error invalid character '\u2212' (U+2212)"},
      {"a\xff", "error 'utf-8' codec can't decode byte 0xff"},
      {"'\xc0\x80'", "error 'utf-8' codec can't decode byte 0xc0"},
      {std::string("a\0b", 3), "error source code cannot contain null bytes"},
      {"b'a'", "string b'a', newline, end"},
      {"1.5j", "number 1.5j, newline, end"},
      {"1jx", "error invalid imaginary literal"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(tokens(text), expected) << text;
}

TEST(Lexer, DirectionMarksMayStandInStringsAndComments) {
  EXPECT_EQ(tokens("'\u202E' # \u202E"), "string '\u202E', newline # \u202E, end");
}

TEST(Lexer, SaysHowTheTextEnded) {
  const std::pair<std::string, LexOutcome> cases[] = {
      {"a", LexOutcome::Complete},      {"'a", LexOutcome::Wrong},        {"(a", LexOutcome::OpenBracket},
      {"'''a", LexOutcome::OpenString}, {"a \\\n", LexOutcome::OpenLine}, {"(')", LexOutcome::Wrong},
      {"('''", LexOutcome::OpenString}};
  for (const auto& [text, outcome] : cases) {
    const Source source{"cell", text, 1};
    const auto size = static_cast<std::uint32_t>(text.size());
    EXPECT_EQ(tokenize(source, 0, 0, size, LexMode::Lines).outcome, outcome) << text;
  }
}

TEST(Lexer, ReadsAPartOfTheText) {
  const Source source{"cell", "ab + cd", 1};
  const TokenList list = tokenize(source, 4, 1, 6, LexMode::Joined);
  ASSERT_EQ(list.tokens.size(), 4u);
  EXPECT_EQ(list.tokens[0].text, "b");
  EXPECT_EQ(list.tokens[0].span, (Span{4, 1, 2}));
  EXPECT_EQ(list.tokens[2].text, "c");
}

}  // namespace
}  // namespace attn
