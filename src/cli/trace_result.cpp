#include "cli/trace_result.h"

#include <algorithm>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "engine/runner.h"
#include "explain/messages.h"
#include "explain/weights_text.h"
#include "render/ledger.h"
#include "render/text.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::string_view kModelLessons = "lessons/models/";

}  // namespace

int exit_code(const Trace& trace) {
  switch (trace.outcome) {
    case RunOutcome::Fine: return kFine;
    case RunOutcome::CellFailed: return kFailed;
    case RunOutcome::LimitReached: return kLimit;
    case RunOutcome::Interrupted: return kInterrupted;
  }
  return kOurBug;
}

StepId step_asked_for(const Trace& trace, const Request& request) {
  const std::vector<StepId> steps = visible_steps(trace);
  if (*request.step >= 1 && *request.step <= static_cast<int>(steps.size()))
    return steps[static_cast<std::size_t>(*request.step - 1)];
  throw UserError(say(trace.form == LessonForm::Lesson ? "option.step" : "option.step.program",
                      {{"step", std::to_string(*request.step)}, {"steps", std::to_string(steps.size())}}));
}

Limits limits_of_showing(const Request& request) {
  Limits limits = request.limits;
  limits.max_work = Limits{}.max_work;
  limits.max_memory += live_memory();
  return limits;
}

void show(const Trace& trace, const Request& request) {
  const RenderOptions options = render_options(request);
  if (request.shapes) page_out(render_ledger(trace, options), request);
  else if (request.step) page_out(render_step_text(trace, step_asked_for(trace, request), options), request);
  else page_out(render_text(trace, options), request);
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

Trace run_noted(const Lesson& lesson, const Request& request) {
  Trace trace = run_lesson(lesson, request.run);
  report_weights(trace, request);
  return trace;
}

int report_failure(const Trace& trace, const Request& request) {
  if (trace.outcome == RunOutcome::Fine) return kFine;
  const auto error = std::find_if(trace.diagnostics.rbegin(), trace.diagnostics.rend(),
                                  [](const Diagnostic& told) { return told.severity == Severity::Error; });
  // What the code of a model asserts is about the files and the options that it was given.
  if (error != trace.diagnostics.rend() && error->code == Code::Assertion && trace.path.starts_with(kModelLessons))
    throw UserError(error->message, {}, UserError::Fault::Input);
  if (error != trace.diagnostics.rend()) report_trace(trace, *error, request);
  return exit_code(trace);
}

}  // namespace attn
