#include "cli/trace_result.h"

#include <algorithm>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "explain/messages.h"
#include "explain/weights_text.h"
#include "render/ledger.h"
#include "render/text.h"
#include "text/say.h"

namespace attn {

int exit_code(const Trace& trace) {
  switch (trace.outcome) {
    case RunOutcome::Fine: return kFine;
    case RunOutcome::CellFailed: return kFailed;
    case RunOutcome::LimitReached: return kLimit;
    case RunOutcome::Interrupted: return kInterrupted;
  }
  return kOurBug;
}

int show(const Trace& trace, const Request& request) {
  const RenderOptions options = render_options(request);
  if (request.shapes) return write_out(render_ledger(trace, options)), kFine;
  if (!request.step) return write_out(render_text(trace, options)), kFine;
  const std::vector<StepId> steps = visible_steps(trace);
  if (*request.step < 1 || *request.step > static_cast<int>(steps.size())) {
    report(say(trace.form == LessonForm::Lesson ? "option.step" : "option.step.program",
               {{"step", std::to_string(*request.step)}, {"steps", std::to_string(steps.size())}}));
    return kUsage;
  }
  write_out(render_step_text(trace, steps[static_cast<std::size_t>(*request.step - 1)], options));
  return kFine;
}

int graver(int a, int b) { return std::max(a, b); }

void report_trace(const Trace& trace, const Diagnostic& diagnostic, const Request& request) {
  const bool has_source = diagnostic.span.source < trace.sources.size();
  report(explained(diagnostic), has_source ? trace.sources[diagnostic.span.source] : Source{trace.path, ""}, request);
}

void report_weights(const Trace& trace, const Request& request) {
  if (request.quiet) return;
  for (const std::string& text : other_weights_text(trace))
    write_error(say("weights.note", {{"file", visible(trace.options.given_weights.file)}, {"text", text}}) + "\n");
}

void report_failure(const Trace& trace, const Request& request) {
  if (trace.outcome == RunOutcome::Fine) return;
  const auto error = std::find_if(trace.diagnostics.rbegin(), trace.diagnostics.rend(),
                                  [](const Diagnostic& told) { return told.severity == Severity::Error; });
  if (error != trace.diagnostics.rend()) report_trace(trace, *error, request);
}

}  // namespace attn
