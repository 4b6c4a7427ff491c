#include "explain/shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/element.h"
#include "explain/value_history.h"
#include "python/value.h"
#include "text/say.h"
#include "torch/op.h"

namespace attn {
namespace {

constexpr std::size_t kLongestCode = 60;
constexpr int kMostOpsBack = 200;

// "hidden_dim // n_heads", or with `names` off "8 // 2".
std::string arithmetic_text(const Origin& origin, bool names) {
  std::string out;
  for (std::size_t i = 0; i < origin.operand_values.size(); ++i) {
    const Origin* operand = i < origin.operands.size() ? origin.operands[i].get() : nullptr;
    std::string text = std::to_string(origin.operand_values[i]);
    if (names && operand && operand->source != Origin::Source::Arithmetic) text = operand->name;
    if (names && operand && operand->source == Origin::Source::Arithmetic)
      text = fmt::format("({})", arithmetic_text(*operand, true));
    out += i == 0 ? text : fmt::format(" {} {}", origin.name, text);
  }
  return out;
}

class ShapeExplainer {
 public:
  explicit ShapeExplainer(const Trace& trace) : trace_(trace), history_(trace) {}

  AxisBirth birth(ValueId value, std::size_t axis) {
    const RecordedValue& record = history_.value(value);
    AxisBirth out{record.axes[axis].name, record.shape[axis], {}, {}};
    if (follow(record.axes[axis].born.get(), out) || find_variable(out)) return out;
    follow_ops(value, axis, out);
    return out;
  }

  const std::string& name(ValueId value) const { return history_.name(value); }

 private:
  // ---- what the int remembers ----

  bool follow(const Origin* origin, AxisBirth& out) const {
    bool is_known = false;
    while (origin && origin->value == out.size) {
      if (origin->source == Origin::Source::Arithmetic) {
        out.equals.push_back(arithmetic_text(*origin, true));
        const std::string digits = arithmetic_text(*origin, false);
        if (digits != out.equals.back()) out.equals.push_back(digits);
        if (!out.span) out.span = origin->span;
        return true;
      }
      const bool is_assigned = origin->source == Origin::Source::Assigned;
      const std::string text = is_assigned ? origin->name : say("shape.size_of", {{"axis", origin->name}});
      if (out.equals.empty() || out.equals.back() != text) out.equals.push_back(text);
      if (is_assigned) {
        out.span = origin->span;
        is_known = true;
      }
      origin = origin->operands.empty() ? nullptr : origin->operands[0].get();
    }
    return is_known;
  }

  // ---- a variable of the axis's name ----

  // An axis comment gives a name; the variable of that name has the size.
  bool find_variable(AxisBirth& out) const {
    if (out.name.empty()) return false;
    for (const Step& step : trace_.steps) {
      for (const Binding& binding : step.bindings) {
        if (binding.target != out.name || binding.value < 0) continue;
        const RecordedValue& value = history_.value(binding.value);
        if (value.type != "int" || value.text != std::to_string(out.size)) continue;
        out.equals = {out.name};
        out.span = binding.span;
        add_right_side(step, out);
        return true;
      }
    }
    return false;
  }

  void add_right_side(const Step& step, AxisBirth& out) const {
    const std::string code(trace_.sources[step.span.source].slice(step.span));
    const std::size_t equals = code.find('=');
    if (equals == std::string::npos || code.find(',') < equals || code.find('\n') != std::string::npos) return;
    const std::string right(trim(std::string_view(code).substr(equals + 1)));
    if (right != std::to_string(out.size) && right.size() <= kLongestCode) out.equals.push_back(right);
  }

  // ---- the ops ----

  // Back through the ops as long as it is clear which axis of an operand it was.
  void follow_ops(ValueId value, std::size_t axis, AxisBirth& out) const {
    for (int k = 0; k < kMostOpsBack; ++k) {
      const Producer& producer = history_.producer(value);
      if (producer.op < 0) {
        const std::optional<ElementPlace> older = older_value(value);
        if (!older || history_.value(older->value).shape != history_.value(value).shape) break;
        value = older->value;
        continue;
      }
      const Op& op = history_.op(producer.op);
      const auto next = same_axis(op, value, axis);
      if (!next) {
        add_op(op, out);
        return;
      }
      value = next->first;
      axis = next->second;
    }
    out.equals.push_back(say("shape.of", {{"name", history_.name(value)}}));
  }

  std::optional<ElementPlace> older_value(ValueId value) const {
    const RecordedValue& record = history_.value(value);
    if (!record.tensor.defined() || record.tensor.numel() == 0) return std::nullopt;
    return history_.older_record(value, Shape(record.shape.size(), 0));
  }

  using AxisPlace = std::pair<ValueId, std::size_t>;

  // The axis of an operand that the axis is: by its name, by its stride in a view, by its place where shapes are lined
  // up from the right, else by its size, if no other axis there has it.
  std::optional<AxisPlace> same_axis(const Op& op, ValueId value, std::size_t axis) const {
    const RecordedValue& made = history_.value(value);
    const std::int64_t size = made.shape[axis];
    const OpInfo* row = find_op(op.spelling);
    const bool lines_up = row && row->element == ElementRule::Pointwise;
    std::vector<AxisPlace> lined_up, of_that_size;
    for (const OpOperand& input : op.inputs) {
      const RecordedValue& operand = history_.value(input.value);
      for (std::size_t d = 0; d < operand.shape.size(); ++d) {
        if (operand.shape[d] != size) continue;
        const bool has_name = !made.axes[axis].name.empty() && operand.axes[d].name == made.axes[axis].name;
        const bool is_view = operand.storage == made.storage && operand.strides[d] == made.strides[axis];
        if (has_name || is_view) return AxisPlace(input.value, d);
        if (operand.shape.size() - d == made.shape.size() - axis) lined_up.emplace_back(input.value, d);
        of_that_size.emplace_back(input.value, d);
      }
    }
    if (lines_up) return lined_up.empty() ? std::nullopt : std::optional(lined_up.front());
    const bool is_alone = std::count(made.shape.begin(), made.shape.end(), size) == 1 && of_that_size.size() == 1;
    return is_alone ? std::optional(of_that_size.front()) : std::nullopt;
  }

  void add_op(const Op& op, AxisBirth& out) const {
    out.span = op.span;
    const std::string code(trace_.sources[op.span.source].slice(op.span));
    const bool is_short = code.size() <= kLongestCode && code.find('\n') == std::string::npos;
    out.equals.push_back(is_short ? say("shape.of", {{"name", code}}) : say("shape.of", {{"name", op.name + "(...)"}}));
  }

  const Trace& trace_;
  ValueHistory history_;
};

}  // namespace

ShapeExplanation explain_shape(const Trace& trace, ValueId value) {
  const RecordedValue& record = trace.value(value);
  ShapeExplainer explainer(trace);
  ShapeExplanation out{value, explainer.name(value), {}};
  if (!record.is_tensor) throw UserError(say("explain.no_tensor", {{"text", record.text}, {"type", record.type}}));
  for (std::size_t axis = 0; axis < record.shape.size(); ++axis) out.axes.push_back(explainer.birth(value, axis));
  return out;
}

}  // namespace attn
