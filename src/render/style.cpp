#include "render/style.h"

#include <iterator>

namespace attn {
namespace {

// One row per enumerator of Style, in its order.
constexpr std::string_view kBegin[] = {
    "",            // Plain
    "\x1b[1;36m",  // Title
    "\x1b[1;36m",  // Heading
    "\x1b[1m",     // Strong
    "\x1b[3m",     // Emph
    "\x1b[33m",    // Code
    "\x1b[2m",     // Dim
    "\x1b[1;32m",  // Name
    "\x1b[1;35m",  // Ask
    "\x1b[1;31m",  // Alarm
};
static_assert(std::size(kBegin) == static_cast<std::size_t>(Style::Alarm) + 1);

constexpr Glyphs kUnicode{
    "→", "…", "│", "•", "─", "━", "·", {" ", "░", "▒", "▓", "█"}, {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█", "!"}};
constexpr Glyphs kAscii{
    "->", "...", "|", "-", "-", "=", "*", {" ", "-", "+", "*", "#"}, {"_", ".", "-", "~", "+", "=", "*", "#", "!"}};

}  // namespace

std::string_view style_begin(Style style) { return kBegin[static_cast<std::size_t>(style)]; }

const Glyphs& glyphs(const RenderOptions& options) { return options.ascii ? kAscii : kUnicode; }

}  // namespace attn
