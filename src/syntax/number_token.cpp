// How far a number goes in the text, and Python's words for what only looks like one.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "syntax/characters.h"
#include "syntax/literal.h"

namespace attn {
namespace {

// Python lets these follow a number without a blank: 1if x else 2.
constexpr std::string_view kAfterNumber[] = {"and", "else", "for", "if", "in", "is", "not", "or"};

struct Base {
  char letter;
  int base;
  std::string_view name;
};
constexpr Base kNumberBases[] = {{'x', 16, "hexadecimal"}, {'o', 8, "octal"}, {'b', 2, "binary"}};

class NumberScanner {
 public:
  NumberScanner(std::string_view text, std::size_t begin, std::uint32_t source)
      : text_(text), begin_(begin), pos_(begin), source_(source) {}

  std::size_t run() {
    const char letter = static_cast<char>(peek(1) | 0x20);
    const auto* base =
        std::find_if(std::begin(kNumberBases), std::end(kNumberBases), [&](auto& row) { return row.letter == letter; });
    if (peek() == '0' && base != std::end(kNumberBases)) based(*base);
    else decimal();
    return pos_;
  }

 private:
  char peek(std::size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }

  Span place(std::size_t begin, std::size_t end) const {
    return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(end, text_.size()))};
  }
  [[noreturn]] void fail(std::size_t begin, std::size_t end, std::string message) const {
    throw CellError(Code::Syntax, place(begin, end), std::move(message));
  }

  /// 0x..., 0o..., 0b...: groups of digits with one underscore before each.
  void based(const Base& base) {
    pos_ += 2;
    const auto is_one = [&base](char c) { return digit_value(c) >= 0 && digit_value(c) < base.base; };
    const auto refuse_digit = [&] {
      if (!is_digit(peek()) || is_one(peek())) return;
      fail(pos_, pos_ + 1, fmt::format("invalid digit '{}' in {} literal", peek(), base.name));
    };
    do {
      if (peek() == '_') ++pos_;
      refuse_digit();
      if (!is_one(peek())) fail(begin_, pos_, fmt::format("invalid {} literal", base.name));
      while (is_one(peek())) ++pos_;
    } while (peek() == '_');
    refuse_digit();
    end(base.name);
  }

  /// Digits with single underscores between them.
  void digits() {
    while (is_digit(peek()) || peek() == '_') {
      if (peek() == '_' && !is_digit(peek(1))) fail(begin_, pos_ + 1, "invalid decimal literal");
      ++pos_;
    }
  }

  void decimal() {
    if (is_digit(peek())) digits();
    const std::string_view whole = text_.substr(begin_, pos_ - begin_);
    bool is_float = peek() == '.';
    if (is_float) {
      ++pos_;
      if (is_digit(peek())) digits();
    }
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
      is_float = true;
      pos_ += 1 + sign;
      digits();
    }
    if (peek() == 'j' || peek() == 'J') {
      ++pos_;
      return end("imaginary");
    }
    if (!is_float && whole.front() == '0' && whole.find_first_not_of("0_") != std::string_view::npos) {
      fail(begin_, pos_,
           "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers");
    }
    end("decimal");
  }

  void end(std::string_view kind) const {
    const std::string_view rest = text_.substr(pos_);
    const auto follows = [rest](std::string_view keyword) { return rest.starts_with(keyword); };
    if (!starts_name(peek()) || std::any_of(std::begin(kAfterNumber), std::end(kAfterNumber), follows)) return;
    const auto* stop = std::find_if_not(rest.begin(), rest.end(), continues_name);
    fail(begin_, pos_ + static_cast<std::size_t>(stop - rest.begin()), fmt::format("invalid {} literal", kind));
  }

  std::string_view text_;
  std::size_t begin_;
  std::size_t pos_;
  std::uint32_t source_;
};

}  // namespace

std::size_t number_end(std::string_view text, std::size_t begin, std::uint32_t source_index) {
  return NumberScanner(text, begin, source_index).run();
}

}  // namespace attn
