#pragma once
// The one place that knows colors and signs: the styles of text on a terminal, and the characters that we draw with.
#include <array>
#include <cstdint>
#include <string_view>

#include "render/options.h"

namespace attn {

enum class Style : std::uint8_t { Plain, Title, Heading, Strong, Emph, Code, Dim, Name, Ask, Alarm };

/// The escape sequence that begins the style; empty for Plain. kStyleEnd ends any.
std::string_view style_begin(Style style);
inline constexpr std::string_view kStyleEnd = "\x1b[0m";

struct Glyphs {
  std::string_view arrow, gap, bar, bullet, rule, heavy_rule, dot;
  std::array<std::string_view, 5> shades;   // from a blank to black
  std::array<std::string_view, 9> heights;  // from the lowest to the highest; the last for what is not finite
};
const Glyphs& glyphs(const RenderOptions& options);

}  // namespace attn
