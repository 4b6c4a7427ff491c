#pragma once
// --answers: the questions of a lesson answered from a file.
#include "cli/request.h"
#include "lesson/lesson.h"

namespace attn {

/// Prints what became of each answer. Gives kFailed when one is wrong or missing.
int run_answers(const Lesson& lesson, const Request& request);

}  // namespace attn
