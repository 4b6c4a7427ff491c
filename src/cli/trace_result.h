#pragma once
// How the outcome of a run becomes an exit code and messages on standard error; for every command that runs something.
#include "base/limits.h"
#include "cli/request.h"
#include "engine/trace.h"

namespace attn {

int exit_code(const Trace& trace);

/// The step that --step names. Errors: UserError for one that is not there.
StepId step_asked_for(const Trace& trace, const Request& request);

/// What shows a run has work of its own to spend: one that used up its own is shown as far as it came.
Limits limits_of_showing(const Request& request);

/// Writes what was asked for: one step, the ledger, or all. Errors: UserError for a step that is not there.
void show(const Trace& trace, const Request& request);

/// Of the exit codes of two runs the one that counts.
int graver(int a, int b);

/// One diagnostic of the Trace with its source, in the learner's words.
void report_trace(const Trace& trace, const Diagnostic& diagnostic, const Request& request);

/// Runs the lesson, and notes what of --weights was not found or not used.
Trace run_noted(const Lesson& lesson, const Request& request);
void report_weights(const Trace& trace, const Request& request);

/// The error that ended the run, if one did; expected ones stand in the text. Gives the exit code.
int report_failure(const Trace& trace, const Request& request);

}  // namespace attn
