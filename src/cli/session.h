#pragma once
// A session on the terminal: shows what the stepper says, reads what it asks for, does what it wants done.
#include <optional>

#include "cli/request.h"
#include "cli/transcript.h"
#include "lesson/lesson.h"

namespace attn {

/// Whether a lesson is to be stepped through: standard input and output are a terminal and nothing was asked for that
/// is a text.
bool wants_session(const Request& request);

/// Runs the lesson and lets the learner step through it, with a transcript when there is one. Gives the exit code.
/// `reported` writes once more what went wrong in a program: it has scrolled away by then.
int run_session(const Lesson& lesson, const Request& request, std::optional<Transcript> transcript = {},
                int (*reported)(const Trace& trace, const Request& request) = nullptr);

/// --sheet: its questions, to be filled in. Gives the exit code.
int print_sheet(const Lesson& lesson, const Request& request);

/// Runs the lesson as was asked for: stepped through on a terminal, answers judged, or written as text and then
/// `reported`, what went wrong in it. Each with a transcript, if one was asked for. Gives the exit code.
int run_shown(const Lesson& lesson, const Request& request,
              int (*reported)(const Trace& trace, const Request& request));

}  // namespace attn
