// attn-tutor explain: the arithmetic behind one number, where a shape came from, where an element went.
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/trace_result.h"
#include "explain/element.h"
#include "render/explanation.h"
#include "render/move.h"

namespace attn {
namespace {

std::string answer(const Trace& trace, const Request& request) {
  const StepId step = request.step ? step_asked_for(trace, request) : -1;
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
  const Trace trace = run_noted(open_program(request), request);
  try {
    page_out(answer(trace, request), request);
  } catch (const UserError&) {
    if (trace.outcome == RunOutcome::Fine) throw;  // else the name is not bound because the run ended before
  }
  return report_failure(trace, request);
}

}  // namespace

const Command kExplainCommand = {"explain", "Shows the arithmetic behind one number, with the digits of every operand.",
                                 kTakesLesson | kTakesViews | kTakesSeed | kTakesWeights | kTakesLimits | kTakesView |
                                     kTakesCatalogue | kTakesElement,
                                 run_explain, "attn-tutor explain 3 'energy[0,1,2,3]'"};

}  // namespace attn
