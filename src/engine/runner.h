#pragma once
// Runs a lesson: Lesson -> Trace.
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// Runs every cell in order. An unexpected error ends the run; what was done until then is in the Trace, the error
/// among its diagnostics. Limits are those of the current LimitScope.
///   Errors: UserError: before anything runs for --set, --seed and the learner's words or ids, at the end for a file of
///   --weights that does not fit, FileError for one that cannot be read.
Trace run_lesson(const Lesson& lesson, const RunOptions& options = {});

}  // namespace attn
