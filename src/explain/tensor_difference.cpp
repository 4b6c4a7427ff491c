#include "explain/tensor_difference.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/text.h"
#include "explain/wording.h"
#include "text/say.h"

namespace attn {
namespace {

std::string kind_text(const RecordedValue& value) {
  return value.is_tensor ? axes_text(value) : elide(fmt::format("{} {}", value.type, visible(value.text)), 60);
}

/// What is equal along each axis; nothing for a single number.
void add_equal_slices(const RecordedValue& value, const Difference& difference, std::vector<std::string>& lines) {
  if (value.shape.empty()) return;
  const std::string list = unharmed_list(value, difference);
  lines.push_back(list.empty() ? say("diff.equal.none") : say("diff.equal", {{"list", list}}));
}

/// A `wrong` cell runs in a copy of the scope: what it binds is gone behind it.
std::unordered_set<int> wrong_cells(const Trace& trace) {
  std::unordered_set<int> cells;
  for (const TraceBlock& block : trace.blocks)
    if (const CellRecord* cell = std::get_if<CellRecord>(&block); cell && !cell->options.wrong.empty())
      cells.insert(cell->ordinal);
  return cells;
}

/// What the step binds to the name, else what it writes to it in place or reads from it: a write has no binding.
ValueId value_in(const Trace& trace, const Step& step, std::string_view name) {
  for (auto binding = step.bindings.rbegin(); binding != step.bindings.rend(); ++binding)
    if (binding->target == name && binding->value >= 0) return binding->value;
  for (auto id = step.ops.rbegin(); id != step.ops.rend(); ++id) {
    const Op& op = trace.op(*id);
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (op.inputs[i].written != name) continue;
      return op.in_place && i == 0 && !op.outputs.empty() ? op.outputs.back() : op.inputs[i].value;
    }
  }
  return -1;
}

}  // namespace

ValueId value_named(const Trace& trace, std::string_view name, StepId after) {
  const std::unordered_set<int> forks = wrong_cells(trace);
  for (StepId id = after; id >= 0; --id) {
    const Step& step = trace.step(id);
    const bool is_elsewhere = forks.contains(step.cell) && step.cell != trace.step(after).cell;
    if (step.activation != 0 || is_elsewhere) continue;
    if (const ValueId value = value_in(trace, step, name); value >= 0) return value;
  }
  return -1;
}

std::vector<std::string> tensor_difference_text(std::string_view name_a, const RecordedValue& a,
                                                std::string_view name_b, const RecordedValue& b) {
  Words words{{"a", visible(name_a)}, {"b", visible(name_b)}, {"a_kind", kind_text(a)}, {"b_kind", kind_text(b)}};
  if (!a.is_tensor && !b.is_tensor) return {say(a.text == b.text ? "diff.same.value" : "diff.value", words)};
  if (!a.is_tensor || !b.is_tensor || a.shape != b.shape) return {say("diff.shape", words)};
  if (!a.tensor.defined() || !b.tensor.defined()) return {say("moved.unknown")};
  const Difference difference = compare(a.tensor, b.tensor);
  words.emplace_back("differing", std::to_string(difference.differing));
  words.emplace_back("total", say_count("numbers", difference.total));
  if (difference.differing == 0) {
    const bool bits = compare_bits(a.tensor, b.tensor).differing == 0;
    return {say(bits ? "diff.same" : "diff.close", words)};
  }
  std::vector<std::string> lines{say("diff.numbers", words)};
  const DType dtype = promote(a.dtype, b.dtype);
  const auto [here, there] = numbers_apart(difference.first_a, difference.first_b, dtype);
  lines.push_back(say("diff.first", {{"place", place_text("", a, difference.first)},
                                     {"a", visible(name_a)},
                                     {"b", visible(name_b)},
                                     {"here", here},
                                     {"there", there}}));
  if (dtype != DType::Bool) lines.push_back(say("diff.largest", {{"size", number_text(difference.largest, dtype)}}));
  if (difference.nan_a > 0 || difference.nan_b > 0)
    lines.push_back(say("diff.nan", {{"a", visible(name_a)},
                                     {"b", visible(name_b)},
                                     {"here", std::to_string(difference.nan_a)},
                                     {"there", std::to_string(difference.nan_b)}}));
  add_equal_slices(a, difference, lines);
  return lines;
}

}  // namespace attn
