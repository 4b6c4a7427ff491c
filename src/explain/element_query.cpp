// What a learner types to ask for an element, and what it means in a Trace.
#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "explain/element.h"
#include "explain/value_history.h"
#include "text/say.h"

namespace attn {
namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw UserError(say("explain.query", {{"text", elide(text, 40)}}), say("explain.query.hint"));
}

// Whether the first step comes after the second, or is a part of it.
bool is_by_then(const Trace& trace, StepId bound, StepId step) {
  if (step < 0 || bound <= step) return true;
  for (StepId up = bound; up >= 0; up = trace.step(up).parent)
    if (up == step) return true;
  return false;
}

// What became of the value by the ops of a step that wrote to it in place: a new value.
ValueId after_writes(const Trace& trace, const Step& step, ValueId value) {
  for (const OpId id : step.ops) {
    const Op& op = trace.op(id);
    const bool is_written = op.in_place && !op.inputs.empty() && op.inputs[0].value == value && !op.outputs.empty();
    if (is_written) value = op.outputs[0];
  }
  return value;
}

// "query.weight" is bound to no name, but an op worked with it.
ValueId parameter_called(const Trace& trace, std::string_view name, std::vector<std::string>& known) {
  const ValueHistory history(trace);
  ValueId found = -1;
  for (ValueId id = 0; id < static_cast<ValueId>(trace.values.size()); ++id) {
    if (!trace.value(id).is_parameter) continue;
    known.push_back(history.name(id));
    if (history.name(id) == name) found = id;
  }
  return found;
}

// "model.blocks[0].weight" as its name has it: "model.blocks.0.weight".
std::string with_numbers_by_dots(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t end = name[i] == '[' ? name.find(']', i) : std::string_view::npos;
    const bool goes_on = end < name.size() - 1 && (name[end + 1] == '.' || name[end + 1] == '[');
    const bool is_number = goes_on && parse_int(name.substr(i + 1, end - i - 1));
    out += is_number ? "." + std::string(name.substr(i + 1, end - i - 1)) : std::string(1, name[i]);
    if (is_number) i = end;
  }
  return out;
}

}  // namespace

ElementQuery parse_element(std::string_view text) {
  const std::string_view all = trim(text);
  ElementQuery query;
  const std::size_t open = all.ends_with(']') ? all.rfind('[') : std::string_view::npos;
  query.name = std::string(trim(all.substr(0, open)));
  if (query.name.empty()) refuse(text);
  if (open == std::string_view::npos) return query;
  query.has_index = true;
  std::string_view inside = all.substr(open + 1, all.size() - open - 2);
  while (!trim(inside).empty()) {
    const std::size_t comma = inside.find(',');
    const auto number = parse_int(trim(inside.substr(0, comma)));
    if (!number) refuse(text);
    query.index.push_back(*number);
    inside = comma == std::string_view::npos ? std::string_view() : inside.substr(comma + 1);
  }
  return query;
}

ValueId find_bound(const Trace& trace, std::string_view name, StepId step) {
  ValueId found = -1;
  std::vector<std::string> known;
  const std::string path = with_numbers_by_dots(name);
  for (StepId id = 0; id < static_cast<StepId>(trace.steps.size()); ++id) {
    const Step& each = trace.step(id);
    if (found >= 0 && is_by_then(trace, id, step)) found = after_writes(trace, each, found);
    for (const Binding& binding : each.bindings) {
      known.push_back(binding.target);
      if ((binding.target == name || binding.target == path) && is_by_then(trace, id, step)) found = binding.value;
    }
    const bool is_shown = each.value >= 0 && trim(trace.sources[each.span.source].slice(each.span)) == name;
    if (is_shown && is_by_then(trace, id, step)) found = each.value;
  }
  if (found < 0) found = parameter_called(trace, path, known);
  if (found >= 0) return found;
  if (std::find(known.begin(), known.end(), name) != known.end())
    throw UserError(say("explain.not_yet", {{"name", elide(name, 40)}}));
  const std::string near = nearest(std::string(name), known);
  throw UserError(say("explain.no_name", {{"name", elide(name, 40)}}), did_you_mean(near));
}

Shape checked_index(const RecordedValue& value, const std::string& name, const Shape& index) {
  const std::string axes = axes_text(value);
  if (index.size() != value.shape.size()) {
    throw UserError(say_count("explain.index.count", static_cast<std::int64_t>(value.shape.size()),
                              {{"name", name}, {"axes", axes}}),
                    numel_of(value.shape) == 0
                        ? ""
                        : say("explain.index.example", {{"place", name + shape_text(Shape(value.shape.size(), 0))}}));
  }
  Shape out = index;
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (out[d] < 0) out[d] += value.shape[d];
    if (out[d] >= 0 && out[d] < value.shape[d]) continue;
    throw UserError(
        say("explain.index.range",
            {{"index", std::to_string(index[d])}, {"name", name}, {"axes", axes}, {"axis", std::to_string(d)}}));
  }
  return out;
}

}  // namespace attn
