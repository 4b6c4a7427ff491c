#pragma once
// Commands that run the lesson again, and those that leave the recorded lesson for a while.
#include <string_view>

#include "stepper/state.h"

namespace attn {

/// A lesson and its record, ready to step through.
std::shared_ptr<const LessonRun> lesson_run(std::shared_ptr<const Lesson> lesson, Trace trace);

void set_typed(State& state, std::string_view typed);
void touch_typed(State& state, std::string_view typed);
void free_play(State& state, std::string_view argument);
void leave_free_play(State& state, std::string_view argument);
void export_typed(State& state, std::string_view typed);
void replace_typed(State& state, std::string_view typed);

}  // namespace attn
