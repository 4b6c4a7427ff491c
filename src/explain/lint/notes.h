#pragma once
// What lint() finds in a program, as notes in its Trace.
#include <compare>
#include <cstdint>
#include <vector>

#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

/// Puts the findings among the diagnostics of a program, at the steps of their ops. So every view shows them at the
/// line. Each change that a rule proposes, and each for the error that the run ended with, is made in the program,
/// which runs again: a line is shown as the fix when it helps and makes no other note appear (mend.h). Lessons are left
/// as they are: their bugs are there to be shown.
void note_findings(Trace& trace, const Lesson& lesson);

/// A line of the program with a note, or with the error that ended its cell. One note may name several lines.
struct NotedLine {
  enum class Kind { Suspect, Remark, Failure };
  Kind kind = Kind::Suspect;
  std::uint32_t source = 0;  // index into Trace::sources
  int line = 0;
  friend auto operator<=>(const NotedLine&, const NotedLine&) = default;
};
/// By their kinds, each in the order of the sources.
std::vector<NotedLine> noted_lines(const Trace& trace);
/// Whether the step has a note, or its own code raised the error.
bool is_noted(const Trace& trace, const Step& step);

}  // namespace attn
