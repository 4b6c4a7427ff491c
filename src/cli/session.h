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
int run_session(const Lesson& lesson, const Request& request, std::optional<Transcript> transcript = {});

/// What is done where the text is not asked for: answers are judged, or the lesson is stepped through on a terminal.
/// Gives the exit code; nothing where the text is to be written.
std::optional<int> run_without_text(const Lesson& lesson, const Request& request,
                                    const std::optional<Transcript>& transcript);

}  // namespace attn
