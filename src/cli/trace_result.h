#pragma once
// How the outcome of a run becomes an exit code and messages on standard error; for every command that runs something.
#include "cli/request.h"
#include "engine/trace.h"

namespace attn {

int exit_code(const Trace& trace);

/// One diagnostic of the Trace with its source, in the learner's words.
void report_trace(const Trace& trace, const Diagnostic& diagnostic, const Request& request);

/// The error that ended the run, if one did; expected ones stand in the text.
void report_failure(const Trace& trace, const Request& request);

/// Of two reasons to end the one that counts.
int worse(int code, int other);

}  // namespace attn
