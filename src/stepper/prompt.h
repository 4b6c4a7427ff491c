#pragma once
// Lines of code at the step where the learner is.
#include <string_view>

#include "stepper/state.h"

namespace attn {

/// The point of the lesson that the prompt is at: before an open question's step, else after the step.
Point point_of(const State& state);

/// Runs a line there and shows what it gives.
void run_line(State& state, std::string_view code);

}  // namespace attn
