#include "stepper/why.h"

#include "base/text.h"
#include "explain/element.h"
#include "explain/tensor_difference.h"
#include "render/axes.h"
#include "render/explanation.h"
#include "render/move.h"
#include "render/step.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

const RecordedValue& record_of(const State& state, const FoundValue& found) {
  return trace_of(state).value(found.value);
}

void tell_not_found(State& state, std::string_view name) {
  tell(state, name.empty() ? "inspect.nothing" : "goto.name", {{"name", visible(elide(std::string(name), 40))}});
}

void tell_number(State& state, const FoundValue& found, const Shape& index, int depth) {
  ExplainOptions options;
  options.depth = depth;
  Explanation explanation = explain_element(trace_of(state), found.value, index, options);
  if (!found.name.empty()) explanation.name = found.name;
  Page page(state.options.render);
  put_explanation(page, trace_of(state), explanation);
  state.said += page.text();
}

/// The first number of the slice that is shown.
Shape shown_index(const State& state, const RecordedValue& value) {
  Shape index(value.shape.size(), 0);
  for (std::size_t i = 0; i + 2 < index.size() && i < state.slice.size(); ++i)
    index[i] = std::min(state.slice[i], value.shape[i] - 1);
  return index;
}

bool tell_error(State& state) {
  if (at_end(state) || state.stage != Stage::Shown || step_at(state, state.at).diagnostic < 0) return false;
  const Step& step = step_at(state, state.at);
  Page page(state.options.render);
  put_diagnostic(page, trace_of(state), trace_of(state).diagnostics.at(static_cast<std::size_t>(step.diagnostic)));
  state.said += page.text();
  return true;
}

void tell_of_shown(State& state) {
  const auto found = find_value(state, "");
  if (!found) return tell_not_found(state, "");
  tell_sizes(state, *found);
  const RecordedValue& value = record_of(state, *found);
  if (!value.is_tensor || !value.kept || value.tensor.numel() == 0) return;
  state.said += "\n";
  tell_number(state, *found, shown_index(state, value), 0);
  state.said += "\n";
  tell(state, "why.more");
}

}  // namespace

void tell_sizes(State& state, const FoundValue& found) {
  ShapeExplanation shape = explain_shape(trace_of(state), found.value);
  if (!found.name.empty()) shape.name = found.name;
  state.said += render_shape(trace_of(state), shape, state.options.render);
}

void show_reasons(State& state, std::string_view typed) {
  typed = trim(typed);
  try {
    if (typed.empty()) return tell_error(state) ? void() : tell_of_shown(state);
    constexpr int kDepth = 1;
    const ElementQuery query = parse_element(typed);
    const auto found = find_value(state, query.name);
    if (!found) return tell_not_found(state, query.name);
    if (query.has_index) return tell_number(state, *found, query.index, kDepth);
    tell_sizes(state, *found);
  } catch (const UserError& error) {
    tell_text(state, std::string(error.what()) + (error.hint().empty() ? "" : ": " + error.hint()));
  }
}

void show_difference(State& state, std::string_view typed) {
  typed = trim(typed);
  const std::size_t blank = typed.find(' ');
  if (blank == std::string_view::npos) return tell(state, "diff.how");
  const std::string_view names[] = {typed.substr(0, blank), trim(typed.substr(blank))};
  std::optional<FoundValue> found[2];
  for (std::size_t i = 0; i < 2; ++i) {
    found[i] = find_value(state, names[i]);
    if (!found[i]) return tell_not_found(state, names[i]);
  }
  Page page(state.options.render);
  for (const std::string& line :
       tensor_difference_text(names[0], record_of(state, *found[0]), names[1], record_of(state, *found[1])))
    put_sentence(page, line, 2);
  state.said += page.text();
}

}  // namespace attn
