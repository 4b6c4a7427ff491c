#include "render/line.h"

#include <algorithm>

#include "base/text.h"

namespace attn {
namespace {

constexpr std::string_view kTab = "    ";

/// What draw() paints with, as styles of ours.
struct PaintRow {
  std::string_view codes;
  Style style;
};
constexpr PaintRow kPaints[] = {{"1;31", Style::Alarm}, {"1;33", Style::Code}, {"36", Style::Name}};

Style painted_style(std::string_view codes) {
  for (const PaintRow& row : kPaints)
    if (row.codes == codes) return row.style;
  return Style::Plain;
}

/// Where `piece`, which wrap() cut out of `text`, stands from `at` on: only blanks lie before it.
std::size_t find_piece(const std::string& text, std::size_t at, const std::string& piece) {
  while (at < text.size() && text.compare(at, piece.size(), piece) != 0 && (text[at] == ' ' || text[at] == '\n')) ++at;
  return at;
}

void append_wrapped(const Line& line, int width, std::vector<Line>& out) {
  std::size_t at = 0;
  for (const std::string& piece : wrap(std::string_view(line.text()), width)) {
    at = find_piece(line.text(), at, piece);
    const bool found = line.text().compare(at, piece.size(), piece) == 0;
    out.push_back(found ? line.slice(at, at + piece.size()) : Line(piece));
    if (found) at += piece.size();
  }
}

}  // namespace

Line& Line::add(std::string_view text, Style style) {
  const bool is_harmless = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7F'; });
  if (is_harmless) text_ += text;
  else text_ += replaced(visible(text), "\t", kTab);
  style_rest(style);
  return *this;
}

Line& Line::add(const Line& other) {
  text_ += other.text_;
  styles_ += other.styles_;
  return *this;
}

Line& Line::add_blanks(int count) {
  if (count <= 0) return *this;
  text_.append(static_cast<std::size_t>(count), ' ');
  style_rest(Style::Plain);
  return *this;
}

Line& Line::pad_right(int width) { return add_blanks(width - this->width()); }

Line& Line::pad_left(int width) {
  *this = blanks(width - this->width()).add(*this);
  return *this;
}

int Line::width() const { return display_width(text_); }

bool Line::fits(int width) const { return text_.find('\n') == std::string::npos && this->width() <= width; }

Line Line::slice(std::size_t begin, std::size_t end) const {
  Line part;
  part.text_ = text_.substr(begin, end - begin);
  part.styles_ = styles_.substr(begin, end - begin);
  return part;
}

std::string Line::painted(bool color) const {
  const std::size_t size = text_.find_last_not_of(' ') + 1;
  if (!color) return text_.substr(0, size);
  std::string out;
  for (std::size_t at = 0; at < size;) {
    std::size_t end = at;
    while (end < size && styles_[end] == styles_[at]) ++end;
    const std::string_view begin = style_begin(style_at(at));
    out += begin;
    out += std::string_view(text_).substr(at, end - at);
    if (!begin.empty()) out += kStyleEnd;
    at = end;
  }
  return out;
}

Line blanks(int count) { return Line().add_blanks(count); }

std::string shortened(std::string_view text, int width, const RenderOptions& options) {
  return elide(visible(text), width, options.ascii);
}

std::vector<Line> wrap(const Line& line, int width, int rest_width) {
  std::vector<Line> out;
  append_wrapped(line, width, out);
  if (out.size() < 2 || width == rest_width) return out;
  std::size_t rest = find_piece(line.text(), 0, out[0].text()) + out[0].text().size();
  if (rest < line.text().size() && line.text()[rest] == '\n') {
    ++rest;
  } else {
    while (rest < line.text().size() && line.text()[rest] == ' ') ++rest;
  }
  out.resize(1);
  append_wrapped(line.slice(rest, line.text().size()), rest_width, out);
  return out;
}

Line unpainted(std::string_view text) {
  constexpr std::string_view kStart = "\x1b[";
  Line line;
  Style style = Style::Plain;
  while (!text.empty()) {
    const std::size_t escape = text.find(kStart);
    line.add(text.substr(0, escape), style);
    if (escape == std::string_view::npos) break;
    const std::size_t end = std::min(text.find('m', escape), text.size() - 1);
    style = painted_style(text.substr(escape + kStart.size(), end - escape - kStart.size()));
    text.remove_prefix(end + 1);
  }
  return line;
}

}  // namespace attn
