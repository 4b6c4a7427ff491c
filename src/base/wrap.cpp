#include <utility>

#include "base/text.h"

namespace attn {
namespace {

bool is_space_or_tab(char c) { return c == ' ' || c == '\t'; }

/// Lays one paragraph (no line feed in it) into lines.
class Wrapper {
 public:
  Wrapper(std::vector<std::string>& lines, int width) : lines_(lines), width_(width) {}

  void add(std::string_view paragraph) {
    std::size_t at = 0;
    do {
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
};

}  // namespace

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  Wrapper wrapper(lines, std::max(1, width));
  if (text.empty()) lines.emplace_back();
  for (std::string_view paragraph : split_lines(text)) wrapper.add(paragraph);
  return lines;
}

}  // namespace attn
