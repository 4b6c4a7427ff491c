#include "base/text.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/long_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::int32_t kKeycap = 0x20E3;

/// Latin letters and the signs that tables are drawn with: one cell each, and a grapheme unless something joins them.
bool is_one_cell(std::int32_t code) {
  return (code >= 0x20 && code < 0x7F) || (code >= 0xA0 && code < 0x300 && code != 0xAD) ||
         (code >= 0x2010 && code < 0x2028) || (code >= 0x2190 && code < 0x2200) || (code >= 0x2500 && code < 0x25A0);
}

bool is_regional(std::int32_t code) { return code >= 0x1F1E6 && code <= 0x1F1FF; }

int code_width(std::int32_t code) {
  if (code < 0) return 1;  // drawn as U+FFFD
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return 0;
  return utf8proc_charwidth(code);
}

/// The widest of its code points; emoji that ask for it, keycaps and flags are two cells.
int grapheme_width(std::string_view grapheme) {
  int width = 0, regionals = 0;
  std::int32_t first = 0;
  for (std::size_t at = 0; at < grapheme.size();) {
    const Decoded next = decode(grapheme.substr(at));
    if (at == 0) first = next.code;
    width = std::max(width, code_width(next.code));
    regionals += is_regional(next.code) ? 1 : 0;
    if (next.code == kKeycap || (next.code == kVariation16 && is_pictograph(first))) width = 2;
    at += next.size;
  }
  return regionals == 2 ? 2 : width;
}

/// Calls `take(grapheme, width)` until it returns false.
template <typename Take>
void each_grapheme(std::string_view text, Take take) {
  std::size_t start = 0;
  std::int32_t before = -1, state = 0;
  LongTextLook look;
  for (std::size_t at = 0; at < text.size();) {
    look();
    const Decoded next = decode(text.substr(at));
    // An ill-formed byte is a character of its own.
    const bool breaks = before < 0 || next.code < 0 || utf8proc_grapheme_break_stateful(before, next.code, &state);
    if (at > 0 && breaks) {
      const std::string_view grapheme = text.substr(start, at - start);
      if (!take(grapheme, grapheme_width(grapheme))) return;
      start = at;
      if (before < 0 || next.code < 0) state = 0;
    }
    before = next.code;
    at += next.size;
  }
  if (start < text.size()) take(text.substr(start), grapheme_width(text.substr(start)));
}

/// The longest start of `text` that takes at most `width` cells.
std::string_view fitting(std::string_view text, int width) {
  std::size_t size = 0;
  each_grapheme(text, [&](std::string_view grapheme, int cells) {
    width -= cells;
    if (width >= 0) size += grapheme.size();
    return width >= 0;
  });
  return text.substr(0, size);
}

std::string padding(std::string_view text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
}

/// Optimal string alignment: insert, delete, replace, swap neighbors.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

bool is_space_or_tab(char c) { return c == ' ' || c == '\t'; }

/// Lays one paragraph (no line feed in it) into lines.
class Wrapper {
 public:
  Wrapper(std::vector<std::string>& lines, int width) : lines_(lines), width_(width) {}

  void add(std::string_view paragraph) {
    std::size_t at = 0;
    do {
      look_();
      std::size_t word = at;
      while (word < paragraph.size() && is_space_or_tab(paragraph[word])) ++word;
      std::size_t end = word;
      while (end < paragraph.size() && !is_space_or_tab(paragraph[end])) ++end;
      add_word(paragraph.substr(at, word - at), paragraph.substr(word, end - word));
      at = end;
    } while (at < paragraph.size());
    flush();
  }

 private:
  void add_word(std::string_view blanks, std::string_view word) {
    const int word_width = display_width(word), gap = static_cast<int>(blanks.size());
    if (word.empty()) return;  // blanks at the end of the paragraph
    if (used_ + gap + word_width <= width_) {
      line_.append(blanks.size(), ' ');
      line_ += word;
      used_ += gap + word_width;
      return;
    }
    if (used_ > 0) flush();
    add_long(word);
  }

  void add_long(std::string_view word) {
    for (std::string_view grapheme : graphemes(word)) {
      int cells = display_width(grapheme);
      if (cells > width_) grapheme = "…", cells = 1;  // a wide character in a column of one cell
      if (used_ + cells > width_) flush();
      line_ += grapheme;
      used_ += cells;
    }
  }

  void flush() {
    lines_.push_back(std::move(line_));
    line_.clear();
    used_ = 0;
  }

  std::vector<std::string>& lines_;
  std::string line_;
  int width_;
  int used_ = 0;
  LongTextLook look_;
};

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const bool is_ascii = static_cast<unsigned char>(text[at]) < 0x80;
    const Decoded next = is_ascii ? Decoded{text[at], 1} : decode(text.substr(at));
    if (!is_one_cell(next.code)) break;
    at += next.size;
    ++width;
  }
  if (at == text.size()) return width;
  width = 0;
  each_grapheme(text, [&](std::string_view, int cells) {
    width += cells;
    return true;
  });
  return width;
}

std::string pad_right(std::string_view text, int width) { return std::string(text) + padding(text, width); }
std::string pad_left(std::string_view text, int width) { return padding(text, width) + std::string(text); }

std::string elide(std::string_view text, int width, bool ascii) {
  if (display_width(text) <= width) return std::string(text);
  const std::string_view mark = ascii ? "..." : "…";
  const int mark_width = ascii ? 3 : 1;
  if (width < mark_width) return std::string(static_cast<std::size_t>(std::max(0, width)), '.');
  return std::string(fitting(text, width - mark_width)) + std::string(mark);
}

std::vector<std::string_view> graphemes(std::string_view text) {
  std::vector<std::string_view> result;
  each_grapheme(text, [&](std::string_view grapheme, int) {
    result.push_back(grapheme);
    return true;
  });
  return result;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  LongTextLook look;
  while (!text.empty()) {
    look();
    const std::size_t feed = text.find('\n');
    lines.push_back(text.substr(0, feed));
    text.remove_prefix(feed == std::string_view::npos ? text.size() : feed + 1);
  }
  return lines;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(from, begin)) != std::string::npos; begin = at + from.size())
    out.append(text, begin, at - begin).append(to);
  if (begin == 0) return text;
  return out.append(text, begin);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 100;  // nobody mistypes a longer name; the distance is quadratic
  std::string best;
  std::size_t best_distance = 1 + word.size() / 4 + 1;
  if (word.size() > kLongest) return best;
  for (const std::string& candidate : known) {
    if (candidate.size() > word.size() + best_distance || word.size() > candidate.size() + best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate);
    // Something must be left of the word: "x" is not meant by "y".
    if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  Wrapper wrapper(lines, std::max(1, width));
  if (text.empty()) lines.emplace_back();
  for (std::string_view paragraph : split_lines(text)) wrapper.add(paragraph);
  return lines;
}

}  // namespace attn
