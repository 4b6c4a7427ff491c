#include "stepper/prompt.h"

#include "base/text.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {

Point point_of(const State& state) {
  Point point;
  point.typed = state.typed;
  if (step_count(state) == 0) return point;
  point.step = state.run->order[std::min(state.at, step_count(state) - 1)];
  point.before = state.stage == Stage::Question && !at_end(state);
  return point;
}

void run_line(State& state, std::string_view code) {
  const std::string text(code);
  const Evaluation result = state.replays->run(point_of(state), text);
  const bool labelled = state.options.accessible && !result.text.empty();
  if (labelled) state.said += say("label.output") + "\n";
  tell_text(state, result.text);
  const DiagnosticStyle style{state.options.render.color, state.options.render.width};
  for (const Diagnostic& warning : result.warnings) state.said += draw(warning, result.source, style);
  if (result.error) {
    if (result.error->code == Code::Interrupt) return tell(state, "prompt.interrupted");
    state.said += draw(explained(*result.error), result.source, style);
  }
  state.typed.push_back(text);
  const std::size_t at = std::min(state.at, step_count(state) - 1);
  if (step_count(state) == 0) return;
  state.progress.typed.push_back({step_at(state, at).id, text});
  state.actions.emplace_back(SaveProgress{});
}

}  // namespace attn
