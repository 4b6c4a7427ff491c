#pragma once
// Source text and places in it. A Span is three integers and stays valid without the text, so a Trace can keep it;
// whoever draws it looks the Source up by its index.
#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

/// A half-open range of bytes in one source text. `source` is an index into the list of sources of a run.
struct Span {
  std::uint32_t source = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

inline Span span_of(std::uint32_t source, std::size_t begin, std::size_t end) {
  return {source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

/// The smallest span that covers both; they must be in the same source.
Span cover(Span first, Span last);

/// One text that was read: a cell of a lesson, a line typed, a file. `first_line` is the line of the file on which
/// the text starts, so that a diagnostic about a cell names the line of the lesson file.
struct Source {
  std::string name;
  std::string text;
  int first_line = 1;

  std::string_view slice(Span span) const;
};

/// Line as counted in the file; column in characters (code points) from 1.
struct Position {
  int line = 1;
  int column = 1;
};

Position position_of(const Source& source, std::uint32_t offset);

/// The line (without its line feed) that holds `offset`.
std::string_view line_at(const Source& source, std::uint32_t offset);

}  // namespace attn
