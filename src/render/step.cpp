#include "render/step.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/letters.h"
#include "base/text.h"
#include "explain/messages.h"
#include "explain/numbers.h"
#include "explain/training.h"
#include "explain/wording.h"
#include "render/grid.h"
#include "render/op_parts.h"
#include "render/op_rows.h"
#include "render/source.h"
#include "render/summary.h"
#include "render/table.h"
#include "text/say.h"

namespace attn {
namespace {

/// Code without what does not change its value: blanks, the kind of quotes, a comma at the end.
std::string bare(std::string_view code) {
  std::string out;
  for (const char c : code) {
    if (c == ' ' || c == '\n' || c == '\t') continue;
    if ((c == ']' || c == '}') && out.ends_with(',')) out.pop_back();
    out += c == '"' ? '\'' : c;
  }
  return out;
}

/// Whether the bare code says all that a binding could: "seed=0".
bool is_said(const RecordedValue& value, const std::string& target, const std::string& code) {
  if (value.is_tensor) return false;
  return value.type == "function" || value.type == "type" || code == bare(target + "=" + value.text);
}

/// The bindings that are shown. Of a loop none: its rounds name what they are about.
std::vector<const Binding*> shown_bindings(const Trace& trace, const Step& step) {
  std::vector<const Binding*> out;
  if (is_loop(trace, step) || !trained_by(trace, step).empty()) return out;
  const std::string code = bare(statement_text(trace, step));
  for (const Binding& binding : step.bindings) {
    if (binding.value >= 0 && !is_said(trace.value(binding.value), binding.target, code)) out.push_back(&binding);
  }
  return out;
}

/// Whether the step returns what its function bound before: it was shown there, and is again where the call ends.
bool returns_known(const Trace& trace, const Step& step) {
  const std::string_view text = trim(statement_text(trace, step));
  if (!text.starts_with("return ") || step.value < 0) return false;
  const RecordedValue& value = trace.value(step.value);
  if (!value.is_tensor) return value.text.find('\n') != std::string::npos;
  return text.find_first_of(" ([.+-*/@", text.find(' ') + 1) == std::string_view::npos;
}

void put_results(Page& page, const Trace& trace, const Step& step, ShownTables& tables) {
  bool is_behind_table = false;
  for (const ShownValue& shown : shown_values(trace, step)) {
    if (is_behind_table) page.gap();
    const RecordedValue& value = trace.value(shown.value);
    if (shown.in_full) put_value(page, shown.name, value, tables.next(step, shown.name, shown.value));
    else put_value_title(page, shown.name, value);
    is_behind_table = shown.in_full && value.is_tensor && !value.shape.empty();
  }
}

void put_printed(Page& page, const std::string& printed) {
  page.put(say("label.prints"), Style::Dim);
  const Line bar(std::string(page.glyphs().bar) + " ", Style::Dim);
  const Page::Indent indent = page.indent(bar, bar);
  constexpr std::size_t kMostCharacters = 1 << 20;  // at once: wrapping takes many times as much memory
  for (std::string_view line : split_lines(printed)) {
    do {
      const std::size_t size = character_offset(line, kMostCharacters);
      page.put(Line(line.substr(0, size)));
      line.remove_prefix(size);
    } while (!line.empty());
  }
}

/// draw() has signs of its own.
std::string in_ascii(std::string text) {
  for (const auto& [sign, plain] : {std::pair{"…", "~"}, std::pair{"␊", "~"}}) {
    for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos; ++at)
      text.replace(at, std::string_view(sign).size(), plain);
  }
  return text;
}

// ---- for a screen reader ----

constexpr std::int64_t kMostLinearRows = 12, kMostLinearColumns = 16;

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
  for (std::int64_t row = 0; row < std::min(grid.rows(), kMostLinearRows); row += grid.alike(row)) {
    std::vector<std::string> cells;
    for (std::int64_t column = 0; column < std::min(grid.columns(), kMostLinearColumns); ++column)
      cells.push_back(numbers(tensor, grid.element(row, column)));
    std::string text = join(cells, ", ");
    if (grid.columns() > kMostLinearColumns)
      text += ", " + say_count("more", grid.columns() - kMostLinearColumns, {{"gap", std::string(page.glyphs().gap)}});
    const bool single = grid.value().shape.size() < 2;
    page.put(Line(single ? text : fmt::format("{} {}: {}", axis, grid.shared_label(row), text)), 2);
  }
  if (grid.rows() > kMostLinearRows)
    page.put(say_count("more", grid.rows() - kMostLinearRows, {{"gap", std::string(page.glyphs().gap)}}));
}

