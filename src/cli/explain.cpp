// attn-tutor explain: the arithmetic behind one number, where a shape came from, where an element went.
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/trace_result.h"
#include "engine/runner.h"
#include "explain/element.h"
#include "render/explanation.h"
#include "render/move.h"
#include "text/say.h"

namespace attn {
namespace {

// The step that --step K names; -1 without it.
StepId step_of(const Trace& trace, const Request& request) {
  if (!request.step) return -1;
  const std::vector<StepId> steps = visible_steps(trace);
  if (*request.step >= 1 && *request.step <= static_cast<int>(steps.size()))
    return steps[static_cast<std::size_t>(*request.step - 1)];
  throw ExplainError(
      say("option.step", {{"step", std::to_string(*request.step)}, {"steps", std::to_string(steps.size())}}));
}

std::string answer(const Trace& trace, const Request& request) {
  const StepId step = step_of(trace, request);
  const ElementQuery query = parse_element(request.subject);
  const ValueId value = find_bound(trace, query.name, step);
  if (request.explain_shape) {
    ShapeExplanation shape = explain_shape(trace, value);
    shape.name = query.name;  // a value may have several names: here the one that was asked for
    return render_shape(trace, shape, render_options(request));
  }
  if (request.explain_move) return render_move(trace, explain_move(trace, value, query.index), render_options(request));
  ExplainOptions options;
  if (request.depth) options.depth = *request.depth;
  Explanation explanation = explain_element(trace, value, query.index, options);
  explanation.name = query.name;
  return render_explanation(trace, explanation, render_options(request));
}

int run_explain(const Request& request) {
  int code = kFine;
  const std::optional<Lesson> lesson = open_program(request, code);
  if (!lesson) return code;
  const Trace trace = run_lesson(*lesson, request.run);
  report_weights(trace, request);
  try {
    write_out(answer(trace, request));
  } catch (const ExplainError& error) {
    report(error.what(), error.hint());
    return kUsage;
  }
  if (trace.outcome != RunOutcome::Fine && !trace.diagnostics.empty())
    report_trace(trace, trace.diagnostics.back(), request);
  return exit_code(trace);
}

}  // namespace

const Command kExplainCommand = {
    "explain", "The arithmetic behind one number, with the digits of every operand.",
    kTakesLesson | kTakesSeed | kTakesWeights | kTakesLimits | kTakesView | kTakesCatalogue | kTakesElement,
    run_explain, "attn-tutor explain 3 'energy[0,1,2,3]'"};

}  // namespace attn
