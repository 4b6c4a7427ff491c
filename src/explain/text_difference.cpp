#include "explain/text_difference.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/long_text.h"
#include "base/number.h"
#include "base/text.h"
#include "syntax/characters.h"

namespace attn {
namespace {

// The number that begins at `at`: sign, digits, point, exponent. Empty when none does.
std::string_view number_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
  const std::size_t digits = end;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end < text.size() && text[end] == '.' && (end > digits || (end + 1 < text.size() && is_digit(text[end + 1])))) {
    ++end;
    while (end < text.size() && is_digit(text[end])) ++end;
  }
  if (end == digits) return {};
  std::size_t exponent = end;
  if (exponent < text.size() && text[exponent] == 'e') {
    ++exponent;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    const std::size_t first = exponent;
    while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
    if (exponent > first) end = exponent;
  }
  return text.substr(at, end - at);
}

struct Piece {
  std::string_view text;
  bool is_number = false;
};

/// Reads a line as numbers and the characters between them, and skips blanks.
class Pieces {
 public:
  explicit Pieces(std::string_view line) : left_(line) {}

  /// An empty one at the end.
  Piece next() {
    while (!left_.empty() && (left_[0] == ' ' || left_[0] == '\t')) advance();
    if (left_.empty()) return {};
    const std::string_view number = in_word_ ? std::string_view() : number_at(left_, 0);
    if (!number.empty()) {
      left_.remove_prefix(number.size());
      return {number, true};
    }
    const std::string_view letter = left_.substr(0, 1);
    advance();
    return {letter, false};
  }

 private:
  void advance() {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(left_[0])) || left_[0] == '_';
    in_word_ = is_letter || (in_word_ && is_digit(left_[0]));
    left_.remove_prefix(1);
  }

  std::string_view left_;
  bool in_word_ = false;
};

// One unit of the last printed place.
double last_place(std::string_view number) {
  const std::size_t exponent_at = std::min(number.find('e'), number.size());
  const std::string_view mantissa = number.substr(0, exponent_at);
  const std::size_t point = mantissa.find('.');
  if (point == std::string_view::npos && exponent_at == number.size()) return 0;
  const double decimals = point == std::string_view::npos ? 0 : static_cast<double>(mantissa.size() - point - 1);
  const double exponent = exponent_at == number.size() ? 0 : parse_double(number.substr(exponent_at + 1)).value_or(0);
  return std::pow(10.0, exponent - decimals);
}

bool same_number(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto x = parse_double(a), y = parse_double(b);
  if (!x || !y) return false;
  if (last_place(a) == 0 && last_place(b) == 0) return false;  // whole numbers are exact
  const double allowed = std::max({1e-7, 1e-6 * std::fabs(*x), 1.0001 * std::max(last_place(a), last_place(b))});
  return std::fabs(*x - *y) <= allowed;
}

bool same_line(std::string_view a, std::string_view b) {
  if (a == b) return true;
  Pieces left(a), right(b);
  LongTextLook look;
  while (true) {
    look();
    const Piece x = left.next(), y = right.next();
    if (x.is_number != y.is_number || !(x.is_number ? same_number(x.text, y.text) : x.text == y.text)) return false;
    if (x.text.empty()) return true;
  }
}

}  // namespace

std::optional<TextDifference> first_difference(std::string_view expected, std::string_view got) {
  const std::vector<std::string_view> a = split_lines(expected), b = split_lines(got);
  const auto line = [](const std::vector<std::string_view>& lines, std::size_t i) {
    return i < lines.size() ? lines[i] : std::string_view();
  };
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (same_line(line(a, i), line(b, i))) continue;
    return TextDifference{static_cast<int>(i) + 1, std::string(line(a, i)), std::string(line(b, i))};
  }
  return std::nullopt;
}

}  // namespace attn