// Of several that a step binds, the last is shown, and before it what takes a few lines.
bool is_short(const RecordedValue& value) {
  constexpr std::int64_t kFewNumbers = 12;
  return value.has_numbers() && value.tensor.numel() <= kFewNumbers;
}

}  // namespace

std::vector<ShownValue> shown_values(const Trace& trace, const Step& step) {
  std::vector<ShownValue> out;
  for (const Binding* binding : shown_bindings(trace, step))
    out.push_back({binding->target, binding->value, is_short(trace.value(binding->value))});
  if (step.value >= 0) {
    if (!returns_known(trace, step)) out.push_back({"", step.value, true});
    return out;
  }
  if (!out.empty()) {
    out.back().in_full = true;
    return out;
  }
  // What an operation in place left behind, where nothing is bound: "x[0] = 5"; what a picture is of.
  if (const Op* op = op_to_look_at(trace, step)) out.push_back({op->inputs.front().written, op->outputs.back(), true});
  return out;
}

bool is_long_text(std::string_view text) {
  constexpr std::size_t kLongest = 400;
  return text.size() > kLongest || text.find('\n') != std::string_view::npos;
}

void put_diagnostic(Page& page, const Trace& trace, const Diagnostic& diagnostic) {
  if (diagnostic.span.source >= trace.sources.size()) return page.put(diagnostic.message, Style::Alarm);
  const DiagnosticStyle style{page.options().color, page.width()};
  std::string text = draw(explained(diagnostic), trace.sources[diagnostic.span.source], style);
  if (page.options().ascii) text = in_ascii(std::move(text));
  for (std::string_view line : split_lines(text)) page.put(unpainted(line), 4);
}

bool is_plain(const Trace& trace, const Step& step) {
  return (step.value < 0 || returns_known(trace, step)) && step.printed.empty() && step.diagnostic < 0 &&
         step.warnings.empty() && step.losses.size() < 2 && trained_by(trace, step).empty() &&
         shown_ops(trace, step).empty() && shown_bindings(trace, step).empty() && !op_to_look_at(trace, step);
}

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
  for (const TrainedRow& row : trained_rows(trace, step)) {
    const std::string shape = row.value < 0 ? "" : " " + shape_text(trace.value(row.value).shape);
    page.put(Line(row.name + shape + ": " + row.note), 2);
  }
  for (const Binding& binding : step.bindings) {
    if (binding.value < 0 || is_loop(trace, step) || !trained_by(trace, step).empty()) continue;
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

void put_step(Page& page, const Trace& trace, const Step& step, int number, ShownTables& tables) {
  if (page.options().linear) {
    if (number > 0) page.put(say("steps.one", {{"from", std::to_string(number)}}));
    return put_linear_step(page, trace, step, tables);
  }
  const std::string label = number > 0 ? fmt::format("{}  ", number) : "";
  const int gutter = page.width() < 60 ? static_cast<int>(label.size()) : number > 0 ? 5 : 2;
  const Page::Indent indent = page.indent(Line(label, Style::Dim).pad_left(gutter), blanks(gutter));
  put_source(page, trace, step);
  if (is_plain(trace, step)) return;
  page.gap();
  put_ops(page, trace, step);
  page.gap();
  put_results(page, trace, step, tables);
  if (!step.printed.empty()) {
    page.gap();
    put_printed(page, step.printed);
  }
  for (const int warning : step.warnings) {
    page.gap();
    put_diagnostic(page, trace, trace.diagnostics.at(static_cast<std::size_t>(warning)));
  }
  if (step.diagnostic >= 0) {
    page.gap();
    put_diagnostic(page, trace, trace.diagnostics.at(static_cast<std::size_t>(step.diagnostic)));
  }
}

}  // namespace attn
