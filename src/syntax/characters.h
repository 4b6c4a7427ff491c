#pragma once
// Which bytes and code points may stand in a name, a number or between tokens. Nothing here depends on a locale.
#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
/// Every byte beyond ASCII counts as a letter; refusal() says which code points are none.
constexpr bool starts_name(char c) { return is_ascii_letter(c) || static_cast<unsigned char>(c) >= 0x80; }
constexpr bool continues_name(char c) { return starts_name(c) || is_digit(c); }

/// The value of a hexadecimal digit, or -1.
constexpr int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Why a code point may not stand outside strings and comments, in Python's words; empty when it may.
struct Refusal {
  std::string message;
  std::string hint;
};
Refusal refusal(std::int32_t code, std::string_view shown);

}  // namespace attn
