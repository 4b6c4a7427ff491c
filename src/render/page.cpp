#include "render/page.h"

#include <algorithm>

namespace attn {
namespace {

constexpr int kLeastWidth = 8;
constexpr int kLeastRoom = 10;  // of a line that is indented
constexpr int kPartGap = 3;

}  // namespace

Page::Page(const RenderOptions& options) : options_(options) { options_.width = std::max(options.width, kLeastWidth); }

int Page::prefix_width(bool is_first) const {
  int width = 0;
  for (const Prefix& prefix : prefixes_) width += (is_first && !prefix.used ? prefix.first : prefix.rest).width();
  return width;
}

int Page::width() const { return options_.width - prefix_width(false); }

Page::Indent Page::indent(const Line& first, const Line& rest) {
  const bool blank = first.text().find_first_not_of(' ') == std::string::npos;
  const bool fits = width() - std::max(first.width(), rest.width()) >= std::min(kLeastRoom, options_.width - 2);
  if (!fits && !blank) put(first);
  prefixes_.push_back(fits ? Prefix{first, rest} : Prefix{});
  return Indent(*this);
}

Line Page::take_prefix() {
  Line line;
  for (Prefix& prefix : prefixes_) {
    line.add(prefix.used ? prefix.rest : prefix.first);
    prefix.used = true;
  }
  return line;
}

void Page::gap(int lines) {
  if (!text_.empty()) gap_ = std::max(gap_, lines);
}

void Page::write(const Line& line) {
  look_();
  Line bars;
  for (const Prefix& prefix : prefixes_)
    if (prefix.used) bars.add(prefix.rest);
  for (; gap_ > 0; --gap_) text_ += bars.painted(options_.color) + "\n";
  text_ += take_prefix().add(line).painted(options_.color) + "\n";
}

void Page::put(const Line& line, int hang) {
  if (line.fits(next_width())) return write(line);
  hang = width() - hang >= kLeastRoom ? hang : 0;
  bool is_first = true;
  for (const Line& part : wrap(line, std::max(1, next_width()), std::max(1, width() - hang))) {
    write(is_first ? part : blanks(hang).add(part));
    is_first = false;
  }
}

void Page::put_parts(const std::vector<Line>& parts) {
  Line line;
  for (const Line& part : parts) {
    if (!line.empty() && line.width() + kPartGap + part.width() > width()) {
      put(line);
      line = Line();
    }
    if (!line.empty()) line.add_blanks(kPartGap);
    line.add(part);
  }
  if (!line.empty()) put(line, kPartGap);
}

}  // namespace attn
