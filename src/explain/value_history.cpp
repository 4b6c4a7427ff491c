#include "explain/value_history.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "syntax/characters.h"
#include "syntax/snippet.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kLongestOperand = 44;

bool is_name_part(char c) { return continues_name(c) || c == '.'; }

bool is_path(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_name_part); }

std::string_view code_of(const Trace& trace, const Op& op) {
  if (op.span.source >= trace.sources.size() || op.span.begin >= op.span.end) return {};
  return trace.sources[op.span.source].slice(op.span);
}

std::int64_t address_of(const RecordedValue& value, const Shape& index) {
  std::int64_t address = value.tensor.offset();
  for (std::size_t d = 0; d < index.size(); ++d) address += index[d] * value.strides[d];
  return address;
}

// The index at which the value has that element of its storage. Axes are taken by falling strides; of a stretched axis
// (stride 0) the first place.
std::optional<Shape> index_at(const RecordedValue& value, std::int64_t address) {
  std::int64_t rest = address - value.tensor.offset();
  if (rest < 0 || value.tensor.numel() == 0) return std::nullopt;
  std::vector<std::size_t> order(value.shape.size());
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value.strides[a] > value.strides[b]; });
  Shape index(value.shape.size(), 0);
  for (const std::size_t d : order) {
    if (value.strides[d] <= 0) continue;
    index[d] = std::min(rest / value.strides[d], value.shape[d] - 1);
    rest -= index[d] * value.strides[d];
  }
  return rest == 0 ? std::optional(index) : std::nullopt;
}

}  // namespace

ValueHistory::ValueHistory(const Trace& trace)
    : trace_(trace), producers_(trace.values.size()), names_(trace.values.size()) {
  for (ValueId id = 0; id < static_cast<ValueId>(trace.values.size()); ++id)
    if (value(id).is_tensor && value(id).tensor.defined()) of_storage_[value(id).storage].push_back(id);
  find_producers();
  name_bound();
  name_parameters();
  name_results();
}

bool ValueHistory::is_inside(OpId id, OpId composite) const {
  for (OpId up = id; up >= 0; up = op(up).parent)
    if (up == composite) return true;
  return false;
}

// An op that gives back what it was given made nothing. The first op that gives a value made it, or a part of it did.
void ValueHistory::find_producers() {
  for (OpId id = 0; id < static_cast<OpId>(trace_.ops.size()); ++id) {
    const Op& made_by = op(id);
    for (std::size_t output = 0; output < made_by.outputs.size(); ++output) {
      const ValueId made = made_by.outputs[output];
      const bool was_given = std::any_of(made_by.inputs.begin(), made_by.inputs.end(),
                                         [&](const OpOperand& input) { return input.value == made; });
      Producer& producer = producers_[static_cast<std::size_t>(made)];
      if (!was_given && (producer.op < 0 || is_inside(id, producer.op))) producer = {id, output};
    }
  }
}

std::optional<ElementPlace> ValueHistory::older_record(ValueId id, const Shape& index) const {
  const RecordedValue& wanted = value(id);
  if (!wanted.is_tensor || !wanted.tensor.defined()) return std::nullopt;
  const std::int64_t address = address_of(wanted, index);
  std::optional<ElementPlace> best;
  const auto rank = [&](ValueId other) {  // the newest version, there what an op made, there the same view
    const RecordedValue& record = value(other);
    return std::tuple(record.version, producer(other).op >= 0, record.strides == wanted.strides);
  };
  for (const ValueId other : of_storage_.at(wanted.storage)) {
    if (other >= id) break;
    const RecordedValue& record = value(other);
    if (record.version > wanted.version) continue;
    std::optional<Shape> there = index_at(record, address);
    if (!there || (best && rank(other) < rank(best->value))) continue;
    best = ElementPlace{other, std::move(*there)};
  }
  return best;
}

void ValueHistory::name_bound() {
  for (const Step& step : trace_.steps) {
    for (const Binding& binding : step.bindings) {
      const bool is_item = binding.target.find('[') != std::string::npos;
      if (binding.value < 0 || is_item || !value(binding.value).is_tensor) continue;
      std::string& name = names_[static_cast<std::size_t>(binding.value)];
      if (name.empty()) name = binding.target;
    }
    if (step.value < 0) continue;
    const std::string_view shown = trim(trace_.sources[step.span.source].slice(step.span));
    std::string& name = names_[static_cast<std::size_t>(step.value)];
    if (name.empty() && is_path(shown)) name = shown;
  }
}

