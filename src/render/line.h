#pragma once
// Text with styles: what every view is put together from. add() makes text from files harmless, so nothing else has to.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "render/style.h"

namespace attn {

class Line {
 public:
  Line() = default;
  explicit Line(std::string_view text, Style style = Style::Plain) { add(text, style); }

  /// Control characters become visible, tabs blanks; a line feed stays and breaks the line when it is wrapped.
  Line& add(std::string_view text, Style style = Style::Plain);
  Line& add(const Line& other);
  Line& add_blanks(int count);
  /// Blanks up to that width; pad_left() puts them in front.
  Line& pad_right(int width);
  Line& pad_left(int width);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  int width() const;
  /// One line of the screen is enough.
  bool fits(int width) const;
  Style first_style() const { return styles_.empty() ? Style::Plain : style_at(0); }

  /// Bytes [begin, end) with their styles.
  Line slice(std::size_t begin, std::size_t end) const;
  /// Without the blanks at the end; with escape sequences when `color`.
  std::string painted(bool color) const;

 private:
  Style style_at(std::size_t at) const { return static_cast<Style>(styles_[at]); }
  void style_rest(Style style) { styles_.resize(text_.size(), static_cast<char>(style)); }

  std::string text_;
  std::string styles_;  // one for each byte; a string, since most are too short to need memory of their own
};

Line blanks(int count);

/// The text within `width` cells, the cut marked by the gap sign of `glyphs`.
std::string shortened(std::string_view text, int width, const RenderOptions& options);

/// Lines of at most `width` cells, broken at blanks; those after the first at most `rest_width`.
std::vector<Line> wrap(const Line& line, int width, int rest_width);
inline std::vector<Line> wrap(const Line& line, int width) { return wrap(line, width, width); }

/// Escape sequences of style_begin's kind back into styles: for text of draw(), which paints by itself.
Line unpainted(std::string_view text);

}  // namespace attn
