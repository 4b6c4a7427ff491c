#include "base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attn {
namespace {

/// Python's spelling of what has no digits: no sign on nan.
std::optional<std::string> special(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return std::nullopt;
}

std::string formatted(double value, std::chars_format form, int precision) {
  if (auto text = special(value)) return *text;
  if (precision < 0) precision = 6;  // as C does
  // A double has at most 309 digits before the point.
  const std::size_t room = static_cast<std::size_t>(precision) + 330;
  std::array<char, 512> near;
  std::string far(room > near.size() ? room : 0, '\0');
  char* const begin = far.empty() ? near.data() : far.data();
  return std::string(begin, std::to_chars(begin, begin + room, value, form, precision).ptr);
}

template <class T>
std::string shortest(T value, std::chars_format form) {
  std::array<char, 64> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, form);
  return std::string(buffer.data(), result.ptr);
}

std::string with_point(std::string fixed) {
  if (fixed.find('.') == std::string::npos) fixed += ".0";
  return fixed;
}

/// from_chars leaves numbers beyond the range of a double alone; strtod and Python give infinity or zero. Which of
/// them follows from the power of ten of the first digit that is not 0.
double out_of_range(std::string_view text, bool negative) {
  const std::size_t mark = std::min(text.find('e'), text.find('E'));
  const std::string_view digits = text.substr(0, mark);
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  const auto is_first = [](char c) { return c >= '1' && c <= '9'; };
  const auto first = std::find_if(digits.begin(), digits.end(), is_first) - digits.begin();
  std::int64_t exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view power = text.substr(mark + 1);
    if (power.front() == '+') power.remove_prefix(1);
    const auto parsed = parse_int(power);
    constexpr std::int64_t kBeyond = 1'000'000'000;  // any text that is long enough to make up for it does not fit
    exponent = parsed ? std::clamp(*parsed, -kBeyond, kBeyond) : (power.front() == '-' ? -kBeyond : kBeyond);
  }
  const double result = point - first + exponent > 0 ? HUGE_VAL : 0.0;
  return negative ? -result : result;
}

}  // namespace

std::string python_repr(double value) {
  if (auto text = special(value)) return *text;
  const double size = std::fabs(value);
  if (size == 0 || (size >= 1e-4 && size < 1e16)) return with_point(shortest(value, std::chars_format::fixed));
  return shortest(value, std::chars_format::scientific);
}

std::string fixed_repr(float value) { return with_point(shortest(value, std::chars_format::fixed)); }

double shortest_as_float(double value) {
  std::array<char, 64> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<float>(value));
  double read = value;
  std::from_chars(buffer.data(), written.ptr, read);
  return read;
}

std::string format_fixed(double value, int precision) { return formatted(value, std::chars_format::fixed, precision); }

std::string format_exponent(double value, int precision) {
  return formatted(value, std::chars_format::scientific, precision);
}

std::string format_general(double value, int precision) {
  return formatted(value, std::chars_format::general, precision);
}

std::optional<double> parse_double(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  // Neither a second sign nor "nan(payload)".
  if (text.empty() || text.front() == '-' || text.back() == ')') return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return out_of_range(text, negative);
  return negative ? -value : value;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> checked_sub(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  // Dividing the smallest integer by -1 traps on x86; it wraps instead.
  if (b == -1) return static_cast<std::int64_t>(-static_cast<std::uint64_t>(a));
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == -1) return 0;
  const std::int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

}  // namespace attn
