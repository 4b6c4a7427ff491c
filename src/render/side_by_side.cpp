// Runs beside one another: a row for each tensor, a column of shapes for each run. Where the page is too narrow, the
// axes give way, then the runs go into blocks of as many columns as fit.
#include <algorithm>
#include <functional>
#include <numeric>

#include "base/text.h"
#include "explain/failure.h"
#include "explain/paired_values.h"
#include "explain/run_difference.h"
#include "render/axes.h"
#include "render/page.h"
#include "render/run_difference.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kWidestAxes = 44;
constexpr int kLeastName = 6;
constexpr int kMostExpression = 20;  // of the code of a value without a name
constexpr int kWidestValue = 8;      // of the text of a value that is no tensor

struct ComparedRow {
  std::string step, name, axes;
  std::vector<std::string> cells;  // one per run; empty: the run has none
};

struct Widths {
  int step = 0, name = 0, axes = 0;  // axes 0: no such column
  std::vector<int> cells;
};

bool is_number(const RecordedValue& value) {
  return value.type == "int" || value.type == "float" || value.type == "bool" || value.type == "str";
}

bool all_equal(const std::vector<std::string>& texts) {
  return std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end();
}

bool is_bound(const Trace& trace, const NamedValue& place) { return trace.step(place.step).value != place.value; }

std::string name_text(const Trace& trace, const NamedValue& place, const RenderOptions& options) {
  return is_bound(trace, place) ? visible(place.name) : shortened(place.name, kMostExpression, options);
}

/// Every tensor that is bound; of numbers and of what has no name, that which is not the same in all runs.
std::vector<ComparedRow> rows_of(const std::vector<LabelledRun>& runs, const RenderOptions& options) {
  std::vector<std::vector<NamedValue>> values;
  for (const LabelledRun& run : runs) values.push_back(named_values(*run.trace));
  std::vector<ComparedRow> rows;
  for (const std::vector<int>& places : pair_values(values)) {
    ComparedRow row;
    bool is_tensor = false, is_shown = true;
    for (std::size_t run = 0; run < runs.size(); ++run) {
      row.cells.emplace_back();
      if (places[run] < 0) continue;
      const NamedValue& place = values[run][static_cast<std::size_t>(places[run])];
      const RecordedValue& value = runs[run].trace->value(place.value);
      if (row.step.empty())
        row.step = std::to_string(place.number), row.name = name_text(*runs[run].trace, place, options);
      if (row.axes.empty() && value.is_tensor) row.axes = axes_names(value);
      is_tensor = is_tensor || (value.is_tensor && is_bound(*runs[run].trace, place));
      is_shown = is_shown && (value.is_tensor || is_number(value));
      row.cells.back() = value.is_tensor ? shape_text(value.shape) : shortened(value.text, kWidestValue, options);
    }
    if (is_shown && (is_tensor || !all_equal(row.cells))) rows.push_back(std::move(row));
  }
  return rows;
}

ComparedRow cost_row(const std::vector<LabelledRun>& runs) {
  ComparedRow row{"", say("ledger.cost"), "", {}};
  for (const LabelledRun& run : runs) {
    std::int64_t total = 0;
    for (const StepId id : visible_steps(*run.trace)) total += cost_of(*run.trace, run.trace->step(id)).multiply_adds;
    row.cells.push_back(std::to_string(total));
  }
  return row;
}

class ComparedColumns {
 public:
  ComparedColumns(Page& page, const std::vector<LabelledRun>& runs)
      : page_(page), rows_(rows_of(runs, page.options())), cost_(cost_row(runs)) {
    head_ = {say("ledger.step"), say("ledger.name"), say("ledger.axes"), {}};
    for (const LabelledRun& run : runs) head_.cells.push_back(run.label);
    measure();
  }

  void put() {
    for (std::size_t first = 0; first < widths_.cells.size();) {
      const std::size_t end = fitting(first);
      page_.gap();
      put_block(first, end);
      first = end;
    }
  }

 private:
  void measure() {
    widths_.cells.assign(head_.cells.size(), display_width(say("runs.same")));
    const auto add = [&](const ComparedRow& row) {
      widths_.step = std::max(widths_.step, display_width(row.step));
      widths_.name = std::max(widths_.name, display_width(row.name));
      widths_.axes = std::max(widths_.axes, std::min(kWidestAxes, display_width(row.axes)));
      for (std::size_t i = 0; i < row.cells.size(); ++i)
        widths_.cells[i] = std::max(widths_.cells[i], display_width(row.cells[i]));
    };
    for (const ComparedRow& row : rows_) add(row);
    add(head_);
    add(cost_);
    fit();
  }

