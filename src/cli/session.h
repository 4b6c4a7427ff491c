#pragma once
// A session on the terminal: shows what the stepper says, reads what it asks for, does what it wants done.
#include "cli/request.h"
#include "lesson/lesson.h"

namespace attn {

/// Whether a lesson is to be stepped through: standard input and output are a terminal and nothing was asked for that
/// is a text.
bool wants_session(const Request& request);

/// Runs the lesson and lets the learner step through it. Gives the exit code.
int run_session(const Lesson& lesson, const Request& request);

/// Answers the lesson's questions from the file of --answers and prints what was right. Gives the exit code.
int run_answers(const Lesson& lesson, const Request& request);

}  // namespace attn
