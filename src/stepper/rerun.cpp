// Running the lesson again: with another parameter, or with a number touched.
#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "engine/parameters.h"
#include "engine/runner.h"
#include "engine/touch.h"
#include "engine/weights_fit.h"
#include "explain/lint.h"
#include "render/run_difference.h"
#include "stepper/change.h"
#include "stepper/question.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

/// The settings of a run as one types them: "n_heads=4".
std::string label_of(const std::string& name, const std::map<std::string, std::string>& settings,
                     const std::vector<LessonParameter>& parameters) {
  const auto set = settings.find(name);
  if (set != settings.end()) return name + "=" + set->second;
  for (const LessonParameter& parameter : parameters) {
    if (parameter.name == name) return name + "=" + parameter.literal;
  }
  return name;
}

/// Takes the place of the run; the learner stays at the same step.
void take_run(State& state, Trace trace) {
  const std::string id = at_end(state) ? "" : step_at(state, state.at).id;
  state.run = lesson_run(state.run->lesson, std::move(trace));
  state.replays = std::make_shared<Replays>(state.run->lesson, state.run->trace);
  state.at = std::min(place_of(state, id).value_or(id.empty() ? step_count(state) : state.at), step_count(state));
  state.typed.clear();
  state.slice.clear();
  state.stage = open_question(state, state.at) ? Stage::Question : Stage::Shown;
}

}  // namespace

void set_typed(State& state, std::string_view typed) {
  const std::string_view text = trim(typed);
  if (text.empty()) return;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return tell(state, "set.how");
  const std::string name(trim(text.substr(0, equals))), value(trim(text.substr(equals + 1)));
  RunOptions options = trace_of(state).options;
  const std::vector<LessonParameter> parameters = parameters_of(*state.run->lesson);
  std::map<std::string, std::string> before = options.set;
  if (options.seed) before["seed"] = std::to_string(*options.seed);
  options.set = before;
  options.seed.reset();
  options.set[name] = value;
  try {
    Trace trace = run_lesson(*state.run->lesson, options);
    note_findings(trace);
    if (trace.outcome == RunOutcome::Interrupted) return tell(state, "prompt.interrupted");
    state.said += render_side_by_side(
        {{label_of(name, before, parameters), &trace_of(state)}, {label_of(name, options.set, parameters), &trace}},
        state.options.render);
    take_run(state, std::move(trace));
    tell(state, "set.done",
         {{"after", label_of(name, options.set, parameters)}, {"before", label_of(name, before, parameters)}});
  } catch (const ParameterError& error) {
    tell_text(state, error.what());
  } catch (const WeightsError& error) {
    tell_text(state, error.what());
    for (const std::string& misfit : error.misfits()) tell_text(state, misfit);
  } catch (const FileError& error) {  // of --weights
    tell_text(state, error.what());
  } catch (const LimitReached& limit) {
    tell_text(state, limit.what());
  }
}

void touch_typed(State& state, std::string_view typed) {
  if (trim(typed).empty()) return;
  try {
    const Trace touched = run_touched(*state.run->lesson, trace_of(state), trim(typed));
    state.said += render_touched(trace_of(state), touched, state.options.render);
  } catch (const TouchError& error) {
    state.said += draw(error.diagnostic(), error.source(), {state.options.render.color, state.options.render.width});
  } catch (const LimitReached& limit) {
    tell_text(state, limit.what());
  }
}

}  // namespace attn
