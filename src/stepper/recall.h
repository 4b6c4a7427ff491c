#pragma once
// A question of an earlier lesson that was answered wrong, asked once more where the Recall of this lesson ends. It is
// a session of its own, of that lesson at that step, so hints, traps and reasons are as they were there; its answer
// goes to the progress of that lesson, and no step, number or score of this one knows of it.
#include <string>
#include <string_view>

#include "stepper/state.h"

namespace attn {

/// Whether a lesson has a chapter that ends with such a question.
bool has_recall(const Lesson& lesson);

/// Whether going on to `at` leaves the Recall with a question still to ask.
bool recalls_before(const State& state, std::size_t at);
void ask_recalled(State& state);
/// Whether it is answered now, or left; the answer is saved.
bool answer_recalled(State& state, std::string_view typed);
std::string recall_prompt(const State& state);

}  // namespace attn
