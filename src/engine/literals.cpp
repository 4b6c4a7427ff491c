#include "engine/literals.h"

#include "base/text.h"
#include "python/value.h"

namespace attn {

std::string string_literal(const std::string& text) {
  std::string out = "\"";
  for (const std::string_view grapheme : graphemes(text)) {
    if (grapheme == "\"" || grapheme == "\\") {
      out += '\\';
      out += grapheme;
    } else if (grapheme != "\n" && grapheme != "\t" && visible(grapheme) == grapheme) {
      out += grapheme;
    } else {
      const std::string escaped = ascii_repr(make_str(std::string(grapheme)));
      out += std::string_view(escaped).substr(1, escaped.size() - 2);
    }
  }
  return out + "\"";
}

std::string list_literal(const std::vector<std::string>& items) {
  constexpr std::size_t kWidth = 100;
  std::string out = "[", line;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (!line.empty() && line.size() + 1 + item.size() > kWidth) {
      out += line + "\n    ";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + item;
  }
  return out + line + "]";
}

}  // namespace attn
