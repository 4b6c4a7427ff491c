#include "stepper/recall.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "render/text.h"
#include "stepper/answer.h"
#include "stepper/question.h"
#include "stepper/show.h"
#include "stepper/steps.h"
#include "syntax/characters.h"
#include "text/say.h"

namespace attn {
namespace {

/// The tensors that the code of the question reads, which the lesson shows further up.
std::vector<std::string> operands_of(const State& state) {
  const Trace& trace = trace_of(state);
  const CellRecord& cell = cell_of(state, step_at(state, state.at));
  std::map<std::string, std::string> found;
  for (const StepId step : cell.steps) {
    for (const OpId op : trace.step(step).ops) {
      for (const OpOperand& input : trace.op(op).inputs) {
        const bool is_name =
            input.value >= 0 && std::all_of(input.written.begin(), input.written.end(), continues_name);
        const bool is_known = is_name && !input.written.empty() && !trace.value(input.value).shape.empty();
        if (is_known) found.emplace(input.written, input.written + " " + axes_text(trace.value(input.value)));
      }
    }
    for (const Binding& binding : trace.step(step).bindings) found.erase(binding.target);
  }
  std::vector<std::string> texts;
  for (const auto& [name, text] : found) texts.push_back(text);
  return texts;
}

}  // namespace

bool has_recall(const Lesson& lesson) {
  return std::any_of(lesson.blocks.begin(), lesson.blocks.end(), [](const LessonBlock& block) {
    const Prose* prose = std::get_if<Prose>(&block);
    return prose && is_chapter(*prose) && plain_text(prose->runs) == say("recall.heading");
  });
}

bool recalls_before(const State& state, std::size_t at) {
  if (!state.recall || at <= state.at) return false;
  const Chapter here = chapter_of(state, state.at);
  return here.title == say("recall.heading") && chapter_of(state, at).begin != here.begin;
}

void ask_recalled(State& state) {
  State asked = *state.recall;
  asked.said.clear();
  asked.options.render = state.options.render;
  asked.options.accessible = state.options.accessible;
  const std::optional<int> number = lesson_number(trace_of(asked));
  tell(state, "recall.ask", {{"lesson", number ? std::to_string(*number) : trace_of(asked).title}});
  show_place(asked, true, false);
  state.said += asked.said;
  if (const std::vector<std::string> operands = operands_of(asked); !operands.empty())
    tell(state, "recall.operands", {{"list", join(operands, ", ")}});
  state.asked = Asked::Recall;
}

bool answer_recalled(State& state, std::string_view typed) {
  State asked = *state.recall;
  asked.said.clear();
  asked.actions.clear();
  asked.options.render = state.options.render;
  answer_typed(asked, typed, false);
  state.said += asked.said;
  if (asked.stage == Stage::Question) {
    state.recall = std::make_shared<const State>(std::move(asked));
    state.asked = Asked::Recall;
    return false;
  }
  state.actions.emplace_back(SaveRecalled{asked.progress});
  state.recall.reset();
  return true;
}

std::string recall_prompt(const State& state) {
  const auto posed = open_question(*state.recall, state.recall->at);
  return posed ? posed_prompt(*posed) : "";
}

}  // namespace attn
