#include "explain/text_difference.h"

#include <algorithm>
#include <cmath>
#include <vector>

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
  bool is_number;
};

// Numbers and what stands between them; runs of blanks do not count.
std::vector<Piece> pieces(std::string_view line) {
  std::vector<Piece> out;
  bool in_word = false;
  for (std::size_t at = 0; at < line.size();) {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(line[at])) || line[at] == '_';
    const std::string_view number = in_word ? std::string_view() : number_at(line, at);
    if (!number.empty()) {
      out.push_back({number, true});
      at += number.size();
      continue;
    }
    if (line[at] != ' ' && line[at] != '\t') out.push_back({line.substr(at, 1), false});
    in_word = is_letter || (in_word && is_digit(line[at]));
    ++at;
  }
  return out;
}

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
  const std::vector<Piece> x = pieces(a), y = pieces(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Piece& p, const Piece& q) {
    return p.is_number == q.is_number && (p.is_number ? same_number(p.text, q.text) : p.text == q.text);
  });
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
