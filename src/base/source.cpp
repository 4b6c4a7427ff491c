#include "base/source.h"

#include <algorithm>

namespace attn {
namespace {

/// Where the line that holds `offset` begins. An offset on a line feed belongs to the line that it ends.
std::size_t line_start(std::string_view text, std::size_t offset) {
  if (offset == 0) return 0;
  const std::size_t feed = text.rfind('\n', offset - 1);
  return feed == std::string_view::npos ? 0 : feed + 1;
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

Span cover(Span first, Span last) {
  return {first.source, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

std::string_view Source::slice(Span span) const {
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, text.size());
  return std::string_view(text).substr(begin, end - begin);
}

Position position_of(const Source& source, std::uint32_t offset) {
  const std::string_view text = source.text;
  const std::size_t end = std::min<std::size_t>(offset, text.size());
  const std::size_t start = line_start(text, end);
  int feeds = 0;
  for (std::size_t at = text.find('\n'); at < start; at = text.find('\n', at + 1)) ++feeds;
  const std::string_view before = text.substr(start, end - start);
  const auto characters = std::count_if(before.begin(), before.end(), starts_character);
  return {source.first_line + feeds, 1 + static_cast<int>(characters)};
}

std::string_view line_at(const Source& source, std::uint32_t offset) {
  const std::string_view text = source.text;
  const std::size_t start = line_start(text, std::min<std::size_t>(offset, text.size()));
  return text.substr(start, text.find('\n', start) - start);
}

}  // namespace attn
