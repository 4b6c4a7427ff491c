#pragma once
// How the outcome of a run becomes an exit code and messages on standard error; for every command that runs something.
#include "cli/request.h"
#include "engine/trace.h"

namespace attn {

int exit_code(const Trace& trace);

/// Of the exit codes of two runs the one that counts.
int graver(int a, int b);

/// One diagnostic of the Trace with its source, in the learner's words.
void report_trace(const Trace& trace, const Diagnostic& diagnostic, const Request& request);

}  // namespace attn
