#pragma once
// Answering the question of a step: hints, tries, giving up, and what is said afterwards.
#include <string_view>

#include "stepper/state.h"

namespace attn {

/// Asks for the line with the answer, or says that nothing is asked here.
void ask_answer(State& state);
/// The same as a command; with an argument it is the answer.
void predict(State& state, std::string_view answer);
void answer_typed(State& state, std::string_view typed);
void hint(State& state, std::string_view argument);
void skip(State& state, std::string_view argument);

}  // namespace attn
