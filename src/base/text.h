#pragma once
// Text as a terminal shows it: width in cells by grapheme (2 for East Asian wide, emoji, VS16, flags), padding,
// wrapping, eliding; and the one function that makes text from strangers harmless.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Cells that `text` takes in a terminal. Control characters count 0; see visible().
int display_width(std::string_view text);

std::string pad_right(std::string_view text, int width);
std::string pad_left(std::string_view text, int width);

/// At most `width` cells; a cut end becomes "…" ("..." when `ascii`).
std::string elide(std::string_view text, int width, bool ascii = false);

/// Breaks at blanks (a word longer than the line is broken at graphemes). No line is wider than `width` (>= 1).
/// A line feed in `text` always breaks.
std::vector<std::string> wrap(std::string_view text, int width);

/// Splits into user-perceived characters.
std::vector<std::string_view> graphemes(std::string_view text);

/// Text that cannot steer a terminal: C0 (but line feed and tab), DEL, C1 become their Unicode picture or <U+009B>,
/// bidi controls and zero-width characters <U+202E>, invalid UTF-8 U+FFFD, runs of over 8 combining marks are cut.
std::string visible(std::string_view text);

/// Invalid UTF-8 replaced by U+FFFD; `replaced` (when given) counts the replacements.
std::string valid_utf8(std::string_view text, std::size_t* replaced = nullptr);
/// Whether a text begins with the byte order mark of UTF-16.
inline bool marks_utf16(std::string_view text) { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); }

std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::vector<std::string_view> split_lines(std::string_view text);
std::string_view trim(std::string_view text);
/// Each `from`, which is not empty, gives way to `to`.
std::string replaced(std::string text, std::string_view from, std::string_view to);

/// The entry of `known` nearest to `word` by edit distance (transpositions count 1), or "" when none is near enough
/// (distance over 1 + length / 4).
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace attn
