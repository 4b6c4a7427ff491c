#pragma once
// What can be told of a lesson without running it.
#include <optional>

#include "base/diagnostic.h"
#include "lesson/lesson.h"

namespace attn {

/// The statements at the top level of the cells that are shown: the steps of a lesson without the rounds of its loops.
int count_statements(const Lesson& lesson);

/// What keeps a cell from being read at all, with the source that its span lies in; of the first such cell.
struct CellProblem {
  Diagnostic diagnostic;
  const Source* source = nullptr;  // of the lesson
};
std::optional<CellProblem> first_problem(const Lesson& lesson);

}  // namespace attn
