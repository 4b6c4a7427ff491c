#include "cli/trace_result.h"

#include <algorithm>

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

int graver(int a, int b) { return std::max(a, b); }

void report_trace(const Trace& trace, const Diagnostic& diagnostic, const Request& request) {
  const bool has_source = diagnostic.span.source < trace.sources.size();
  report(explained(diagnostic), has_source ? trace.sources[diagnostic.span.source] : Source{trace.path, ""}, request);
}

}  // namespace attn
