// What a learner types to ask for an element, and what it means in a Trace.
#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "explain/element.h"
#include "explain/messages.h"

namespace attn {
namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw ExplainError(say("explain.query", {{"text", elide(text, 40)}}), say("explain.query.hint"));
}

// Whether the first step comes after the second, or is a part of it.
bool is_by_then(const Trace& trace, StepId bound, StepId step) {
  if (step < 0 || bound <= step) return true;
  for (StepId up = bound; up >= 0; up = trace.steps[static_cast<std::size_t>(up)].parent)
    if (up == step) return true;
  return false;
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
  for (StepId id = 0; id < static_cast<StepId>(trace.steps.size()); ++id) {
    for (const Binding& binding : trace.steps[static_cast<std::size_t>(id)].bindings) {
      known.push_back(binding.target);
      if (binding.target == name && is_by_then(trace, id, step)) found = binding.value;
    }
  }
  if (found >= 0) return found;
  const std::string near = nearest(std::string(name), known);
  throw ExplainError(say("explain.no_name", {{"name", elide(name, 40)}}),
                     near.empty() ? "" : say("explain.did_you_mean", {{"name", near}}));
}

Shape checked_index(const RecordedValue& value, const std::string& name, const Shape& index) {
  const std::string axes = axes_text(value);
  if (index.size() != value.shape.size()) {
    throw ExplainError(
        say("explain.index.count", {{"name", name}, {"axes", axes}, {"count", std::to_string(value.shape.size())}}),
        numel_of(value.shape) == 0
            ? ""
            : say("explain.index.example", {{"place", name + shape_text(Shape(value.shape.size(), 0))}}));
  }
  Shape out = index;
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (out[d] < 0) out[d] += value.shape[d];
    if (out[d] >= 0 && out[d] < value.shape[d]) continue;
    throw ExplainError(
        say("explain.index.range",
            {{"index", std::to_string(index[d])}, {"name", name}, {"axes", axes}, {"axis", std::to_string(d)}}));
  }
  return out;
}

}  // namespace attn
