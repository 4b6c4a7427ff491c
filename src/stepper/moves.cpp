#include "stepper/moves.h"

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "explain/lint/notes.h"
#include "explain/shown_slice.h"
#include "stepper/answer.h"
#include "stepper/question.h"
#include "stepper/recall.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

/// Free play is left on purpose only: what was typed would be lost.
bool may_leave(State& state) {
  if (!state.free_play) return true;
  tell(state, "free.leave_first");
  return false;
}

/// The first place from `from` up to `to` whose question waits.
std::size_t first_question(const State& state, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (open_question(state, i)) return i;
  }
  return to;
}

void move(State& state, std::optional<std::size_t> at, std::string_view otherwise) {
  if (!may_leave(state)) return;
  if (!at) return tell(state, otherwise);
  go_to(state, *at);
}

/// Moves the slice that is shown by one, the last leading axis first, around at the ends.
void move_slice(State& state, bool forward) {
  if (!has_slices(state)) return tell(state, "slice.none");
  const ValueId id = shown_value(trace_of(state), step_at(state, state.at));
  const Shape& shape = trace_of(state).value(id).shape;
  if (state.slice.empty()) state.slice = ShownSlices(trace_of(state)).of(step_at(state, state.at), id).index;
  state.slice.resize(shape.size() - 2, 0);
  for (std::size_t axis = state.slice.size(); axis-- > 0;) {
    std::int64_t& index = state.slice[axis];
    index += forward ? 1 : -1;
    if (index >= 0 && index < shape[axis]) break;
    index = forward ? 0 : shape[axis] - 1;
  }
  show_tables(state);
}

}  // namespace

void go_to(State& state, std::size_t at, bool prose) {
  state.at = std::min(at, step_count(state));
  state.stage = open_question(state, state.at) ? Stage::Question : Stage::Shown;
  state.hints = state.tries = 0;
  state.slice.clear();
  state.typed.clear();
  state.free_play = false;
  if (is_finished(state)) state.progress.finished = true;
  else if (!at_end(state)) state.progress.at = step_at(state, state.at).id;
  for (std::size_t i = group_begin(state, state.at); state.stage == Stage::Shown && i <= state.at && !at_end(state);
       ++i)
    state.progress.seen.insert(step_at(state, i).id);
  state.progress.steps = static_cast<int>(step_count(state));
  show_place(state, prose);
  const auto posed = state.stage == Stage::Question ? open_question(state, state.at) : std::nullopt;
  if (posed && is_written(*posed)) state.asked = Asked::Answer;
  state.actions.emplace_back(SaveProgress{});
}

void go_forward(State& state, std::size_t at) {
  if (!may_leave(state)) return;
  if (recalls_before(state, at)) return ask_recalled(state);
  const std::size_t stop = first_question(state, std::min(state.at + 1, at), at);
  go_to(state, stop < step_count(state) ? group_end(state, stop) : stop);
}

void next(State& state, std::string_view) {
  if (!may_leave(state)) return;
  if (state.stage == Stage::Question) return ask_answer(state);
  const auto at = next_at(state);
  if (!at && !state.options.next_lesson.first.empty()) {
    state.actions.emplace_back(SaveProgress{});
    state.actions.emplace_back(OpenLesson{state.options.next_lesson.first});
    state.actions.emplace_back(Quit{0});
    return;
  }
  if (!at) return tell(state, "move.end");
  go_forward(state, *at);
}

void back(State& state, std::string_view) { move(state, back_at(state, group_begin(state, state.at)), "move.begin"); }

void next_suspect(State& state, std::string_view) {
  const std::size_t steps = step_count(state), first = at_end(state) ? 0 : state.at + 1;
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t at = (first + i) % steps;
    if (!is_noted(trace_of(state), step_at(state, at))) continue;
    return at == state.at ? tell(state, "suspect.only") : move(state, at, "");
  }
  tell(state, "suspect.none");
}

void into(State& state, std::string_view) {
  if (state.stage == Stage::Question) return tell(state, "answer.first");
  move(state, into_at(state), "move.no_call");
}

void out_of(State& state, std::string_view) { move(state, out_at(state), "move.not_inside"); }

void next_prose(State& state, std::string_view) {
  if (state.stage == Stage::Question) return tell(state, "answer.first");
  const auto at = next_prose_at(state);
  if (!at) return tell(state, "move.no_prose");
  go_forward(state, *at);
}

void previous_prose(State& state, std::string_view) { move(state, previous_prose_at(state), "move.begin"); }

// "round 40"
std::optional<std::int64_t> round_asked(std::string_view text) {
  constexpr std::string_view kRound = "round ";
  return text.starts_with(kRound) ? parse_int(trim(text.substr(kRound.size()))) : std::nullopt;
}

void go_to_typed(State& state, std::string_view typed) {
  if (!may_leave(state)) return;
  const std::string_view text = trim(typed);
  if (text.empty()) return;
  std::optional<std::size_t> at;
  if (const auto number = parse_int(text)) {
    if (*number < 1 || *number > static_cast<std::int64_t>(step_count(state)))
      return tell(state, "goto.range", {{"steps", std::to_string(step_count(state))}});
    at = static_cast<std::size_t>(*number - 1);
  } else if (const auto round = round_asked(text)) {
    at = place_of_round(state, *round);
    if (!at) return tell(state, "goto.no_rounds");
    const std::int64_t nearest = step_at(state, *at).iteration + 1;
    if (nearest != *round)
      tell(state, "goto.round", {{"round", std::to_string(*round)}, {"nearest", std::to_string(nearest)}});
  } else {
    at = place_of_name(state, text);
  }
  if (!at) return tell(state, "goto.nowhere", {{"name", visible(elide(text, 40))}});
  if (state.options.no_skip && *at > state.at) {
    const std::size_t question = first_question(state, state.at, *at);
    if (question != *at) {
      tell(state, "goto.no_skip");
      at = question;
    }
  }
  go_to(state, *at);
}

void search_typed(State& state, std::string_view typed) {
  const std::string_view text = trim(typed);
  if (text.empty()) return;
  if (parse_int(text)) return go_to_typed(state, text);
  show_steps(state, text);
  state.asked = Asked::Search;
}

bool has_slices(const State& state) {
  if (at_end(state) || state.stage == Stage::Question) return false;
  const ValueId id = shown_value(trace_of(state), step_at(state, state.at));
  if (id < 0 || trace_of(state).value(id).shape.size() < 3) return false;
  const Shape& shape = trace_of(state).value(id).shape;
  return std::any_of(shape.begin(), shape.end() - 2, [](std::int64_t size) { return size > 1; });
}

void slice_next(State& state, std::string_view) { move_slice(state, true); }
void slice_back(State& state, std::string_view) { move_slice(state, false); }

}  // namespace attn