  /// The axes have what is left when all runs stand side by side; the names give way to a single run.
  void fit() {
    const int names = widths_.step + kColumnGap + widths_.name;
    const int all = std::accumulate(widths_.cells.begin(), widths_.cells.end(), kColumnGap * static_cast<int>(runs()));
    const int axes = std::min(widths_.axes, page_.width() - names - all - kColumnGap);
    widths_.axes = axes < std::min(kLeastAxes, widths_.axes) ? 0 : axes;
    const int widest = *std::max_element(widths_.cells.begin(), widths_.cells.end()) + kColumnGap;
    const int room = page_.width() - widths_.step - kColumnGap - widest;
    widths_.name = std::min(widths_.name, std::max(kLeastName, room));
  }

  std::size_t runs() const { return widths_.cells.size(); }
  int lead() const { return widths_.step + kColumnGap + widths_.name + (widths_.axes ? kColumnGap + widths_.axes : 0); }

  /// One behind the last column that fits beside `first`.
  std::size_t fitting(std::size_t first) const {
    int width = lead();
    std::size_t end = first;
    while (end < widths_.cells.size() && (end == first || width + kColumnGap + widths_.cells[end] <= page_.width()))
      width += kColumnGap + widths_.cells[end++];
    return end;
  }

  void put_block(std::size_t first, std::size_t end) {
    put_row(head_, first, end, Style::Strong, false);
    int whole = lead();
    for (std::size_t i = first; i < end; ++i) whole += kColumnGap + widths_.cells[i];
    Line rule;
    for (int i = 0; i < std::min(whole, page_.width()); ++i) rule.add(page_.glyphs().rule, Style::Dim);
    page_.put(rule);
    for (const ComparedRow& row : rows_) put_row(row, first, end, Style::Plain, true);
    page_.put(rule);
    put_row(cost_, first, end, Style::Plain, false);
  }

  /// A shape that is the one to its left is "same", so that what differs stands out.
  Line cell(const ComparedRow& row, std::size_t run, std::size_t first, bool compare) const {
    const std::string& text = row.cells[run];
    if (text.empty()) return Line(say("runs.none"), Style::Dim);
    const bool same = compare && run > first && text == row.cells[run - 1];
    return same ? Line(say("runs.same"), Style::Dim) : Line(text);
  }

  void put_row(const ComparedRow& row, std::size_t first, std::size_t end, Style style, bool compare) {
    const std::vector<Line> names =
        wrap(Line(row.name, row.step.empty() || !compare ? style : Style::Name), widths_.name);
    const std::vector<Line> axes = widths_.axes ? wrap(Line(row.axes, style), widths_.axes) : std::vector<Line>(1);
    for (std::size_t k = 0; k < std::max(names.size(), axes.size()); ++k) {
      Line line = Line(k == 0 ? row.step : "", style).pad_left(widths_.step);
      line.add_blanks(kColumnGap).add((k < names.size() ? Line(names[k]) : Line()).pad_right(widths_.name));
      if (widths_.axes)
        line.add_blanks(kColumnGap).add((k < axes.size() ? Line(axes[k]) : Line()).pad_right(widths_.axes));
      for (std::size_t run = first; k == 0 && run < end; ++run)
        line.add_blanks(kColumnGap).add(cell(row, run, first, compare).pad_right(widths_.cells[run]));
      page_.put(line);
    }
  }

  Page& page_;
  std::vector<ComparedRow> rows_;
  ComparedRow head_, cost_;
  Widths widths_;
};

}  // namespace

std::string render_side_by_side(const std::vector<LabelledRun>& runs, const RenderOptions& options) {
  Page page(options);
  ComparedColumns(page, runs).put();
  page.gap();
  if (runs.size() == 2)
    for (const std::string& line : first_moved_text(run_difference(*runs[0].trace, *runs[1].trace))) page.put(line);
  for (const LabelledRun& run : runs)
    if (const auto failure = failure_of(*run.trace))
      page.put(Line(failure_text(*failure, "runs.failed", run.label), Style::Alarm), 2);
  return page.text();
}

}  // namespace attn
