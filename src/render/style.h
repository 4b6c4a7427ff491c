#pragma once
// The one place that knows colours and signs: the styles of text on a terminal, and the characters that we draw with.
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
};
const Glyphs& glyphs(const RenderOptions& options);

}  // namespace attn
