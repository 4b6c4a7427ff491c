#include "render/table.h"

#include <fmt/format.h>

#include "base/text.h"
#include "explain/wording.h"
#include "render/axes.h"
#include "render/grid.h"
#include "render/summary.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kMostTextLines = 8;  // of the text of a value that is no tensor

Line title_start(const std::string& name) {
  return name.empty() ? Line(say("label.gives"), Style::Dim) : Line(name, Style::Name);
}

/// Name and axes, and at the right edge which slice is shown; on a line of its own where that is too wide.
void put_title(Page& page, const std::string& name, const RecordedValue& value, const std::string& slice) {
  Line title = title_start(name);
  title.add(" ");
  const Line axes(axes_text(value));
  if (title.width() + axes.width() > page.width()) {
    put_axes(page, title, value, Line());
  } else {
    title.add(axes);
    if (!slice.empty() && title.width() + 3 + display_width(slice) <= page.width()) {
      page.put(title.pad_right(page.width() - display_width(slice)).add(slice, Style::Dim));
      return;
    }
    page.put(title);
  }
  if (!slice.empty()) page.put(slice, Style::Dim);
}

/// "head_dim = 4". A long text ends after some lines, and says how many are left.
void put_text_value(Page& page, const std::string& name, const std::string& text) {
  Line line = title_start(name);
  line.add(name.empty() ? " " : " = ").add(text);
  const std::vector<Line> lines = wrap(line, page.width(), std::max(1, page.width() - 2));
  const std::size_t shown = lines.size() > kMostTextLines ? kMostTextLines - 1 : lines.size();
  for (std::size_t i = 0; i < shown; ++i) page.put(i == 0 ? lines[i] : blanks(2).add(lines[i]));
  if (shown < lines.size()) {
    const auto rest = static_cast<std::int64_t>(lines.size() - shown);
    page.put(say_count("more.lines", rest, {{"gap", std::string(page.glyphs().gap)}}), Style::Dim);
  }
}

}  // namespace

std::string slice_text(const Grid& grid, const std::string& why) {
  std::vector<std::string> parts;
  for (std::size_t axis = 0; axis < grid.slice().size(); ++axis) {
    if (grid.value().shape[axis] == 1) continue;  // there is no other
    const std::string name = axis_name(grid.value(), axis), index = std::to_string(grid.slice()[axis]);
    const bool named = !grid.value().axes[axis].name.empty();
    parts.push_back(named ? fmt::format("{} {}", name, index)
                          : say("slice.unnamed", {{"axis", name}, {"index", index}}));
  }
  if (parts.empty()) return {};
  const std::string slice = say("slice", {{"where", join(parts, ", ")}});
  return why.empty() ? slice : say("slice.why", {{"slice", slice}, {"why", why}});
}

void put_value_title(Page& page, const std::string& name, const RecordedValue& value) {
  if (!value.is_tensor) return put_text_value(page, name, value.text);
  put_title(page, name, value, "");
}

void put_value(Page& page, const std::string& name, const RecordedValue& value, const ShownSlice& slice) {
  if (!value.is_tensor) return put_text_value(page, name, value.text);
  const bool shown = value.has_numbers();
  if (shown && value.shape.empty()) return put_text_value(page, name, number_text(value));
  const Grid grid(value, slice.index);
  if (!shown || value.tensor.numel() == 0) {
    put_title(page, name, value, "");
    page.put(say(shown ? "summary.empty" : "summary.not_kept"), Style::Dim);
    return;
  }
  put_title(page, name, value, slice_text(grid, slice.why));
  put_grid(page, grid);
  put_summary(page, grid);
}

}  // namespace attn
