#pragma once
// Runs a lesson: Lesson -> Trace.
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// Whether the program ends with this run. What the run holds is then left to the system, which takes it back at once,
/// where to free a set of millions, or their record, takes seconds.
inline bool is_last(const Trace& trace) { return trace.outcome == RunOutcome::Interrupted && ends_with_the_run; }

/// Nothing in it is freed.
template <typename T>
void leave_to_the_system(T value) {
  static auto* const left = new std::vector<T>;
  left->push_back(std::move(value));
}

/// Runs every cell in order. An unexpected error ends the run; what was done until then is in the Trace, the error
/// among its diagnostics. Limits are those of the current LimitScope.
///   Errors: UserError: before anything runs for --set, --seed and the learner's words or ids, at the end for a file of
///   --weights that does not fit, FileError for one that cannot be read.
Trace run_lesson(const Lesson& lesson, const RunOptions& options = {});

/// Runs the lesson as `before` ran, no further than it came if it was interrupted, and with the change that was typed;
/// its steps are those of `before` and its options hold the change. Numbers that the change draws come from a copy of
/// the generator: the lesson's draws stay as they are.
///   Errors: those of find_touch(); UserError for code that fails. A lesson that fails because of the change gives a
///   Trace with that outcome.
Trace run_touched(const Lesson& lesson, const Trace& before, std::string_view typed);

}  // namespace attn
