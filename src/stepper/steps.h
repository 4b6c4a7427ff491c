#pragma once
// The order of steps: which one comes next, into and out of calls and loops, and the prose between them.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepper/state.h"

namespace attn {

inline const Trace& trace_of(const State& state) { return *state.run->trace; }
/// The learner's words or ids that a later session goes on with: none that the lesson refuses.
inline GivenInput given_to_keep(const State& state) {
  return trace_of(state).outcome == RunOutcome::Fine ? trace_of(state).options.given : GivenInput{};
}
inline std::size_t step_count(const State& state) { return state.run->order.size(); }
inline bool at_end(const State& state) { return state.at >= step_count(state); }
/// At the end of a lesson, not of what an interrupted run has of it.
inline bool is_finished(const State& state) {
  return at_end(state) && trace_of(state).outcome != RunOutcome::Interrupted;
}
const Step& step_at(const State& state, std::size_t at);
/// The cell of a step.
const CellRecord& cell_of(const State& state, const Step& step);

/// Where the numbers of the steps lead; nothing at an end, or where there is no call to enter or to leave.
std::optional<std::size_t> next_at(const State& state);
/// `first`: of the steps that are shown together where the learner is.
std::optional<std::size_t> back_at(const State& state, std::size_t first);
std::optional<std::size_t> into_at(const State& state);
/// How many lines with notes ran in the functions that this step calls.
int notes_inside(const State& state);
std::optional<std::size_t> out_at(const State& state);
/// The next and the previous step that has prose before it.
std::optional<std::size_t> next_prose_at(const State& state);
std::optional<std::size_t> previous_prose_at(const State& state);

/// A name that a step changes: bound, or written to in place. `value`: what it holds then; -1: not recorded.
struct ChangedName {
  std::string name;
  ValueId value = -1;
  bool is_new = false;  // no earlier step binds it
};
/// What the steps [first, last] have changed, each name once.
std::vector<ChangedName> changed_names(const State& state, std::size_t first, std::size_t last);
/// The place of the first step up to `last` that binds or defines the name.
std::optional<std::size_t> first_place_of(const State& state, std::string_view name, std::size_t last);

/// The place of the step with that id.
std::optional<std::size_t> place_of(const State& state, std::string_view step_id);
/// The first step after this one that binds the name, else the first of all.
std::optional<std::size_t> place_of_name(const State& state, std::string_view name);
/// The first step of round `number` of a loop, counted from 1. If several loops have that round, the next one after
/// this step is meant, else the first; if none has it, the nearest round. Nothing if no step is in a loop.
std::optional<std::size_t> place_of_round(const State& state, std::int64_t number);

/// The blocks [first, second) of prose and hidden cells in front of a step, or after the last one. Empty for a
/// step that is not the first of its cell.
std::pair<std::size_t, std::size_t> blocks_before(const State& state, std::size_t at);
bool has_prose(const State& state, std::size_t at);
/// Whether a heading begins a chapter.
inline bool is_chapter(const Prose& prose) { return prose.kind == Prose::Kind::Heading && prose.level <= 2; }
/// The chapter of a step: the place of its first step, and its heading as plain text.
struct Chapter {
  std::size_t begin = 0;
  std::string title = {};
};
Chapter chapter_of(const State& state, std::size_t at);
/// Whether the step is the last at the top level of its cell.
bool ends_cell(const State& state, const Step& step);

/// The tensor that the view of a step shows last; -1: none.
ValueId shown_value(const Trace& trace, const Step& step);

}  // namespace attn
