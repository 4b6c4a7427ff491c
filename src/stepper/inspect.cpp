// Everything that the record knows of one tensor.
#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "render/step.h"
#include "render/table.h"
#include "stepper/linear.h"
#include "stepper/show.h"
#include "stepper/steps.h"
#include "stepper/why.h"

namespace attn {
namespace {

std::string tuple_text(const Shape& shape) {
  std::vector<std::string> parts;
  for (const std::int64_t size : shape) parts.push_back(std::to_string(size));
  return "(" + join(parts, ", ") + ")";
}

/// Another name that is bound to a view of the same storage.
std::string sharer(const State& state, const FoundValue& found, const RecordedValue& value) {
  const Trace& trace = trace_of(state);
  for (std::size_t i = found.at + 1; i-- > 0;) {
    for (const Binding& binding : step_at(state, i).bindings) {
      if (binding.value < 0 || binding.target == found.name) continue;
      const RecordedValue& other = trace.value(binding.value);
      if (other.is_tensor && other.storage == value.storage) return binding.target;
    }
  }
  return {};
}

}  // namespace

std::optional<FoundValue> find_value(const State& state, std::string_view name) {
  if (step_count(state) == 0) return std::nullopt;
  const std::size_t last = std::min(state.at, step_count(state) - 1);
  const std::size_t end = state.stage == Stage::Question && !at_end(state) ? last : last + 1;
  for (std::size_t i = end; i-- > 0;) {
    const Step& step = step_at(state, i);
    for (auto binding = step.bindings.rbegin(); binding != step.bindings.rend(); ++binding) {
      const bool fits = name.empty() ? binding->value >= 0 && binding->value == shown_value(trace_of(state), step)
                                     : binding->target == name && binding->value >= 0;
      if (fits) return FoundValue{binding->target, binding->value, i};
    }
    const ValueId value = shown_value(trace_of(state), step);
    if (name.empty() && value >= 0) return FoundValue{"", value, i};
  }
  return std::nullopt;
}

void show_inspection(State& state, std::string_view name) {
  const auto found = find_value(state, trim(name));
  if (!found) return tell(state, name.empty() ? "inspect.nothing" : "goto.name", {{"name", visible(elide(name, 40))}});
  const RecordedValue& value = trace_of(state).value(found->value);
  Page page(state.options.render);
  if (state.options.accessible) put_linear_value(page, found->name, value, state.slice);
  else put_value(page, found->name, value, state.slice);
  page.gap();
  page.put(say("inspect.made", {{"step", std::to_string(found->at + 1)}}));
  if (value.is_tensor) {
    page.put(Line(say("inspect.layout", {{"type", std::string(short_name(value.dtype))},
                                         {"shape", tuple_text(value.shape)},
                                         {"strides", tuple_text(value.strides)}})),
             2);
    page.put(say(value.contiguous ? "inspect.contiguous" : "inspect.not_contiguous"));
    if (const std::string other = sharer(state, *found, value); !other.empty())
      page.put(say("inspect.shares", {{"name", other}}));
    if (!value.grad_fn.empty()) page.put(say("inspect.grad_fn", {{"name", value.grad_fn}}));
  }
  state.said += page.text();
  if (value.is_tensor) tell_sizes(state, *found);
}

}  // namespace attn
