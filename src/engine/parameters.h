#pragma once
// --set and --seed: other literals in the cells marked `parameters`.
#include <map>
#include <string>
#include <vector>

#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

struct LessonParameter {
  std::string name;
  std::string literal;  // as written: "8", "0.5", "'left'"
  std::string follows;  // the expression of its `# = EXPRESSION`: the size of a learner's words; empty: none
};

/// The parameters of a lesson, in order. Cells that cannot be parsed have none; running them says why.
std::vector<LessonParameter> parameters_of(const Lesson& lesson);

/// The settings that a run asks for, --seed among them, checked against the lesson.
///   Errors: UserError naming the parameters there are.
std::map<std::string, std::string> settings_of(const Lesson& lesson, const RunOptions& options);

/// The code of a parameters cell with the literals replaced.
///   Errors: UserError when a value is of another type.
std::string with_settings(const Cell& cell, const std::map<std::string, std::string>& settings);

}  // namespace attn
