#include "stepper/question.h"

#include <algorithm>

#include "base/text.h"
#include "explain/messages.h"
#include "explain/wording.h"
#include "render/source.h"
#include "stepper/attempt.h"
#include "stepper/steps.h"
#include "syntax/characters.h"
#include "syntax/lexer.h"
#include "syntax/parser.h"
#include "text/say.h"

namespace attn {
namespace {

/// The binding of a plain name to a tensor that a step makes by some op; null without one.
const Binding* made_tensor(const Trace& trace, const Step& step) {
  if (step.ops.empty() || step.bindings.size() != 1 || step.outcome == Outcome::Raised) return nullptr;
  const Binding& binding = step.bindings.front();
  if (binding.value < 0 || !trace.value(binding.value).is_tensor) return nullptr;
  return binding.target.find_first_of(".[") == std::string::npos ? &binding : nullptr;
}

/// Whether the result has a shape that none of the operands has.
bool changes_shape(const Trace& trace, const Step& step, const Binding& binding) {
  bool has_operand = false, same = false;
  for (const OpId id : step.ops) {
    for (const OpOperand& input : trace.op(id).inputs) {
      if (input.value < 0 || input.written.empty()) continue;
      has_operand = true;
      same = same || trace.value(input.value).shape == trace.value(binding.value).shape;
    }
  }
  return has_operand && !same;
}

bool is_first_of_cell(const CellRecord& cell, StepId id) { return !cell.steps.empty() && cell.steps.front() == id; }

bool binds(const Step& step, const std::string& name) {
  return std::any_of(step.bindings.begin(), step.bindings.end(), [&](const Binding& b) { return b.target == name; });
}

/// A line is asked for where the cell binds its name; all else before the cell is shown.
bool is_asked_here(const Trace& trace, const CellRecord& cell, StepId id) {
  if (cell.question->write.empty()) return is_first_of_cell(cell, id);
  const auto binding = std::find_if(cell.steps.begin(), cell.steps.end(),
                                    [&](StepId step) { return binds(trace.step(step), cell.question->write); });
  return binding == cell.steps.end() ? is_first_of_cell(cell, id) : *binding == id;
}

std::optional<Posed> quiz(const State& state, const Step& step, StepId id) {
  const Trace& trace = trace_of(state);
  const Binding* binding = made_tensor(trace, step);
  if (!binding || step.activation != 0 || !changes_shape(trace, step, *binding)) return std::nullopt;
  Posed posed{.from = Posed::From::Quiz, .key = "quiz:" + step.id, .step = id};
  posed.question.kind = Predict::Shape;
  posed.question.subject = binding->target;
  posed.question.value = binding->value;
  return posed;
}

/// The gap is what stands between the last brackets of a call, else all behind the equals sign.
std::optional<Posed> fade(const State& state, const Step& step, StepId id) {
  const Trace& trace = trace_of(state);
  const Binding* binding = made_tensor(trace, step);
  if (!binding || step.activation != 0 || step.parent >= 0 || !state.mastered.contains(step.id)) return std::nullopt;
  const Source line{"", std::string(trim(statement_text(trace, step))), 1};
  const auto size = static_cast<std::uint32_t>(line.text.size());
  const std::vector<Token> tokens = tokenize(line, 0, 0, size, LexMode::Joined).tokens;
  auto token = std::find_if(tokens.begin(), tokens.end(), [](const Token& each) {
    return each.kind == TokenKind::Operator && each.text.ends_with('=');
  });
  if (token == tokens.end() || line.text.find('\n') != std::string::npos) return std::nullopt;
  const Span value{0, (++token)->span.begin, size};
  Span gap = value;
  std::vector<std::uint32_t> open;
  for (; token != tokens.end(); ++token) {
    if (token->text == "(") open.push_back(token->span.end);
    if (token->text != ")" || open.empty()) continue;
    gap = {0, open.back(), token->span.begin};
    open.pop_back();
  }
  if (gap.begin == gap.end) gap = value;
  Posed posed{.from = Posed::From::Fade, .key = "fade:" + step.id, .step = id};
  posed.question.write = binding->target;
  posed.before = line.text.substr(0, gap.begin);
  posed.after = line.text.substr(gap.end);
  return posed;
}

/// What NAME was bound to by that step.
const RecordedValue* expected_value(const Trace& trace, const Posed& posed) {
  const Step& step = trace.step(posed.step);
  for (auto binding = step.bindings.rbegin(); binding != step.bindings.rend(); ++binding) {
    if (binding->target == posed.question.write && binding->value >= 0) return &trace.value(binding->value);
  }
  return nullptr;
}

/// Whether it is the right side of an assignment: `out.mean(dim=1)`, not `pooled = out`.
bool is_expression(const std::string& typed) {
  try {
    parse_expression(Source{"", typed, 1});
    return true;
  } catch (const CellError&) {
    return false;
  }
}

/// The line that is run: as typed, an expression alone bound to the name; or put in the gap.
std::string whole_line(const Posed& posed, const std::string& typed) {
  const bool is_line = typed.find(posed.question.write + " =") != std::string::npos ||
                       typed.find(posed.question.write + "=") != std::string::npos;
  if (posed.from == Posed::From::Fade && !is_line) return posed.before + typed + posed.after;
  return !is_line && is_expression(typed) ? posed.question.write + " = " + typed : typed;
}

/// The imports of the names that `attn-tutor eval` knows, for those that a line uses and the lesson has not imported.
std::vector<std::string> modules_for(const State& state, const Point& point, const std::string& line) {
  constexpr std::pair<std::string_view, std::string_view> kImports[] = {{"torch.", "import torch"},
                                                                        {"nn.", "import torch.nn as nn"},
                                                                        {"F.", "import torch.nn.functional as F"},
                                                                        {"math.", "import math"}};
  std::vector<std::string> imports;
  for (const auto& [name, import] : kImports) {
    const bool is_used = line.find(name) != std::string::npos;
    if (is_used && state.replays->members(point, std::string(name.substr(0, name.size() - 1))).empty())
      imports.emplace_back(import);
  }
  return imports;
}

Judgement judge_line(const State& state, const Posed& posed, const std::string& typed) {
  Judgement out;
  if (trim(typed).empty()) {
    out.words = {say("judge.empty")};
    return out;
  }
  const RecordedValue* expected = expected_value(trace_of(state), posed);
  const std::string line = whole_line(posed, typed);
  Point point{posed.step, true, {}};
  point.typed = modules_for(state, point, line);
  const Replays::Attempt attempt = state.replays->run_for(point, line, posed.question.write);
  out.given = typed;
  out.verdict = Verdict::Wrong;
  out.correct = solution_text(state, posed);
  if (attempt.evaluation.error) {
    out.verdict = Verdict::Unreadable;  // it is told, and counts as no attempt
    const DiagnosticStyle style{false, state.options.render.width};
    const std::string drawn = draw(explained(*attempt.evaluation.error), attempt.evaluation.source, style);
    for (const std::string_view row : split_lines(drawn)) out.words.emplace_back(row);
  } else if (!attempt.value || !expected) {
    out.verdict = Verdict::Unreadable;
    out.words = {say("judge.write.unbound", {{"name", posed.question.write}})};
  } else {
    const Judgement judged = judge_value(posed.question, *expected, *attempt.value);
    out.verdict = judged.verdict;
    out.words = judged.words;
    if (out.verdict == Verdict::Wrong && is_written(posed)) {
      std::string lines;
      for (const std::string& import : point.typed) lines += import + "\n";
      for (std::string& words : first_difference_in(state, posed.step, lines + line))
        out.words.push_back(std::move(words));
    }
  }
  return out;
}

// A row per kind of question, in the order of Predict.
constexpr const char* kPrompts[] = {"prompt.line", "prompt.shape", "prompt.value", "prompt.raises", "prompt.effect"};

}  // namespace

std::optional<Posed> posed_at(const State& state, std::size_t at) {
  if (at >= step_count(state)) return std::nullopt;
  const Step& step = step_at(state, at);
  const StepId id = state.run->order[at];
  const CellRecord& cell = cell_of(state, step);
  if (cell.question) {
    if (!is_asked_here(trace_of(state), cell, id)) return std::nullopt;
    Posed posed{.question = *cell.question, .key = step.id, .cell = &cell, .step = id};
    const bool has_value = posed.question.value >= 0 || posed.question.kind == Predict::Raises ||
                           posed.question.kind == Predict::Effect || posed.question.kind == Predict::None;
    return has_value ? std::optional(posed) : std::nullopt;
  }
  if (!cell.options.wrong.empty()) return std::nullopt;
  std::optional<Posed> posed;
  if (state.options.fade) posed = fade(state, step, id);
  if (!posed && state.options.quiz) posed = quiz(state, step, id);
  return posed;
}

std::optional<Posed> open_question(const State& state, std::size_t at) {
  std::optional<Posed> posed = posed_at(state, at);
  return posed && !state.answered.contains(posed->key) ? posed : std::nullopt;
}

bool is_asked(const State& state) {
  return state.stage == Stage::Question && open_question(state, state.at).has_value();
}

bool may_be_answer(const State& state, std::string_view typed) {
  constexpr std::string_view kOfLists = " ,.*-[]()";
  const auto is_letter = [](char c) { return c >= ' ' && c <= '~' && starts_name(c); };
  const auto is_of_answer = [&](char c) {
    return is_letter(c) || is_digit(c) || kOfLists.find(c) != std::string_view::npos;
  };
  if (typed.empty() || !is_letter(typed[0]) || !is_asked(state)) return false;
  const bool is_key = typed[0] == 'p' && open_question(state, state.at)->question.kind != Predict::Shape;
  return !is_key && std::all_of(typed.begin(), typed.end(), is_of_answer);
}

std::string_view without_name(const Posed& posed, std::string_view line) {
  const std::string begun = posed.question.write + " =";
  const bool is_bound = is_written(posed) && line.starts_with(begun) && !line.substr(begun.size()).starts_with('=');
  return trim(is_bound ? line.substr(begun.size()) : line);
}

std::vector<std::string> posed_text(const Posed& posed) {
  if (posed.from == Posed::From::Fade) return {say("question.fade")};
  if (posed.question.kind != Predict::Effect) return {question_text(posed.question)};
  std::vector<std::string> lines{say("question.effect.short")};
  for (const Effect effect : {Effect::Raises, Effect::OtherShape, Effect::OtherNumbers, Effect::NoDifference})
    lines.push_back(std::to_string(static_cast<int>(effect) + 1) + "  " + effect_text(effect));
  return lines;
}

std::string posed_prompt(const Posed& posed) {
  if (posed.from == Posed::From::Fade) return say("prompt.gap");
  return say(kPrompts[static_cast<std::size_t>(posed.question.kind)]);
}

Judgement judge_posed(const State& state, const Posed& posed, const std::string& typed) {
  if (posed.question.kind == Predict::None) return judge_line(state, posed, typed);
  return judge(posed.question, trace_of(state), typed, posed.cell);
}

std::string solution_text(const State& state, const Posed& posed) {
  if (posed.question.kind != Predict::None) return answer_text(trace_of(state), posed.question);
  return std::string(trim(statement_text(trace_of(state), trace_of(state).step(posed.step))));
}

}  // namespace attn
