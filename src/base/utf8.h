#pragma once
// Code points read from bytes that may be anything, and written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

constexpr std::int32_t kVariation16 = 0xFE0F;  // asks for the colored, wide form of an emoji

/// One code point read from a text. `code` is -1 for an ill-formed sequence; `size` is then how many bytes of it one
/// U+FFFD stands for (the longest start of a well-formed sequence, as the Unicode standard recommends).
struct Decoded {
  std::int32_t code;
  std::size_t size;
};

/// The first code point of a text that is not empty.
Decoded decode(std::string_view text);

/// Adds the code point to the text, below 0x110000; a lone surrogate is written as it is.
void append_utf8(std::string& text, std::uint32_t code);

/// Whether it may be drawn as an emoji (Extended_Pictographic).
bool is_pictograph(std::int32_t code);

}  // namespace attn
