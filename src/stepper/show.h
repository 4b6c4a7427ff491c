#pragma once
// What a session says: the step where the learner is, with the prose before it, its question, and lists. Each
// appends to State::said.
#include <cstddef>
#include <string>
#include <string_view>

#include "render/page.h"
#include "stepper/state.h"
#include "text/say.h"

namespace attn {

/// The place where the learner is, as far as it may be seen yet. With `prose` also what comes before the step.
void show_place(State& state, bool prose = true, bool header = true);
/// The step alone, once its question is answered.
void show_step(State& state);
/// Its tables alone, once the learner goes to another slice.
void show_tables(State& state);
/// Steps that show nothing but a line of code are shown together where they follow each other in a cell: the first and
/// the last of those around `at`, often the step itself.
std::size_t group_begin(const State& state, std::size_t at);
std::size_t group_end(const State& state, std::size_t at);

/// The list of steps: those whose code or names hold `word`.
void show_steps(State& state, std::string_view word);
/// Names and shapes at this point.
void show_names(State& state);
/// The map of the lesson; without the sizes that an open question asks for, and those after them.
void show_map(State& state);
/// All that is known of a tensor: "" is the one shown last.
void show_inspection(State& state, std::string_view name);
void show_help(State& state, std::string_view word);
void show_parameters(State& state);

/// A sentence on lines of its own, wrapped.
void tell(State& state, std::string_view id, const Words& words = {});
/// The same after a label: "Hint:     ...".
void tell_labelled(State& state, std::string_view label, const std::vector<std::string>& lines);
/// Text that is as it is to be, such as what code printed; control characters become visible.
void tell_text(State& state, std::string_view text);

struct Score {
  int right = 0, wrong = 0, skipped = 0;
};
Score score_of(const State& state);

}  // namespace attn
