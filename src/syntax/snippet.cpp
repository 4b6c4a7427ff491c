#include "syntax/snippet.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "syntax/lexer.h"

namespace attn {
namespace {

std::vector<Token> tokens_of(const Source& source, Span span) {
  return tokenize(source, span.source, span.begin, span.end, LexMode::Joined).tokens;
}

bool is_any_of(const Token& token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

/// By how much a token takes those behind it further into brackets.
int deeper(const Token& token) {
  if (token.kind != TokenKind::Operator) return 0;
  return is_any_of(token, {"(", "[", "{"}) ? 1 : is_any_of(token, {")", "]", "}"}) ? -1 : 0;
}

bool is_in_brackets(const std::vector<Token>& tokens) {
  if (tokens.size() < 2 || !is_any_of(tokens.front(), {"(", "["})) return false;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    depth += deeper(tokens[i]);
    if (depth == 0) return false;  // "(a, b)[0]", "(a), b"
  }
  return true;
}

}  // namespace

std::vector<Span> pieces_of(const Source& source, Span span) {
  std::vector<Token> tokens = tokens_of(source, span);
  tokens.pop_back();  // the end
  if (is_in_brackets(tokens)) {
    tokens.pop_back();
    tokens.erase(tokens.begin());
  }
  std::vector<Span> pieces;
  bool is_first = true;  // of its piece
  int depth = 0;
  for (const Token& token : tokens) {
    depth += deeper(token);
    const bool divides = depth == 0 && token.text == ",";
    if (!divides && is_first) pieces.push_back(token.span);
    if (!divides) pieces.back() = cover(pieces.back(), token.span);
    is_first = divides;
  }
  return pieces;
}

std::string as_operand(std::string_view code) {
  const Source source{"", std::string(code), 1};
  int depth = 0;
  for (const Token& token : tokens_of(source, {0, 0, static_cast<std::uint32_t>(code.size())})) {
    const bool fits = token.kind == TokenKind::Name || token.kind == TokenKind::Number ||
                      token.kind == TokenKind::End ||
                      is_any_of(token, {"(", ")", "[", "]", ".", "None", "True", "False"});
    if (depth == 0 && !fits) return fmt::format("({})", code);
    depth += deeper(token);
  }
  return source.text;
}

std::string on_one_line(std::string_view code) {
  const Source source{"", std::string(code), 1};
  std::string out;
  std::uint32_t end = 0;
  for (const Token& token : tokens_of(source, {0, 0, static_cast<std::uint32_t>(code.size())})) {
    if (token.kind == TokenKind::Error) return source.text;
    if (token.span.begin > end && !out.empty() && out.back() != '(') out += ' ';
    out += token.text;
    end = token.span.end;
  }
  return out;
}

}  // namespace attn
