#pragma once
// What lint() finds in a program, as notes in its Trace.
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// Puts the findings among the diagnostics of a program, at the steps of their ops. So every view shows them at the
/// line. Each change that a rule proposes, and each for the error that the run ended with, is made in the program,
/// which runs again: a line is shown as the fix when it helps and makes no other note appear (mend.h). Lessons are left
/// as they are: their bugs are there to be shown.
void note_findings(Trace& trace, const Lesson& lesson);

}  // namespace attn
