#pragma once
// Answering the question of a step: hints, tries, giving up, and what is said afterwards.
#include <string_view>

#include "stepper/state.h"

namespace attn {

/// Asks for the line with the answer, or says that nothing is asked here.
void ask_answer(State& state);
/// `is_command`: it is the name of a command, too; if it is not an answer, the learner is told how to give that
/// command.
void answer_typed(State& state, std::string_view typed, bool is_command);
void hint(State& state, std::string_view argument);
void skip(State& state, std::string_view argument);

}  // namespace attn
