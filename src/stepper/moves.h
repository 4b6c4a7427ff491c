#pragma once
// Going from step to step, as the commands do it.
#include <cstddef>
#include <string_view>

#include "stepper/state.h"

namespace attn {

/// Goes to a place and shows it. Progress is saved.
void go_to(State& state, std::size_t at, bool prose = true);
/// The same without going past a question that waits for an answer.
void go_forward(State& state, std::size_t at);

void next(State& state, std::string_view argument);
void back(State& state, std::string_view argument);
void next_suspect(State& state, std::string_view);
void into(State& state, std::string_view argument);
void out_of(State& state, std::string_view argument);
void next_prose(State& state, std::string_view argument);
void previous_prose(State& state, std::string_view argument);
void go_to_typed(State& state, std::string_view typed);
/// A number goes there; a word lists the steps that hold it, and asks again.
void search_typed(State& state, std::string_view typed);
/// Whether the table of this step shows one slice of several.
bool has_slices(const State& state);
void slice_next(State& state, std::string_view argument);
void slice_back(State& state, std::string_view argument);

}  // namespace attn
