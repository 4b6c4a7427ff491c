#include "stepper/linear.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/numbers.h"
#include "explain/wording.h"
#include "render/grid.h"
#include "render/op_parts.h"
#include "render/source.h"
#include "render/step.h"
#include "render/summary.h"
#include "render/table.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::int64_t kMostRows = 12, kMostColumns = 16;

/// "matmul of Q [..] and K [..] gives [..]"
std::string op_sentence(const Trace& trace, const Op& op) {
  std::vector<std::string> inputs, outputs;
  for (const OpOperand& input : op.inputs) {
    if (input.value < 0) continue;
    const std::string axes = axes_text(trace.value(input.value));
    inputs.push_back(input.written.empty() ? axes : input.written + " " + axes);
  }
  for (const ValueId id : op.outputs) outputs.push_back(axes_text(trace.value(id)));
  if (outputs.size() > 3) outputs.resize(3);
  const std::string result = outputs.empty() ? say("list.none") : join(outputs, ", ");
  if (inputs.empty()) return say("linear.source", {{"op", op.name}, {"result", result}});
  return say("linear.op", {{"op", op.name}, {"operands", join(inputs, ", ")}, {"result", result}});
}

/// "as Q at step 30: view, permute, gives [..]"
std::string part_sentence(const Trace& trace, const Step& step, const OpPart& part) {
  const std::string text = op_part_text(trace, step, part);
  if (part.kind == OpPart::Kind::Op) return op_sentence(trace, *part.op) + (text.empty() ? "" : ", " + text);
  if (part.kind == OpPart::Kind::Rounds || part.op->outputs.empty()) return text;
  return say("linear.again", {{"again", text}, {"result", axes_text(trace.value(part.op->outputs.back()))}});
}

void put_rows(Page& page, const Grid& grid) {
  const Tensor& tensor = grid.value().tensor;
  const TableNumbers numbers(tensor);
  const std::string axis = grid.row_name().empty() ? say("linear.row") : grid.row_name();
  for (std::int64_t row = 0; row < std::min(grid.rows(), kMostRows); row += grid.alike(row)) {
    std::vector<std::string> cells;
    for (std::int64_t column = 0; column < std::min(grid.columns(), kMostColumns); ++column)
      cells.push_back(numbers(tensor, grid.element(row, column)));
    std::string text = join(cells, ", ");
    if (grid.columns() > kMostColumns)
      text += ", " + say_count("more", grid.columns() - kMostColumns, {{"gap", std::string(page.glyphs().gap)}});
    const bool single = grid.value().shape.size() < 2;
    page.put(Line(single ? text : fmt::format("{} {}: {}", axis, grid.shared_label(row), text)), 2);
  }
  if (grid.rows() > kMostRows)
    page.put(say_count("more", grid.rows() - kMostRows, {{"gap", std::string(page.glyphs().gap)}}));
}

}  // namespace

void put_linear_value(Page& page, const std::string& name, const RecordedValue& value, const TableView& view) {
  const std::string label = say("label.output");
  const std::string shown = name.empty() ? "" : name + (value.is_tensor ? " " : " = ");
  if (!value.is_tensor || value.shape.empty()) {
    const std::string equals = name.empty() ? "" : name + " = ";
    return page.put(Line(label + " " + equals + (value.is_tensor ? number_text(value) : elide(value.text, 400))), 2);
  }
  page.put(Line(label + " " + shown + axes_text(value)), 2);
  if (!value.has_numbers()) return page.put(say("summary.not_kept"));
  if (value.tensor.numel() == 0) return page.put(say("summary.empty"));
  const Grid grid(value, view.slice.index);
  if (const std::string text = view_text(grid, view); !text.empty()) page.put(text);
  if (view.same.empty()) {
    put_rows(page, grid);
    if (!view.row.empty()) page.put(view.row);
  }
  if (view.same.empty() || !view.is_same_whole) put_summary(page, grid);
}

void put_linear_step(Page& page, const Trace& trace, const Step& step, ShownTables& tables) {
  page.put(say("label.code"));
  put_source(page, trace, step);
  for (const OpPart& part : op_parts(trace, step)) page.put(Line(part_sentence(trace, step, part)), 2);
  for (std::size_t i = 0; i < step.bindings.size(); ++i) {
    const Binding& binding = step.bindings[i];
    if (binding.value < 0 || is_loop(trace, step)) continue;
    put_linear_value(page, binding.target, trace.value(binding.value),
                     tables.next(step, binding.target, binding.value));
  }
  if (step.value >= 0) put_linear_value(page, "", trace.value(step.value), tables.next(step, "", step.value));
  if (!step.printed.empty()) {
    page.put(say("label.output"));
    for (const std::string_view line : split_lines(step.printed)) page.put(Line(line));
  }
  if (step.diagnostic >= 0)
    put_diagnostic(page, trace, trace.diagnostics.at(static_cast<std::size_t>(step.diagnostic)));
}

}  // namespace attn
