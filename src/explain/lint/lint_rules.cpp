#include "explain/lint/lint_rules.h"

#include <fmt/format.h>

#include <cmath>

#include "base/number.h"
#include "base/text.h"
#include "explain/wording.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"
#include "torch/op.h"

namespace attn {

bool has_few_numbers(const RecordedValue& value) {
  constexpr std::int64_t kMostNumbers = std::int64_t{1} << 20;  // of a tensor that is looked at number by number
  return value.is_tensor && value.has_numbers() && value.tensor.numel() <= kMostNumbers;
}

bool is_cut(const Trace& trace) {
  return trace.outcome == RunOutcome::Interrupted ||
         (!trace.options.is_whole && std::max(trace.steps.size(), trace.ops.size()) >= kFollowed);
}

std::string short_number(double value) { return format_general(value, 5); }

bool is_near(double a, double b) { return std::fabs(a - b) <= 1e-3 * std::fabs(b); }

Finding found(const Flow& flow, std::string_view rule, const Op& op, const Words& message, const Words& right,
              const std::string& form) {
  const std::string id = "lint." + std::string(rule);
  return {rule, flow.id_of(op), say(id + form, message), say(id + form + ".right", right)};
}

Finding remarked(const Flow& flow, std::string_view rule, const Op& op, const Words& message, const Words& right,
                 const std::string& form) {
  Finding finding = found(flow, rule, op, message, right, form);
  finding.is_remark = true;
  return finding;
}

std::string axis_at_place(const RecordedValue& value, std::size_t axis) {
  const bool named = axis < value.axes.size() && !value.axes[axis].name.empty();
  if (!named) return axis_with_size(value, axis);
  return say("axis.place", {{"axis", std::to_string(axis)}, {"size", axis_with_size(value, axis)}});
}

std::vector<NumberRow> rows_along(const RecordedValue& value, std::size_t axis) {
  const std::vector<double> numbers = to_doubles(value.tensor);
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < value.shape.size(); ++i) inner *= static_cast<std::size_t>(value.shape[i]);
  const auto length = static_cast<std::size_t>(value.shape[axis]);
  std::vector<NumberRow> rows;
  for (std::size_t block = 0; length > 0 && block + inner * length <= numbers.size(); block += inner * length) {
    for (std::size_t i = 0; i < inner; ++i) {
      NumberRow& row = rows.emplace_back(NumberRow{{}, static_cast<std::int64_t>(block + i)});
      for (std::size_t k = 0; k < length; ++k) row.numbers.push_back(numbers[block + k * inner + i]);
    }
  }
  return rows;
}

std::string row_text(const RecordedValue& value, std::size_t axis, std::int64_t first) {
  const Shape index = unravel(first, value.shape);
  std::string out;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (i == axis) continue;
    const bool named = i < value.axes.size() && !value.axes[i].name.empty();
    out +=
        fmt::format("{}{}{}{}", out.empty() ? "" : ", ", named ? value.axes[i].name : "", named ? " " : "", index[i]);
  }
  return out;
}

std::string_view code_of(const Flow& flow, const Op& op) { return flow.trace().sources[op.span.source].slice(op.span); }

