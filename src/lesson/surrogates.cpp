#include "lesson/surrogates.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace attn {
namespace {

constexpr std::size_t kEscape = 6;  // "\ud83d"

/// The number of an escape \uXXXX that begins there; -1: there is none.
int escaped_unit(std::string_view text, std::size_t at) {
  const std::string_view escape = text.substr(std::min(at, text.size()), kEscape);
  if (escape.size() < kEscape || !escape.starts_with("\\u")) return -1;
  int unit = -1;
  const auto read = std::from_chars(escape.data() + 2, escape.data() + kEscape, unit, 16);
  return read.ptr == escape.data() + kEscape && unit >= 0 ? unit : -1;
}

bool is_first_half(int unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_second_half(int unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

std::string without_lone_surrogates(std::string text) {
  for (std::size_t at = 0; (at = text.find('\\', at)) != std::string::npos;) {
    const int unit = escaped_unit(text, at);
    if (unit < 0) {
      at += 2;  // of "\\" the second one begins no escape
    } else if (is_first_half(unit) && is_second_half(escaped_unit(text, at + kEscape))) {
      at += 2 * kEscape;
    } else {
      if (is_first_half(unit) || is_second_half(unit)) text.replace(at, kEscape, "\\ufffd");
      at += kEscape;
    }
  }
  return text;
}

}  // namespace attn
