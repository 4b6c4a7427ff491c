#include "render/ledger.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "render/axes.h"
#include "render/page.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kColumns = 6;
constexpr std::size_t kAxesColumn = 2;
constexpr bool kRight[kColumns] = {true, false, false, false, true, true};

using LedgerRow = std::vector<std::string>;  // step, name, axes, shape, multiply-adds, bytes

struct Ledger {
  std::vector<LedgerRow> rows;
  Cost total;
};

Ledger ledger_of(const Trace& trace) {
  Ledger ledger;
  for (const auto& [number, step, name, value, cost] : ledger_entries(trace)) {
    if (cost) ledger.total.multiply_adds += cost->multiply_adds;
    if (cost) ledger.total.bytes += cost->bytes;
    ledger.rows.push_back({cost ? std::to_string(number) : "", visible(name), value ? axes_names(*value) : "",
                           value ? shape_text(value->shape) : "", cost ? std::to_string(cost->multiply_adds) : "",
                           cost ? std::to_string(cost->bytes) : ""});
  }
  return ledger;
}

LedgerRow head() {
  return {say("ledger.step"),  say("ledger.name"), say("ledger.axes"),
          say("ledger.shape"), say("ledger.cost"), say("ledger.bytes")};
}

/// The axes give way when the line would be too long; empty when that is not enough.
std::vector<int> ledger_widths(const std::vector<LedgerRow>& rows, int room) {
  std::vector<int> widths(kColumns, 0);
  for (const LedgerRow& row : rows)
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  int total = kColumnGap * static_cast<int>(kColumns - 1);
  for (const int width : widths) total += width;
  if (total <= room) return widths;
  widths[kAxesColumn] -= total - room;
  if (widths[kAxesColumn] < kLeastAxes) return {};
  return widths;
}

void put_ledger_row(Page& page, const LedgerRow& row, const std::vector<int>& widths, Style style) {
  const std::vector<Line> axes = wrap(Line(row[kAxesColumn], style), widths[kAxesColumn]);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Line line;
    for (std::size_t i = 0; i < kColumns; ++i) {
      Line cell = i == kAxesColumn ? axes[k] : Line(k == 0 ? row[i] : "", i == 1 ? Style::Name : style);
      if (i > 0) line.add_blanks(kColumnGap);
      line.add(kRight[i] ? cell.pad_left(widths[i]) : cell.pad_right(widths[i]));
    }
    page.put(line);
  }
}

void put_columns(Page& page, const Ledger& ledger, const std::vector<int>& widths, const LedgerRow& total) {
  put_ledger_row(page, head(), widths, Style::Strong);
  int whole = kColumnGap * static_cast<int>(kColumns - 1);
  for (const int width : widths) whole += width;
  Line rule;
  for (int i = 0; i < whole; ++i) rule.add(page.glyphs().rule, Style::Dim);
  page.put(rule);
  for (const LedgerRow& row : ledger.rows) put_ledger_row(page, row, widths, Style::Plain);
  page.put(rule);
  put_ledger_row(page, total, widths, Style::Plain);
}

/// Too narrow for columns: two lines for each tensor.
void put_stacked_ledger(Page& page, const Ledger& ledger, const LedgerRow& total) {
  const auto put = [&](const LedgerRow& row) {
    const Page::Indent indent = page.indent(Line(row[0], Style::Dim).pad_left(4).add("  "), blanks(6));
    page.put(Line(row[1], Style::Name).add(row[1].empty() ? "" : " ").add(row[3]));
    if (!row[2].empty()) page.put(row[2]);
    if (!row[4].empty()) page.put(say("ledger.narrow", {{"cost", row[4]}, {"bytes", row[5]}}), Style::Dim);
  };
  for (const LedgerRow& row : ledger.rows) put(row);
  page.gap();
  put(total);
}

}  // namespace

std::vector<LedgerEntry> ledger_entries(const Trace& trace) {
  std::vector<LedgerEntry> entries;
  int number = 0;
  for (const StepId id : visible_steps(trace)) {
    ++number;
    const Step& step = trace.step(id);
    std::optional<Cost> cost = cost_of(trace, step);
    const auto add = [&](const std::string& name, const RecordedValue* value) {
      entries.push_back({number, &step, name, value, std::exchange(cost, std::nullopt)});
    };
    for (const Binding& binding : step.bindings)
      if (binding.value >= 0 && trace.value(binding.value).is_tensor) add(binding.target, &trace.value(binding.value));
    if (cost && step.value >= 0 && trace.value(step.value).is_tensor) add("", &trace.value(step.value));
    if (cost && (cost->multiply_adds > 0 || cost->bytes > 0)) add("", nullptr);
  }
  return entries;
}

std::string render_ledger(const Trace& trace, const RenderOptions& options) {
  Page page(options);
  const Ledger ledger = ledger_of(trace);
  const LedgerRow total{
      "", say("ledger.total"), "", "", std::to_string(ledger.total.multiply_adds), std::to_string(ledger.total.bytes)};
  std::vector<LedgerRow> all = ledger.rows;
  all.push_back(head());
  all.push_back(total);
  const std::vector<int> widths = ledger_widths(all, page.width());
  if (widths.empty()) put_stacked_ledger(page, ledger, total);
  else put_columns(page, ledger, widths, total);
  return page.text();
}

}  // namespace attn
