#pragma once
// The code of a lesson's cells as a run runs it: with --set and --seed in the cells marked `parameters`, with the
// learner's words or ids in the cells marked data=, and with the sizes that follow from those.
#include <map>
#include <string>

#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

class Interpreter;

struct Changes {
  std::map<std::string, std::string> settings;  // parameter -> literal
  std::map<std::string, std::string> data;      // name -> literal
};

/// What the options ask for, checked against the lesson.
///   Errors: UserError. A parameter that follows from the input cannot be set as well.
Changes changes_of(const Lesson& lesson, const RunOptions& options);

/// The code of the cell that is to be run next. `# = EXPRESSION` behind a parameter says what it is where the learner
/// brings the data; it is evaluated among the names that are bound when the cell is reached.
///   Errors: UserError; CellError of that expression.
std::string changed_code(const Lesson& lesson, const Cell& cell, const Changes& changes, Interpreter& interpreter);

}  // namespace attn
