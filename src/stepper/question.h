#pragma once
// What is asked at a step: the lesson's own questions, those of --quiz, and the gaps of --fade.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"
#include "stepper/judge.h"
#include "stepper/state.h"

namespace attn {

struct Posed {
  enum class From { Lesson, Quiz, Fade };
  From from = From::Lesson;
  Question question = {};
  std::string key = {};                 // in Progress::answers
  const CellRecord* cell = nullptr;     // hints, traps and why; null but for From::Lesson
  StepId step = -1;                     // before which it is asked
  std::string before = {}, after = {};  // of From::Fade: the code around the gap
};

/// Whether a line of its own is written for it.
inline bool is_written(const Posed& posed) {
  return posed.from == Posed::From::Lesson && posed.question.kind == Predict::None;
}

/// What a learner has typed: of "scores = q @ k", where the line begins with the name that it binds, "q @ k".
std::string_view without_name(const Posed& posed, std::string_view line);

/// The question of a step, answered or not.
std::optional<Posed> posed_at(const State& state, std::size_t at);

/// The same, if it still waits for an answer.
std::optional<Posed> open_question(const State& state, std::size_t at);

/// Whether the learner is at a question that waits for an answer.
bool is_asked(const State& state);
/// Whether it is, and its answer may be or begin with what was typed where keys are read. p asks for the line, unless
/// the answer is a list of names.
bool may_be_answer(const State& state, std::string_view typed);

/// The question as a sentence, with the choices numbered where there are some.
std::vector<std::string> posed_text(const Posed& posed);
/// "shape> ", "yes or no> "
std::string posed_prompt(const Posed& posed);

/// Judges what was typed; lines of code are run at the step.
Judgement judge_posed(const State& state, const Posed& posed, const std::string& typed);

/// What answers it, for a learner who gives up: the shape, or the lesson's own line.
std::string solution_text(const State& state, const Posed& posed);

}  // namespace attn
