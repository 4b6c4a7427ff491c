#pragma once
// Runs a lesson: Lesson -> Trace.
#include <string_view>

#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// Runs every cell in order. An unexpected error ends the run; what was done until then is in the Trace, the error
/// among its diagnostics. Limits are those of the current LimitScope.
///   Errors: ParameterError, InputError before anything runs; WeightsError (engine/weights_fit.h), FileError for a file
///   of --weights that does not fit or cannot be read.
Trace run_lesson(const Lesson& lesson, const RunOptions& options = {});

/// Runs the lesson as `before` ran, and with the change that was typed; its steps are those of `before` and its options
/// hold the change. Numbers that the change draws come from a copy of the generator: the lesson's draws stay as they
/// are.
///   Errors: those of find_touch(); TouchError for code that fails. A lesson that fails because of the change gives a
///   Trace with that outcome.
Trace run_touched(const Lesson& lesson, const Trace& before, std::string_view typed);

}  // namespace attn
