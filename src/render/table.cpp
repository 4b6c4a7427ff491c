#include "render/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "explain/cut_rows.h"
#include "explain/numbers.h"
#include "explain/wording.h"
#include "render/axes.h"
#include "render/grid.h"
#include "render/summary.h"
#include "tensor/core/read.h"
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
    put_axes(page, title, axes_text(value), Line());
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

// ---- tables that are the same ----

constexpr std::int64_t kMostCompared = 65536;  // digits; of larger tensors the numbers have to be equal

/// Rules out nearly all pairs before a digit is written.
bool are_near(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= 1e-3 * std::max({1.0, std::fabs(a), std::fabs(b)});
}

/// Whether the elements [begin, end) of both are written with the same digits.
bool same_digits(const Tensor& a, const Tensor& b, std::int64_t begin, std::int64_t end) {
  bool are_equal = true;
  for (std::int64_t i = begin; i < end; ++i) {
    look();
    const double x = to_double(element_at(a, i)), y = to_double(element_at(b, i));
    if (!are_near(x, y)) return false;
    are_equal = are_equal && (x == y || std::isnan(x));
  }
  const TableNumbers format(a), other(b);
  if (are_equal && format.mode() == other.mode() && a.dtype() == b.dtype()) return true;
  for (std::int64_t i = begin; end - begin <= kMostCompared && i < end; ++i)
    if (format(a, i) != other(b, i)) return false;
  return end - begin <= kMostCompared;
}

bool same_labels(const Grid& a, const Grid& b) {
  for (std::int64_t row = 0; row < a.rows(); ++row) {
    look();
    if (a.row_label(row) != b.row_label(row)) return false;
  }
  for (std::int64_t column = 0; column < a.columns(); ++column) {
    look();
    if (a.column_label(column) != b.column_label(column)) return false;
  }
  return true;
}

bool same_axes(const RecordedValue& a, const RecordedValue& b) {
  const auto is_double = [](const RecordedValue& value) {
    return value.dtype == DType::Float64;
  };  // the summary says it
  if (a.shape != b.shape || is_double(a) != is_double(b)) return false;
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [](const AxisRecord& x, const AxisRecord& y) { return x.name == y.name; });
}

bool same_words(const RecordedValue& a, const RecordedValue& b) {
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [](const AxisRecord& x, const AxisRecord& y) {
                      return x.words == y.words || (x.words && y.words && x.by == y.by && *x.words == *y.words);
                    });
}

}  // namespace

ShownTables::ShownTables(const Trace& trace, Shape chosen) : trace_(trace), slices_(trace), chosen_(std::move(chosen)) {
  int number = 0;
  for (const StepId id : visible_steps(trace)) numbers_[&trace.step(id)] = ++number;
}

TableView ShownTables::next(const Step& step, const std::string& name, ValueId id) {
  TableView view;
  view.slice = chosen_.empty() ? slices_.of(step, id) : ShownSlice{chosen_, ""};
  view.row = cut_row_text(trace_, id, view.slice.index);
  if (!chosen_.empty()) return view;
  const RecordedValue& value = trace_.value(id);
  const auto number = numbers_.find(&step);
  if (!value.has_numbers() || value.shape.empty() || value.tensor.numel() == 0 || number == numbers_.end()) return view;
  if (value.tensor.numel() > kMostLookedAt) return view;
  const Grid grid(value, view.slice.index);
  const std::int64_t begin = grid.element(0, 0), end = grid.element(grid.rows() - 1, grid.columns() - 1) + 1;
  const double first = to_double(element_at(value.tensor, begin));
  for (const Shown& shown : shown_) {
    if (!are_near(first, shown.first)) continue;
    const RecordedValue& other = trace_.value(shown.value);
    if (shown.step >= number->second || shown.slice != grid.slice() || !same_axes(value, other)) continue;
    if (!same_labels(grid, Grid(other, shown.slice)) || !same_digits(value.tensor, other.tensor, begin, end)) continue;
    view.is_same_whole = same_words(value, other) && same_digits(value.tensor, other.tensor, 0, value.tensor.numel());
    view.step = shown.step;
    view.same = say(shown.name.empty() ? "table.same.unnamed" : "table.same",
                    {{"name", shown.name}, {"step", std::to_string(shown.step)}});
    return view;
  }
  shown_.push_back({name, id, grid.slice(), number->second, first});
  return view;
}

std::string view_text(const Grid& grid, const TableView& view) {
  if (!view.same.empty() && view.is_same_whole) return view.same;
  const std::string& why = view.same.empty() ? view.slice.why : view.same;
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
  put_title(page, name, value, say("summary.untold"));
}

void put_value(Page& page, const std::string& name, const RecordedValue& value, const TableView& view) {
  if (!value.is_tensor) return put_text_value(page, name, value.text);
  const bool shown = value.has_numbers();
  if (shown && value.shape.empty()) return put_text_value(page, name, number_text(value));
  const Grid grid(value, view.slice.index);
  if (!shown || value.tensor.numel() == 0) {
    put_title(page, name, value, "");
    page.put(say(shown ? "summary.empty" : "summary.not_kept"), Style::Dim);
    return;
  }
  put_title(page, name, value, view_text(grid, view));
  if (view.same.empty()) {
    put_grid(page, grid);
    if (!view.row.empty()) page.put(view.row, Style::Dim);
  }
  if (view.same.empty() || !view.is_same_whole) put_summary(page, grid);
}

}  // namespace attn
