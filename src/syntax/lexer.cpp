// The tokenizer. Lines: a logical line begins with its indentation (begin_line), goes on over line feeds inside
// brackets and behind backslashes, and ends with a Newline token. Over 400 lines because numbers, strings, indentation
// and comments share one place in the text.
//
// Comments on lines of their own wait in `waiting_` until the next line of code, because only its indentation says
// which block they close: a comment that is indented as far as the block belongs to it, one further left does not.
#include "syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>

#include "base/limits.h"
#include "base/utf8.h"
#include "syntax/ast.h"
#include "syntax/characters.h"
#include "syntax/literal.h"
#include "text/say.h"

namespace attn {
namespace {

// Sorted.
constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

/// The length of the operator that `rest` begins with; 0 when none does. Most repeat a character or end in '='.
std::size_t operator_size(std::string_view rest) {
  constexpr std::string_view kAlone = "+-*/%@&|^~<>()[]{},:;.=", kTwice = "*/<>", kBeforeEqual = "+-*/%@&|^<>=!:";
  if (rest.starts_with("...")) return 3;
  if (rest.starts_with("->")) return 2;
  const char first = rest.front();
  const bool is_twice = rest.substr(1).starts_with(first) && kTwice.find(first) != kTwice.npos;
  const std::size_t size = is_twice ? 2 : 1;
  if (rest.substr(size).starts_with('=') && kBeforeEqual.find(first) != kBeforeEqual.npos) return size + 1;
  return kAlone.find(first) == kAlone.npos ? 0 : size;
}

// They go on with a compound statement, so comments before them still belong to its last block.
constexpr std::string_view kContinuing[] = {"else", "elif", "except", "finally"};

char closer_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

bool is_string_prefix(std::string_view word) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  constexpr std::string_view kPrefixes[] = {"r", "u", "b", "f", "br", "rb", "fr", "rf"};
  return std::find(std::begin(kPrefixes), std::end(kPrefixes), lower) != std::end(kPrefixes);
}

class Lexer {
 public:
  Lexer(const Source& source, std::uint32_t index, std::uint32_t begin, std::uint32_t end, LexMode mode)
      : source_(source), index_(index), text_(std::string_view(source.text).substr(0, end)), pos_(begin), mode_(mode) {}

  TokenList run();

 private:
  struct Column {
    int wide;    // a tab goes on to the next multiple of 8
    int narrow;  // a tab counts 1: both must agree on which line is further right
  };
  struct Bracket {
    char open;
    std::size_t at;
  };

