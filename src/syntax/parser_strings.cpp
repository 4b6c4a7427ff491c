// String literals that stand side by side, and the fields of f-strings. A field is found by its characters, as in
// Python 3.11, and its expression is then parsed in its place in the source, so that spans are right.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "syntax/characters.h"
#include "syntax/literal.h"
#include "syntax/parser_rules.h"

namespace attn {

struct StringToken {
  bool raw = false;
  bool formatted = false;
  bool is_bytes = false;
  std::uint32_t begin = 0, end = 0;  // of what is between the quotes
  bool is_field = false;             // the inside of one field, without quotes and braces
};

namespace {

/// The literal text grows; a field begins a new part.
void add_text(FString& string, std::string text) {
  if (text.empty()) return;
  if (!string.parts.empty()) {
    if (auto* last = std::get_if<std::string>(&string.parts.back())) {
      *last += text;
      return;
    }
  }
  string.parts.emplace_back(std::move(text));
}

StringToken parts_of(const Token& token) {
  StringToken string;
  std::uint32_t prefix = 0;
  for (; token.text[prefix] != '\'' && token.text[prefix] != '"'; ++prefix) {
    const char letter = static_cast<char>(token.text[prefix] | 0x20);
    string.raw = string.raw || letter == 'r';
    string.formatted = string.formatted || letter == 'f';
    string.is_bytes = string.is_bytes || letter == 'b';
  }
  const std::string_view rest = token.text.substr(prefix);
  const std::string triple(3, rest.front());
  const std::uint32_t quotes = rest.size() >= 6 && rest.starts_with(triple) ? 3 : 1;
  string.begin = token.span.begin + prefix + quotes;
  string.end = token.span.end - quotes;
  return string;
}

}  // namespace

/// STRING {STRING}; b'...' is the text of those bytes, encoded.
ExprPtr Parser::strings() {
  const std::uint32_t start = begin();
  FString whole;
  bool formatted = false;
  const bool is_bytes = parts_of(current()).is_bytes;
  while (at(TokenKind::String)) {
    if (parts_of(current()).is_bytes != is_bytes) fail(from(start), "cannot mix bytes and nonbytes literals");
    add_string(advance(), whole, formatted);
  }
  const Span span = from(start);
  if (formatted) return make(span, std::move(whole));
  std::string text = whole.parts.empty() ? std::string() : std::get<std::string>(std::move(whole.parts.front()));
  ExprPtr literal = make(span, Constant{std::move(text)});
  if (!is_bytes) return literal;
  Call encoded{make(span, Attribute{std::move(literal), "encode", span}), {}};
  encoded.arguments.push_back({ArgumentKind::Positional, {}, make(span, Constant{std::string("latin-1")})});
  return make(span, std::move(encoded));
}

void Parser::add_string(const Token& token, FString& whole, bool& formatted) {
  const StringToken string = parts_of(token);
  if (string.formatted) {
    formatted = true;
    formatted_parts(string, string.begin, 0, whole);
    return;
  }
  const Span inside = {index_, string.begin, string.end};
  add_text(whole, string_value(source_.slice(inside), string.raw, inside, string.is_bytes));
}

void Parser::fail_field(std::uint32_t at, std::string message) {
  const auto size = static_cast<std::uint32_t>(source_.text.size());
  const Span place = {index_, std::min(at, size), std::min(at + 1, size)};
  throw CellError(Code::Syntax, place, "f-string" + std::move(message));
}

/// Text and fields from `begin` to the end of the string or, in a format (level > 0), to the '}' that ends its field.
/// Returns where it stopped.
std::uint32_t Parser::formatted_parts(const StringToken& string, std::uint32_t begin, int level, FString& whole) {
  const std::string_view text = source_.text;
  std::uint32_t run = begin;  // where the literal text began that is not yet added
  const auto add_run = [&](std::uint32_t end) {
    const Span inside = {index_, run, end};
    add_text(whole, string_value(source_.slice(inside), string.raw, inside));
  };
  for (std::uint32_t at = begin; at < string.end;) {
    const char c = text[at];
    if (c != '{' && c != '}') {
      ++at;
      continue;
    }
    const bool doubled = level == 0 && at + 1 < string.end && text[at + 1] == c;
    add_run(doubled ? at + 1 : at);
    if (doubled) {
      at += 2;
    } else if (c == '{') {
      at = field(string, at + 1, level, whole);
    } else if (level > 0) {
      return at;
    } else {
      fail_field(at, ": single '}' is not allowed");
    }
    run = at;
  }
  add_run(string.end);
  return string.end;
}

/// expression ['='] ['!' conversion] [':' format] '}'; returns the place behind it.
std::uint32_t Parser::field(const StringToken& string, std::uint32_t begin, int level, FString& whole) {
  const std::string_view text = std::string_view(source_.text).substr(0, string.end);
  const auto peek = [text](std::uint32_t at) { return at < text.size() ? text[at] : '\0'; };
  if (level >= 2) fail_field(begin - 1, ": expressions nested too deeply");
  std::uint32_t at = expression_end(begin, string.end);
  const bool alone = string.is_field && level == 0;
  if (at == string.end && !alone) fail_field(at, ": expecting '}'");
  if (trim(source_.slice({index_, begin, at})).empty()) fail_field(at, ": empty expression not allowed");
  FStringField result;
  result.expression = Parser(*this, begin, at).whole_expression();
  if (peek(at) == '=') {
    at = static_cast<std::uint32_t>(std::min(text.find_first_not_of(" \t\r\n", at + 1), text.size()));
    result.label = source_.slice({index_, begin, at});
  }
  if (peek(at) == '!') {
    result.conversion = peek(at + 1);
    if (std::string_view("rsa").find(result.conversion) == std::string_view::npos) {
      fail_field(at, ": invalid conversion character: expected 's', 'r', or 'a'");
    }
    at += 2;
  }
  if (peek(at) == ':') {
    result.format = std::make_unique<FString>();
    at = formatted_parts(string, at + 1, level + 1, *result.format);
  }
  if (alone && peek(at) == '}') fail_field(at, ": single '}' is not allowed");
  if (alone ? at != string.end : peek(at) != '}') fail_field(at, ": expecting '}'");
  // {x=} shows what an interactive session would show.
  if (!result.label.empty() && result.conversion == 0 && !result.format) result.conversion = 'r';
  whole.parts.emplace_back(std::move(result));
  return alone ? at : at + 1;
}

/// The whole text is one field; its end closes it.
ExprPtr Parser::field_alone() {
  const auto size = static_cast<std::uint32_t>(source_.text.size());
  const StringToken string = {false, true, false, 0, size, true};
  FString whole;
  field(string, 0, 0, whole);
  return make({index_, 0, size}, std::move(whole));
}

/// Where the expression of a field ends: at a '}', '!', ':' or '=' outside brackets and quotes.
std::uint32_t Parser::expression_end(std::uint32_t begin, std::uint32_t end) {
  const std::string_view text = std::string_view(source_.text).substr(0, end);
  std::string open;
  for (std::uint32_t at = begin; at < end; ++at) {
    const char c = text[at];
    if (c == '\\') fail_field(at, " expression part cannot include a backslash");
    if (c == '#') fail_field(at, " expression part cannot include '#'");
    if (c == '\'' || c == '"') {
      const std::string_view quotes = text.substr(at, 3) == std::string(3, c) ? text.substr(at, 3) : text.substr(at, 1);
      const std::size_t close = text.find(quotes, at + quotes.size());
      if (close == std::string_view::npos) fail_field(at, ": unterminated string");
      at = static_cast<std::uint32_t>(close + quotes.size() - 1);
    } else if (c == '(' || c == '[' || c == '{') {
      open += c;
    } else if (!open.empty() && (c == ')' || c == ']' || c == '}')) {
      const char opener = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (open.back() != opener) {
        fail_field(at,
                   fmt::format(": closing parenthesis '{}' does not match opening parenthesis '{}'", c, open.back()));
      }
      open.pop_back();
    } else if (open.empty()) {
      if (c == ')' || c == ']') fail_field(at, fmt::format(": unmatched '{}'", c));
      if (c == '}' || c == ':') return at;
      const bool paired = std::string_view("!=<>").find(c) != std::string_view::npos;
      if (paired && at + 1 < end && text[at + 1] == '=') ++at;
      else if (c == '!' || c == '=') return at;
    }
  }
  return end;
}

}  // namespace attn
