#include "cli/trace_result.h"

#include "cli/exit_code.h"
#include "cli/output.h"
#include "explain/messages.h"

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

void report_trace(const Trace& trace, const Diagnostic& diagnostic, const Request& request) {
  const bool has_source = diagnostic.span.source < trace.sources.size();
  report(explained(diagnostic), has_source ? trace.sources[diagnostic.span.source] : Source{trace.path, ""}, request);
}

void report_failure(const Trace& trace, const Request& request) {
  if (trace.outcome != RunOutcome::Fine && !trace.diagnostics.empty())
    report_trace(trace, trace.diagnostics.back(), request);
}

int worse(int code, int other) {
  for (const int first : {kOurBug, kLimit, kOutputFailed, kBadInput, kFailed})
    if (code == first || other == first) return first;
  return code != kFine ? code : other;
}

}  // namespace attn
