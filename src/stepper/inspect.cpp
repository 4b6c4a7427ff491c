// Everything that the record knows of one tensor.
#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "explain/wording.h"
#include "render/step.h"
#include "render/table.h"
#include "stepper/linear.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

struct Found {
  std::string name;
  ValueId value = -1;
  std::size_t at = 0;  // the step that bound it
};

/// What the name is bound to by the step where the learner stands; without a name what that step shows.
std::optional<Found> find(const State& state, std::string_view name) {
  if (step_count(state) == 0) return std::nullopt;
  const std::size_t last = std::min(state.at, step_count(state) - 1);
  const std::size_t end = state.stage == Stage::Question && !at_end(state) ? last : last + 1;
  for (std::size_t i = end; i-- > 0;) {
    const Step& step = step_at(state, i);
    for (auto binding = step.bindings.rbegin(); binding != step.bindings.rend(); ++binding) {
      const bool fits = name.empty() ? binding->value >= 0 && binding->value == shown_value(trace_of(state), step)
                                     : binding->target == name && binding->value >= 0;
      if (fits) return Found{binding->target, binding->value, i};
    }
    const ValueId value = shown_value(trace_of(state), step);
    if (name.empty() && value >= 0) return Found{"", value, i};
  }
  return std::nullopt;
}

std::string tuple_text(const Shape& shape) {
  std::vector<std::string> parts;
  for (const std::int64_t size : shape) parts.push_back(std::to_string(size));
  return "(" + join(parts, ", ") + ")";
}

/// Another name that is bound to a view of the same storage.
std::string sharer(const State& state, const Found& found, const RecordedValue& value) {
  const Trace& trace = trace_of(state);
  for (std::size_t i = found.at + 1; i-- > 0;) {
    for (const Binding& binding : step_at(state, i).bindings) {
      if (binding.value < 0 || binding.target == found.name) continue;
      const RecordedValue& other = trace.values[static_cast<std::size_t>(binding.value)];
      if (other.is_tensor && other.storage == value.storage) return binding.target;
    }
  }
  return {};
}

/// Where a size comes from: an int of that name, or the first tensor with such an axis.
std::string origin_text(const State& state, const Found& found, const RecordedValue& value, std::size_t axis) {
  const Trace& trace = trace_of(state);
  const std::string size = std::to_string(value.shape[axis]);
  const std::string name = axis < value.axes.size() ? value.axes[axis].name : "";
  const Words words{{"axis", axis_name(value, axis)}, {"size", size}};
  for (std::size_t id = 0; !name.empty() && id < trace.steps.size(); ++id) {
    const Step& step = trace.steps[id];
    const auto shown = place_of(state, step.id);
    if (shown && *shown > found.at) break;
    for (const Binding& binding : step.bindings) {
      if (binding.target != name || binding.value < 0) continue;
      if (trace.values[static_cast<std::size_t>(binding.value)].text != size) continue;
      Words more = words;
      more.emplace_back("step", shown ? std::to_string(*shown + 1) : "");
      return say(shown ? "inspect.size.name" : "inspect.size.hidden", more);
    }
  }
  for (std::size_t i = 0; !name.empty() && i <= found.at; ++i) {
    for (const Binding& binding : step_at(state, i).bindings) {
      if (binding.value < 0 || i == found.at) continue;
      const RecordedValue& other = trace.values[static_cast<std::size_t>(binding.value)];
      for (std::size_t k = 0; k < other.axes.size(); ++k) {
        if (other.axes[k].name != name || other.shape[k] != value.shape[axis]) continue;
        Words more = words;
        more.emplace_back("name", binding.target);
        more.emplace_back("step", std::to_string(i + 1));
        return say("inspect.size.axis", more);
      }
    }
  }
  return say("inspect.size.here", words);
}

void put_origins(Page& page, const State& state, const Found& found, const RecordedValue& value) {
  for (std::size_t axis = 0; axis < value.shape.size(); ++axis)
    page.put(Line(origin_text(state, found, value, axis)), 2);
}

}  // namespace

void show_reasons(State& state, std::string_view name) {
  name = trim(name);
  Page page(state.options.render);
  if (name.empty() && !at_end(state) && state.stage == Stage::Shown && step_at(state, state.at).diagnostic >= 0) {
    const Step& step = step_at(state, state.at);
    put_diagnostic(page, trace_of(state), trace_of(state).diagnostics.at(static_cast<std::size_t>(step.diagnostic)));
    state.said += page.text();
    return;
  }
  const auto found = find(state, name.substr(0, name.find('[')));
  if (!found) return tell(state, name.empty() ? "inspect.nothing" : "goto.name", {{"name", visible(elide(name, 40))}});
  const RecordedValue& value = trace_of(state).values.at(static_cast<std::size_t>(found->value));
  put_value_title(page, found->name, value);
  page.put(say("inspect.made", {{"step", std::to_string(found->at + 1)}}));
  if (value.is_tensor) put_origins(page, state, *found, value);
  state.said += page.text();
}

void show_inspection(State& state, std::string_view name) {
  const auto found = find(state, trim(name));
  if (!found) return tell(state, name.empty() ? "inspect.nothing" : "goto.name", {{"name", visible(elide(name, 40))}});
  const RecordedValue& value = trace_of(state).values.at(static_cast<std::size_t>(found->value));
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
    put_origins(page, state, *found, value);
  }
  state.said += page.text();
}

}  // namespace attn
