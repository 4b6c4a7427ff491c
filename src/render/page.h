#pragma once
// The sheet that views write on: knows the width, the indentation, and keeps the blank lines even. No line that leaves
// it is wider than the page.
#include <string>
#include <vector>

#include "base/long_text.h"
#include "render/line.h"

namespace attn {

inline constexpr int kColumnGap = 2;

class Page {
 public:
  explicit Page(const RenderOptions& options);

  const RenderOptions& options() const { return options_; }
  const Glyphs& glyphs() const { return attn::glyphs(options_); }
  /// Cells from the indentation to the right edge.
  int width() const;
  /// The same for the next line, which may follow a label.
  int next_width() const { return options_.width - prefix_width(true); }

  /// A line; too long, it goes on `hang` cells further to the right.
  void put(const Line& line, int hang = 0);
  void put(std::string_view text, Style style = Style::Plain) { put(Line(text, style)); }
  /// Parts of one line, three blanks between them; a line is broken between parts where it can be.
  void put_parts(const std::vector<Line>& parts);
  /// At least that many blank lines before the next one; none at the top and at the bottom.
  void gap(int lines = 1);

  /// Indents all until it is destroyed: `first` goes in front of the next line, `rest` in front of the others. Where
  /// too little room would be left, `first` takes a line of its own and nothing is indented.
  class Indent {
   public:
    explicit Indent(Page& page) : page_(page) {}
    ~Indent() { page_.prefixes_.pop_back(); }
    Indent(const Indent&) = delete;
    Indent& operator=(const Indent&) = delete;

   private:
    Page& page_;
  };
  [[nodiscard]] Indent indent(const Line& first, const Line& rest);
  [[nodiscard]] Indent indent(int cells) { return indent(blanks(cells), blanks(cells)); }

  /// All lines, ending in one line feed; empty without any.
  const std::string& text() const { return text_; }

 private:
  struct Prefix {
    Line first, rest;
    bool used = false;
  };

  void write(const Line& line);
  Line take_prefix();
  int prefix_width(bool is_first) const;

  RenderOptions options_;
  std::vector<Prefix> prefixes_;
  std::string text_;
  int gap_ = 0;
  LongTextLook look_;
};

}  // namespace attn