namespace {

/// Where the last bracket of a call opens: of "a.b(c).sum(axis=-1)" that of "sum(".
std::size_t opening(std::string_view code) {
  if (!code.ends_with(')')) return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = code.size(); i-- > 0;) {
    if (code[i] == ')' || code[i] == ']' || code[i] == '}') ++depth;
    if ((code[i] == '(' || code[i] == '[' || code[i] == '{') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

Span inside_of(const Flow& flow, const Op& op) {
  const std::size_t open = opening(code_of(flow, op));
  if (open == std::string_view::npos) return {};
  Span span = op.span;
  span.begin += static_cast<std::uint32_t>(open + 1);
  span.end -= 1;
  return span;
}

}  // namespace

std::vector<Span> arguments_of(const Flow& flow, const Op& op) {
  const Span inside = inside_of(flow, op);
  if (inside.end <= inside.begin) return {};
  return pieces_of(flow.trace().sources[inside.source], inside);
}

std::optional<LineEdit> with_argument(const Flow& flow, const Op& op, std::initializer_list<std::string_view> names,
                                      const std::string& value, int place) {
  const Span inside = inside_of(flow, op);
  if (inside.end < inside.begin || op.span.end == 0 || opening(code_of(flow, op)) == std::string_view::npos)
    return std::nullopt;
  const Source& source = flow.trace().sources[op.span.source];
  const std::vector<Span> pieces = arguments_of(flow, op);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string_view code = source.slice(pieces[i]);
    for (const std::string_view name : names)
      if (code.starts_with(name) && trim(code.substr(name.size())).starts_with("=") &&
          !trim(code.substr(name.size())).starts_with("=="))
        return LineEdit{pieces[i], fmt::format("{}={}", name, value)};
    if (static_cast<int>(i) == place && code.find('=') == std::string_view::npos) return LineEdit{pieces[i], value};
  }
  const Span end = {inside.source, inside.end, inside.end};
  return LineEdit{end, fmt::format("{}{}={}", pieces.empty() ? "" : ", ", *names.begin(), value)};
}

bool is_move(const Op& op) {
  const OpInfo* info = find_op(op.spelling);
  return info && info->element == ElementRule::IndexMap;
}

ValueId unmoved(const Flow& flow, ValueId id) {
  constexpr int kMostMoves = 100;  // a model has a few; a rule that asks at each of thousands may not walk past all
  for (int moves = 0; moves < kMostMoves; ++moves) {
    const Op* const op = flow.maker(id);
    if (!op || !is_move(*op) || op->inputs.empty() || op->inputs[0].value == id) break;
    id = op->inputs[0].value;
  }
  return id;
}

bool tells_apart(const RecordedValue& mask) {
  if (!has_few_numbers(mask)) return false;
  const Doubles numbers(mask.tensor);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] != numbers[0]) return true;
  return false;
}

bool is_of_0_and_1(const RecordedValue& mask) {
  if (!tells_apart(mask)) return false;
  const Doubles numbers(mask.tensor);
  std::size_t i = 0;
  while (i < numbers.size() && (numbers[i] == 0 || numbers[i] == 1)) ++i;
  return i == numbers.size();
}

ValueId mask_of(const Flow& flow, const Op& op) {
  const std::string_view name = plain_name(op);
  if (name == "masked_fill") return input_named(op, "mask");
  if (name == "where") return input_named(op, "condition");
  if (name != "add" && name != "mul") return -1;
  const ValueId input = input_named(op, "input"), other = input_named(op, "other");
  if (input < 0 || other < 0 || op.outputs.empty()) return -1;
  const Shape& shape = flow.value(op.outputs[0]).shape;
  if (flow.value(other).shape != shape) return other;
  return flow.value(input).shape == shape && is_of_0_and_1(flow.value(other)) ? other : input;
}

std::optional<std::int64_t> start_of_cut(std::string_view items) {
  std::optional<std::int64_t> out;
  for (std::size_t at = items.find("slice("); at != std::string_view::npos; at = items.find("slice(", at + 1)) {
    const std::string_view slice = items.substr(at, items.find(')', at) - at);
    if (slice.starts_with("slice(None, None")) continue;
    const std::vector<std::int64_t> bounds = ints_in(slice);
    out = slice.starts_with("slice(None") || bounds.empty() ? 0 : bounds[0];
  }
  return out;
}

Made made_by_layer(const Flow& flow, ValueId id) {
  const Op* op = flow.maker(unmoved(flow, id));
  if (!op || plain_name(*op) != "linear" || op->inputs.size() < 2 || !flow.value(op->inputs[1].value).is_parameter)
    return {};
  return {op, op->inputs[0].value, op->inputs[1].value};
}

bool is_computed_from(const Flow& flow, ValueId id, ValueId other, int depth) {
  if (id == other) return true;
  const Op* op = flow.maker(id);
  if (!op || depth == 0) return false;
  return std::any_of(op->inputs.begin(), op->inputs.end(), [&](const OpOperand& input) {
    return !flow.value(input.value).is_parameter && input.value != id &&
           is_computed_from(flow, input.value, other, depth - 1);
  });
}

const Step* calling_step(const Trace& trace, const Op& op) {
  const Step* step = op.step < 0 ? nullptr : &trace.step(op.step);
  const int activation = step ? step->activation : 0;
  while (step && step->activation == activation) step = step->parent < 0 ? nullptr : &trace.step(step->parent);
  return step;
}

}  // namespace attn
