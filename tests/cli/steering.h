#pragma once
// Looks for bytes that steer a terminal or hide text in what the program wrote. Every run of the program under
// run_program() and every session on a screen ends with this look.
#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

namespace steering {

inline bool is_digit_or_semicolon(char c) { return (c >= '0' && c <= '9') || c == ';'; }

/// The length of "\x1b[1;31m" at `at`, the only sequence for colours; else 0.
inline std::size_t color_at(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\x1b[") return 0;
  std::size_t end = at + 2;
  while (end < text.size() && is_digit_or_semicolon(text[end])) ++end;
  return end < text.size() && text[end] == 'm' ? end + 1 - at : 0;
}

inline bool is_bidi(std::string_view rest) {
  // U+200B, U+200E, U+200F, U+202A to U+202E, U+2060, U+2066 to U+2069, U+FEFF. Joiners belong into emoji and scripts.
  static constexpr std::string_view kHidden[] = {"\u200b", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d",
                                                 "\u202e", "\u2060", "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff"};
  for (const std::string_view mark : kHidden)
    if (rest.starts_with(mark)) return true;
  return false;
}

}  // namespace steering

/// What in `text` a terminal would obey or a reader would not see, in words; empty when there is nothing. Line feeds
/// and tabs are text; colours are when `colored`.
inline std::string steering_in(std::string_view text, bool colored = false) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (colored && byte == 0x1b) {
      if (const std::size_t length = steering::color_at(text, i)) {
        i += length - 1;
        continue;
      }
    }
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) return "a control byte at " + std::to_string(i);
    const bool has_next = i + 1 < text.size();
    if (byte == 0xc2 && has_next && static_cast<unsigned char>(text[i + 1]) < 0xa0)
      return "a C1 control at " + std::to_string(i);
    if ((byte == 0xe2 || byte == 0xef) && steering::is_bidi(text.substr(i))) return "a mark at " + std::to_string(i);
  }
  return "";
}

}  // namespace attn