  // characters
  bool at_end() const { return pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  bool at(std::string_view piece) const { return peek() == piece.front() && text_.substr(pos_).starts_with(piece); }
  bool at_newline() const { return peek() == '\n' || peek() == '\r'; }
  void skip_newline() { pos_ += at("\r\n") ? 2 : 1; }
  Span span(std::size_t begin, std::size_t end) const {
    return {index_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  int line_of(std::size_t offset) const { return position_of(source_, static_cast<std::uint32_t>(offset)).line; }
  std::string_view word_ahead() const;

  [[noreturn]] void fail(Span place, std::string message, std::string hint = {}) const {
    throw CellError(Code::Syntax, place, std::move(message), std::move(hint));
  }
  [[noreturn]] void fail_indentation(Span place, std::string message, std::string type) const;

  void check_encoding() const;
  void push(TokenKind kind, std::size_t begin, std::size_t end);

  // lines
  void scan();
  void begin_line();
  std::size_t magic_end() const;
  void indent_to(Column column, std::size_t line_begin);
  void release_comments(int column);
  void newline(std::size_t at);
  void end_line();
  void finish();

  // tokens
  void token();
  void comment();
  void continuation();
  void number();
  void word();
  void string(std::size_t begin);
  void operator_token();
  void bracket(char c);

  const Source& source_;
  std::uint32_t index_;
  std::string_view text_;
  std::size_t pos_;
  LexMode mode_;
  TokenList list_;
  std::vector<Bracket> brackets_;
  std::vector<Column> columns_ = {{0, 0}};
  std::deque<std::pair<int, Span>> waiting_;  // comments on lines of their own, with their column
  Span comment_ = {};                         // after the last token of the line
  bool line_begins_ = true;
  bool line_has_tokens_ = false;
};

TokenList Lexer::run() {
  try {
    check_encoding();
    list_.tokens.reserve((text_.size() - pos_) / 4);
    scan();
    finish();
  } catch (const CellError& error) {
    if (list_.outcome == LexOutcome::Complete) list_.outcome = LexOutcome::Wrong;
    const Span place = error.diagnostic().span;
    list_.tokens.push_back({TokenKind::Error, place, source_.slice(place)});
    list_.error = error;
  }
  return std::move(list_);
}

void Lexer::fail_indentation(Span place, std::string message, std::string type) const {
  Diagnostic diagnostic;
  diagnostic.code = Code::Syntax;
  diagnostic.span = place;
  diagnostic.message = std::move(message);
  throw CellError(std::move(diagnostic), std::move(type));
}

/// The whole text, strings and comments too: nothing after the lexer need expect ill-formed UTF-8 or NUL.
void Lexer::check_encoding() const {
  for (std::size_t at = pos_; at < text_.size();) {
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte == 0) fail(span(at, at + 1), "source code cannot contain null bytes");
    if (byte < 0x80) {
      ++at;
      continue;
    }
    const Decoded character = decode(text_.substr(at));
    if (character.code < 0) {
      fail(span(at, at + character.size), fmt::format("'utf-8' codec can't decode byte 0x{:02x}", byte),
           say("syntax.utf8.hint"));
    }
    at += character.size;
  }
}

void Lexer::push(TokenKind kind, std::size_t begin, std::size_t end) {
  look();
  list_.tokens.push_back({kind, span(begin, end), text_.substr(begin, end - begin)});
  comment_ = {};
  if (kind != TokenKind::Indent && kind != TokenKind::Dedent && kind != TokenKind::Comment) line_has_tokens_ = true;
}

std::string_view Lexer::word_ahead() const {
  std::size_t end = pos_;
  while (end < text_.size() && continues_name(text_[end])) ++end;
  return text_.substr(pos_, end - pos_);
}

// --- lines ---------------------------------------------------------------------------------------------------------

void Lexer::scan() {
  if (pos_ == 0 && at("\xEF\xBB\xBF")) pos_ += 3;  // a byte order mark
  while (!at_end()) {
    if (mode_ == LexMode::Lines && line_begins_) {
      begin_line();
    } else {
      token();
    }
  }
}

void Lexer::begin_line() {
  const std::size_t begin = pos_;
  Column column = {0, 0};
  for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; ++pos_) {
    if (peek() == '\f') {
      column = {0, 0};
    } else if (peek() == '\t') {
      column = {(column.wide / 8 + 1) * 8, column.narrow + 1};
    } else {
      column = {column.wide + 1, column.narrow + 1};
    }
  }
  if (at_end()) return;
  if (at_newline()) return skip_newline();
  if (peek() == '#') {
    comment();
    waiting_.emplace_back(column.wide, comment_);
    comment_ = {};
    if (!at_end()) skip_newline();
    return;
  }
  line_begins_ = false;
  indent_to(column, begin);
  if (peek() == '%' || peek() == '!') {
    const std::size_t end = magic_end();
    push(TokenKind::Magic, pos_, end);
    pos_ = end;
  }
}

/// The end of the line; a backslash there goes on with the next one.
std::size_t Lexer::magic_end() const {
  std::size_t end = std::min(text_.find_first_of("\r\n", pos_), text_.size());
  while (end < text_.size() && text_[end - 1] == '\\') {
    end += text_.substr(end).starts_with("\r\n") ? 2 : 1;
    end = std::min(text_.find_first_of("\r\n", end), text_.size());
  }
  return end;
}

void Lexer::indent_to(Column column, std::size_t line_begin) {
  const auto tabs = [&] {
    fail_indentation(span(line_begin, pos_), "inconsistent use of tabs and spaces in indentation", "TabError");
  };
  if (column.wide > columns_.back().wide) {
    if (column.narrow <= columns_.back().narrow) tabs();
    if (columns_.size() > static_cast<std::size_t>(kMaxNesting)) {
      throw CellError(Code::Limit, span(line_begin, pos_),
                      say("limit.blocks", {{"most", std::to_string(kMaxNesting)}}));
    }
    columns_.push_back(column);
    push(TokenKind::Indent, line_begin, pos_);
  }
  const bool continuing =
      std::find(std::begin(kContinuing), std::end(kContinuing), word_ahead()) != std::end(kContinuing);
  while (column.wide < columns_.back().wide) {
    const bool goes_on = continuing && column.wide >= columns_[columns_.size() - 2].wide;
    release_comments(goes_on ? 0 : columns_.back().wide);
    columns_.pop_back();
    push(TokenKind::Dedent, pos_, pos_);
  }
  if (column.wide != columns_.back().wide) {
    fail_indentation(span(line_begin, pos_), "unindent does not match any outer indentation level", "IndentationError");
  }
  if (column.narrow != columns_.back().narrow) tabs();
  release_comments(0);
}

/// Emits the comments that wait, up to the first one left of `column`.
void Lexer::release_comments(int column) {
  while (!waiting_.empty() && waiting_.front().first >= column) {
    const Span place = waiting_.front().second;
    push(TokenKind::Comment, place.begin, place.end);
    waiting_.pop_front();
  }
}

/// Ends the logical line, if there is anything in it.
void Lexer::newline(std::size_t at) {
  if (!line_has_tokens_) return;
  const Span note = comment_;
  push(TokenKind::Newline, at, at);
  list_.tokens.back().comment = note;
}

void Lexer::end_line() {
  const std::size_t begin = pos_;
  skip_newline();
  if (mode_ == LexMode::Joined || !brackets_.empty()) return;
  newline(begin);
  line_begins_ = true;
  line_has_tokens_ = false;
}

void Lexer::finish() {
  if (!brackets_.empty()) {
    list_.outcome = LexOutcome::OpenBracket;
    const Bracket& open = brackets_.back();
    fail(span(open.at, open.at + 1), fmt::format("'{}' was never closed", open.open));
  }
  const std::size_t end = text_.size();
  if (mode_ == LexMode::Lines) {
    newline(end);
    for (; columns_.size() > 1; columns_.pop_back()) {
      release_comments(columns_.back().wide);
      push(TokenKind::Dedent, end, end);
    }
    release_comments(0);
  }
  push(TokenKind::End, end, end);
}

// --- tokens --------------------------------------------------------------------------------------------------------

void Lexer::token() {
  const char c = peek();
  if (c == ' ' || c == '\t' || c == '\f') {
    ++pos_;
  } else if (at_newline()) {
    end_line();
  } else if (c == '#') {
    comment();
  } else if (c == '\\') {
    continuation();
  } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
    number();
  } else if (c == '\'' || c == '"') {
    string(pos_);
  } else if (starts_name(c)) {
    word();
  } else {
    operator_token();
  }
}

/// Leaves the place of the comment in comment_.
void Lexer::comment() {
  const std::size_t end = std::min(text_.find_first_of("\r\n", pos_), text_.size());
  comment_ = span(pos_ + 1, end);
  pos_ = end;
}

void Lexer::continuation() {
  const std::size_t begin = pos_++;
  if (at_newline()) skip_newline();
  else if (!at_end()) fail(span(begin, begin + 1), "unexpected character after line continuation character");
  if (!at_end()) return;
  list_.outcome = LexOutcome::OpenLine;
  fail(span(begin, begin + 1), "unexpected EOF while parsing");
}

void Lexer::number() {
  const std::size_t begin = pos_;
  pos_ = number_end(text_, begin, index_);
  push(TokenKind::Number, begin, pos_);
}

void Lexer::word() {
  const std::size_t begin = pos_;
  while (!at_end() && continues_name(peek())) {
    if (is_ascii_letter(peek()) || is_digit(peek())) {
      ++pos_;
      continue;
    }
    const Decoded character = decode(text_.substr(pos_));
    Refusal refused = refusal(character.code, text_.substr(pos_, character.size));
    if (!refused.message.empty()) {
      fail(span(pos_, pos_ + character.size), std::move(refused.message), std::move(refused.hint));
    }
    pos_ += character.size;
  }
  const std::string_view name = text_.substr(begin, pos_ - begin);
  if ((peek() == '\'' || peek() == '"') && is_string_prefix(name)) return string(begin);
  push(is_keyword(name) ? TokenKind::Keyword : TokenKind::Name, begin, pos_);
}

/// pos_ is at the quote; `begin` at the prefix. A backslash keeps the next character from ending the string, in raw
/// strings too.
void Lexer::string(std::size_t begin) {
  const char quote = peek();
  const bool triple = peek(1) == quote && peek(2) == quote;
  const std::string delimiter(triple ? 3 : 1, quote);
  pos_ += delimiter.size();
  const Span opening = span(begin, pos_);
  while (!at(delimiter)) {
    if (at_end() || (!triple && at_newline())) {
      if (triple) list_.outcome = LexOutcome::OpenString;
      fail(opening, fmt::format("unterminated {}string literal (detected at line {})", triple ? "triple-quoted " : "",
                                line_of(at_end() ? pos_ - 1 : pos_)));
    }
    if (peek() == '\\') ++pos_;
    if (at_end()) continue;
    if (at_newline()) skip_newline();
    else ++pos_;
  }
  pos_ += delimiter.size();
  push(TokenKind::String, begin, pos_);
}

void Lexer::operator_token() {
  if (const std::size_t size = operator_size(text_.substr(pos_))) {
    if (size == 1) bracket(peek());
    push(TokenKind::Operator, pos_, pos_ + size);
    pos_ += size;
    return;
  }
  Refusal refused = refusal(static_cast<unsigned char>(peek()), text_.substr(pos_, 1));
  if (refused.message.empty()) refused.message = "invalid syntax";
  if (peek() == '!') refused.hint = say("syntax.write", {{"code", "not"}});
  fail(span(pos_, pos_ + 1), std::move(refused.message), std::move(refused.hint));
}

void Lexer::bracket(char c) {
  const Span here = span(pos_, pos_ + 1);
  if (c == '(' || c == '[' || c == '{') {
    if (brackets_.size() >= static_cast<std::size_t>(kMaxNesting)) {
      throw CellError(Code::Limit, here, say("limit.brackets", {{"most", std::to_string(kMaxNesting)}}));
    }
    brackets_.push_back({c, pos_});
  } else if (c == ')' || c == ']' || c == '}') {
    if (brackets_.empty()) fail(here, fmt::format("unmatched '{}'", c));
    const Bracket open = brackets_.back();
    if (c != closer_of(open.open)) {
      const int line = line_of(open.at);
      fail(here, fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'{}", c, open.open,
                             line == line_of(pos_) ? "" : fmt::format(" on line {}", line)));
    }
    brackets_.pop_back();
  }
}

}  // namespace

TokenList tokenize(const Source& source, std::uint32_t source_index, std::uint32_t begin, std::uint32_t end,
                   LexMode mode) {
  return Lexer(source, source_index, begin, end, mode).run();
}

bool is_keyword(std::string_view word) { return std::binary_search(kKeywords.begin(), kKeywords.end(), word); }

}  // namespace attn
