#include "render/data/csv.h"

#include "base/number.h"
#include "base/text.h"
#include "render/axes.h"
#include "render/formats.h"
#include "render/ledger.h"
#include "render/source.h"

namespace attn {
namespace {

std::string csv_cell(const std::string& text) {
  std::string cell = replaced(visible(text), "\n", " ");
  const bool is_formula = !cell.empty() && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos;
  if (is_formula && !parse_double(cell)) cell.insert(0, "'");
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  return "\"" + replaced(cell, "\"", "\"\"") + "\"";
}

}  // namespace

std::string csv_row(const std::vector<std::string>& cells) {
  std::vector<std::string> quoted;
  for (const std::string& cell : cells) quoted.push_back(csv_cell(cell));
  return join(quoted, ",") + "\n";
}

std::string render_csv(const Trace& trace, const RenderOptions& options) {
  std::string out = csv_row(
      {"step", "name", "axes", "shape", "dtype", "multiply-adds", "bytes", "code", std::string(kTranscriptMark)});
  for (const LedgerEntry& entry : ledger_entries(trace)) {
    const RecordedValue* const value = entry.value;
    const auto cost = entry.cost;
    out += csv_row({std::to_string(entry.number), entry.name, value ? axes_names(*value) : "",
                    value ? shape_text(value->shape) : "", value ? std::string(name_of(value->dtype)) : "",
                    cost ? std::to_string(cost->multiply_adds) : "", cost ? std::to_string(cost->bytes) : "",
                    naming_line(trace, *entry.step, options), trace.lesson_id});
  }
  return out;
}

}  // namespace attn
