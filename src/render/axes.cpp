#include "render/axes.h"

#include <algorithm>

#include "base/text.h"

namespace attn {
namespace {

constexpr int kLeastAxesColumn = 24;
constexpr int kAxesIndent = 2;
constexpr std::string_view kJoiner = "\u00a0";  // a blank at which wrap() does not break; no axis has it in its name

/// Blanks between brackets that do not follow a comma hold their words together.
std::string joined_names(std::string_view text) {
  std::string out;
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ' ' && depth > 0 && !out.ends_with(',')) {
      out += kJoiner;
    } else {
      out += c;
    }
  }
  return out;
}

Line parted(const std::string& part) { return Line(replaced(part, kJoiner, " ")); }

}  // namespace

std::string axes_names(const RecordedValue& value) {
  std::vector<std::string> names;
  bool any = false;
  for (const AxisRecord& axis : value.axes) {
    names.push_back(axis.name.empty() ? "-" : axis.name);
    any = any || !axis.name.empty();
  }
  return any ? join(names, ", ") : std::string();
}

std::vector<Line> wrap_axes(const std::string& axes, int width) {
  std::vector<Line> lines;
  // Inner lines stand one cell in, under the first name behind the bracket.
  for (const std::string& part : wrap(joined_names(visible(axes)), std::max(1, width - 1)))
    lines.push_back(Line(lines.empty() ? "" : " ").add(parted(part)));
  return lines;
}

void put_sentence(Page& page, std::string_view text, int hang) {
  hang = page.width() > 4 * hang ? hang : 0;
  bool is_first = true;
  for (const Line& part : wrap(Line(joined_names(text)), page.next_width(), page.width() - hang)) {
    page.put((is_first ? Line() : blanks(hang)).add(parted(part.text())));
    is_first = false;
  }
}

void put_axes(Page& page, const Line& before, const std::string& axes, const Line& after) {
  const Line whole(axes);
  const int room = page.width() - before.width();
  const int tail = after.empty() ? 0 : after.width() + 3;
  if (whole.width() + tail <= room) {
    Line line = before;
    line.add(whole);
    if (!after.empty()) line.add("   ").add(after);
    page.put(line);
    return;
  }
  const bool beside = whole.width() <= room || room >= kLeastAxesColumn;
  const int column = beside ? before.width() : std::min(kAxesIndent, page.width() - 1);
  if (!beside) page.put(before);
  bool is_first = beside;
  const std::vector<Line> parts =
      whole.width() <= page.width() - column ? std::vector<Line>{whole} : wrap_axes(axes, page.width() - column);
  for (const Line& part : parts) {
    Line line = is_first ? before : blanks(column);
    page.put(line.add(part));
    is_first = false;
  }
  if (!after.empty()) page.put(blanks(column).add(after), column);
}

}  // namespace attn
