#pragma once
// A line that the learner wrote in the place of one of the lesson: the first operation in it that does something else.
#include <string>
#include <vector>

#include "stepper/state.h"

namespace attn {

/// Runs the lesson with `line` in the place of that step's statement, and says in sentences which operation of it is
/// the first with another result than in the lesson, and what is suspect about it in any program. Empty where nothing
/// is known.
std::vector<std::string> first_difference_in(const State& state, StepId step, const std::string& line);

}  // namespace attn
