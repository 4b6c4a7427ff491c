#pragma once
// The session: a pure function from State and Event to State, and the texts that a terminal shows of a State. Nothing
// here reads, writes or knows a terminal.
#include <string>
#include <string_view>

#include "stepper/event.h"
#include "stepper/state.h"

namespace attn {

/// The beginning of a session. With progress from an earlier one it asks whether to continue, restart or forget;
/// otherwise it shows the first step (or the step with that number, from 1).
State start_session(Lesson lesson, Trace trace, SessionOptions options, Progress progress = {}, int step = 0);

/// The first question of a lesson that its progress holds as wrong, waiting for an answer; else null.
std::shared_ptr<const State> question_to_recall(Lesson lesson, Trace trace, SessionOptions options, Progress progress);

/// What follows from an event: a new place, new text in `said`, new `actions`. Code that is run may be interrupted by
/// request_interrupt(); `said` then reports it.
State update(State state, const Event& event);

/// The text to append to the scrollback after an event. Ends with a line feed unless it is empty.
std::string_view view(const State& state);

/// Its exit code once a Quit was asked for.
std::optional<int> exit_wanted(const State& state);

}  // namespace attn
