#pragma once
// The linter of lessons: what the loader and a run find, and what a reader would stumble over.
#include <vector>

#include "base/diagnostic.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

struct CheckFinding {
  Diagnostic diagnostic;
  Source source;  // that its span is in
};

/// Runs the lesson and collects everything: failed cells, expectations that do not hold (`raises`, `wrong`, `predict`),
/// values in prose that cannot be computed, draws after dropout without a new seed, steps without questions.
std::vector<CheckFinding> check_lesson(const Lesson& lesson);

}  // namespace attn