// Recurrent layers take their parameters as one list: weights and, perhaps, biases of each layer and direction.
std::string ValueHistory::parameter_name(const Op& user, const OpOperand& input) const {
  if (input.parameter != "params") return input.parameter;
  const bool goes_both_ways = std::any_of(user.attributes.begin(), user.attributes.end(), [](const auto& attribute) {
    return attribute.first == "bidirectional" && attribute.second == "True";
  });
  int cell = -1;
  std::size_t weights = 0, biases = 0;
  for (const OpOperand& each : user.inputs) {
    if (each.parameter != "params") continue;
    const bool is_weight = value(each.value).shape.size() == 2;
    if (is_weight && (weights == 2 || cell < 0)) {
      ++cell;
      weights = biases = 0;
    }
    const std::size_t number = is_weight ? weights++ : biases++;
    if (each.value != input.value) continue;
    if (user.name.ends_with("_cell"))
      return fmt::format("{}_{}", is_weight ? "weight" : "bias", number == 0 ? "ih" : "hh");
    const bool is_reverse = goes_both_ways && cell % 2 == 1;
    return fmt::format("{}_{}_l{}{}", is_weight ? "weight" : "bias", number == 0 ? "ih" : "hh",
                       goes_both_ways ? cell / 2 : cell, is_reverse ? "_reverse" : "");
  }
  return input.parameter;
}

// "query(x)" with a parameter called weight: "query.weight".
void ValueHistory::name_parameters() {
  for (const Op& each : trace_.ops) {
    const std::string_view code = code_of(trace_, each);
    const std::string_view callee = code.substr(0, std::min(code.find('('), code.size()));
    for (const OpOperand& input : each.inputs) {
      std::string& name = names_[static_cast<std::size_t>(input.value)];
      if (!name.empty()) continue;
      name = input.written;
      const bool is_layer = is_path(callee) && callee.size() < code.size() && !callee.starts_with("F.") &&
                            !callee.starts_with("torch.") && !callee.starts_with("nn.");
      if (name.empty() && is_layer && value(input.value).is_parameter && each.parent < 0)
        name = fmt::format("{}.{}", callee, parameter_name(each, input));
    }
  }
}

void ValueHistory::name_results() {
  for (std::size_t id = 0; id < names_.size(); ++id) {
    if (!names_[id].empty() || !trace_.values[id].is_tensor) continue;
    if (producers_[id].op < 0) {
      names_[id] = say(trace_.values[id].is_parameter ? "element.name.parameter" : "element.name.unnamed");
      continue;
    }
    const Op& last = op(producers_[id].op);
    if (last.in_place && !last.inputs.empty()) {
      names_[id] = names_[static_cast<std::size_t>(last.inputs[0].value)];
      continue;
    }
    // A part of a composite has the span of the whole, which writes the last part's result only.
    OpId top = producers_[id].op;
    for (OpId up = op(top).parent; up >= 0; up = op(up).parent) {
      const auto& outputs = op(up).outputs;
      if (std::find(outputs.begin(), outputs.end(), static_cast<ValueId>(id)) == outputs.end()) break;
      top = up;
    }
    const std::string_view code = code_of(trace_, op(top));
    const bool is_short = !code.empty() && code.size() <= kLongestOperand && code.find('\n') == std::string_view::npos;
    if (op(top).parent >= 0 || !is_short || op(top).outputs.size() > 1) {
      names_[id] = call_text(op(top));
    } else {
      names_[id] = as_operand(code);
    }
  }
}

// "matmul(query, ...)"; operands were made before, so they have their names.
std::string ValueHistory::call_text(const Op& made_by) const {
  std::string operands;
  bool any = false;
  for (const OpOperand& input : made_by.inputs) {
    const std::string& operand = names_[static_cast<std::size_t>(input.value)];
    const bool is_plain = operand.find('(') == std::string::npos;
    any = any || is_plain;
    operands += (operands.empty() ? "" : ", ") + (is_plain ? operand : std::string("..."));
  }
  if (!any || operands.size() > kLongestOperand) operands = "...";
  return fmt::format("{}({})", made_by.name, operands);
}

std::string ValueHistory::place_text(ValueId id, const Shape& index) const {
  return index.empty() ? name(id) : name(id) + shape_text(index);
}

}  // namespace attn
