#include "stepper/answer.h"

#include <algorithm>

#include "base/letters.h"
#include "base/text.h"
#include "render/prose.h"
#include "stepper/question.h"
#include "stepper/show.h"
#include "stepper/steps.h"

namespace attn {
namespace {

constexpr int kMostTries = 3;  // then the answer is shown

std::size_t hint_count(const Posed& posed) { return posed.cell ? posed.cell->hints.size() : 0; }

void tell_prose(State& state, std::string_view label, const std::vector<Prose>& prose) {
  if (prose.empty()) return;
  Page page(state.options.render);
  {
    Line first(say(label), Style::Ask);
    const int width = page.width() >= 60 ? 10 : 2;
    const Page::Indent indent = page.indent(first.add(" ").pad_right(width), blanks(width));
    put_prose(page, prose);
  }
  state.said += page.text();
}

/// A question with two answers, or four, is over after one.
bool is_over(const State& state, const Posed& posed) {
  const bool choice = posed.question.kind == Predict::Raises || posed.question.kind == Predict::Effect;
  if (choice) return true;
  if (state.options.no_skip && static_cast<std::size_t>(state.hints) < hint_count(posed)) return false;
  return state.tries >= kMostTries;
}

/// Notes how the question ended, says why, and shows the step.
void close(State& state, const Posed& posed, const std::string& given, Mark mark) {
  AnswerRecord& record = state.progress.answers[posed.key];
  record = {given, mark, state.tries, state.hints};
  state.answered.insert(posed.key);
  if (mark != Mark::Right) {
    const std::string solution = solution_text(state, posed);
    if (!solution.empty()) tell_labelled(state, "label.answer", {solution});
  }
  if (posed.cell) tell_prose(state, "label.why", posed.cell->why);
  state.stage = Stage::Shown;
  state.hints = state.tries = 0;
  state.progress.seen.insert(step_at(state, state.at).id);
  state.said += "\n";
  show_step(state);
  state.actions.emplace_back(SaveProgress{});
}

void give_hint(State& state, const Posed& posed) {
  if (static_cast<std::size_t>(state.hints) >= hint_count(posed)) {
    tell(state, hint_count(posed) == 0 ? "hint.none" : state.options.no_skip ? "hint.no_more" : "hint.over");
    return;
  }
  tell_prose(state, "label.hint", posed.cell->hints[static_cast<std::size_t>(state.hints++)]);
}

void tell_mistake(State& state, const Judgement& judgement, std::string_view label) {
  if (judgement.trap) {
    tell_prose(state, label, judgement.trap->text);
  } else {
    tell_labelled(state, label, judgement.words);
  }
}

void judge_answer(State& state, const Posed& posed, const std::string& typed, bool is_command) {
  const Judgement judgement = judge_posed(state, posed, typed);
  if (judgement.verdict == Verdict::Unreadable) {
    Page page(state.options.render);
    for (const std::string& line : judgement.words) page.put(Line(line), 4);
    state.said += page.text();
    if (is_command) tell(state, "answer.command", {{"word", typed}});
    state.asked = Asked::Answer;
    return;
  }
  if (judgement.verdict == Verdict::Right) {
    tell_labelled(state, "label.right", {judgement.correct.empty() ? say("judge.line.right") : judgement.correct});
    return close(state, posed, typed, Mark::Right);
  }
  ++state.tries;
  const bool over = is_over(state, posed);
  tell_mistake(state, judgement, over ? "label.over" : "label.wrong");
  if (over) return close(state, posed, typed, Mark::Wrong);
  tell(state, "answer.again");
  state.asked = Asked::Answer;
}

}  // namespace

void ask_answer(State& state) {
  if (state.stage != Stage::Question || !open_question(state, state.at)) return tell(state, "answer.nothing");
  state.asked = Asked::Answer;
}

void answer_typed(State& state, std::string_view typed, bool is_command) {
  const auto posed = state.stage == Stage::Question ? open_question(state, state.at) : std::nullopt;
  if (!posed) return tell(state, "answer.nothing");
  const std::string_view own = without_name(*posed, trim(typed));
  const std::string word = lower_case(own);
  if (word == "skip") return skip(state, "");
  if (word == "h" || word == "hint") {
    state.asked = Asked::Answer;
    return give_hint(state, *posed);
  }
  if (!own.empty()) return judge_answer(state, *posed, std::string(trim(typed)), is_command);
  // Enter alone: one hint after the other, then the answer.
  const bool hints_left = static_cast<std::size_t>(state.hints) < hint_count(*posed);
  if (hints_left) {
    state.asked = Asked::Answer;
    return give_hint(state, *posed);
  }
  skip(state, "");
}

void hint(State& state, std::string_view) {
  const auto posed = state.stage == Stage::Question ? open_question(state, state.at) : std::nullopt;
  if (!posed) return tell(state, "answer.nothing");
  give_hint(state, *posed);
}

void skip(State& state, std::string_view) {
  const auto posed = state.stage == Stage::Question ? open_question(state, state.at) : std::nullopt;
  if (!posed) return tell(state, "answer.nothing");
  if (state.options.no_skip) {
    tell(state, "skip.refused");
    return;
  }
  tell(state, "skip.done");
  close(state, *posed, "", Mark::Skipped);
}

}  // namespace attn
