#include "stepper/prompt.h"

#include "base/text.h"
#include "explain/messages.h"
#include "render/formats.h"
#include "stepper/record.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

/// What it printed and gave, then warnings, then the error.
std::string result_text(const Evaluation& result, const DiagnosticStyle& style) {
  std::string out = visible(result.text);
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  for (const Diagnostic& warning : result.warnings) out += draw(warning, result.source, style);
  if (result.error && result.error->code != Code::Interrupt)
    out += draw(explained(*result.error), result.source, style);
  return out;
}

}  // namespace

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
  const bool interrupted = result.error && result.error->code == Code::Interrupt;
  state.said += result_text(result, {state.options.render.color, state.options.render.width});
  if (interrupted) return tell(state, "prompt.interrupted");
  state.typed.push_back(text);
  const std::size_t at = std::min(state.at, step_count(state) - 1);
  if (step_count(state) == 0) return;
  state.progress.typed.push_back(
      {step_at(state, at).id, text, kept_result(result_text(result, {false, kTranscriptWidth}))});
  state.actions.emplace_back(SaveProgress{});
}

}  // namespace attn
