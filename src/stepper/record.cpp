#include "stepper/record.h"

#include <algorithm>

#include "base/text.h"
#include "engine/parameters.h"
#include "stepper/question.h"
#include "stepper/steps.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kLongestResult = 2000;  // bytes

std::vector<SessionAnswer> answers_of(const State& state) {
  std::vector<SessionAnswer> answers;
  for (std::size_t at = 0; at < step_count(state); ++at) {
    const auto posed = posed_at(state, at);
    if (!posed || !state.answered.contains(posed->key)) continue;
    const auto answer = state.progress.answers.find(posed->key);
    if (answer == state.progress.answers.end()) continue;
    const AnswerRecord& record = answer->second;
    answers.push_back({static_cast<int>(at) + 1, posed_text(*posed).front(), record.given, solution_text(state, *posed),
                       record.mark, record.tries, record.hints});
  }
  return answers;
}

std::vector<SessionLine> lines_of(const State& state) {
  std::vector<SessionLine> lines;
  for (std::size_t i = state.earlier_lines; i < state.progress.typed.size(); ++i) {
    const TypedRecord& typed = state.progress.typed[i];
    const auto at = place_of(state, typed.step);
    lines.push_back({at ? static_cast<int>(*at) + 1 : 0, typed.code, typed.result});
  }
  return lines;
}

/// What the run bound to a parameter: with words of the learner's own it is not what the lesson says. The literal
/// where the run did not get there.
std::string bound_value(const Trace& trace, const LessonParameter& parameter) {
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || !cell->options.parameters) continue;
    for (const StepId id : cell->steps)
      for (const Binding& binding : trace.step(id).bindings)
        if (binding.target == parameter.name) return trace.value(binding.value).text;
  }
  return parameter.literal;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parameter_values(const State& state) {
  const RunOptions& options = trace_of(state).options;
  std::vector<std::pair<std::string, std::string>> values;
  bool has_seed = false;
  for (LessonParameter parameter : parameters_of(*state.run->lesson)) {
    if (options.input) parameter.literal = bound_value(trace_of(state), parameter);
    const auto set = options.set.find(parameter.name);
    const bool is_seed = parameter.name == "seed" && options.seed;
    has_seed = has_seed || is_seed;
    values.emplace_back(parameter.name, is_seed                    ? std::to_string(*options.seed)
                                        : set == options.set.end() ? parameter.literal
                                                                   : set->second);
  }
  // Of a program the seed is no parameter.
  if (options.seed && !has_seed) values.emplace_back("seed", std::to_string(*options.seed));
  return values;
}

SessionRecord session_record(const State& state) {
  SessionRecord record;
  record.student = state.options.student;
  record.steps = static_cast<int>(step_count(state));
  record.step = std::min(static_cast<int>(state.at) + 1, record.steps);
  record.finished = is_finished(state);
  record.parameters = parameter_values(state);
  record.answers = answers_of(state);
  record.typed = lines_of(state);
  return record;
}

SessionRecord batch_record(const State& state, const std::vector<BatchAnswer>& answers) {
  SessionRecord record = session_record(state);
  record.step = record.steps;
  record.finished = true;
  record.answers.assign(answers.begin(), answers.end());
  return record;
}

std::string kept_result(std::string result) {
  if (result.size() <= kLongestResult) return result;
  std::size_t end = result.rfind('\n', kLongestResult);
  if (end == std::string::npos) {  // one long line
    for (end = kLongestResult; (result[end] & '\xc0') == '\x80'; --end) {
    }
    return result.substr(0, end) + "...\n";
  }
  const auto left_out = std::count(result.begin() + static_cast<std::ptrdiff_t>(end) + 1, result.end(), '\n');
  return result.substr(0, end + 1) + say_count("more.lines", left_out, {{"gap", "..."}}) + "\n";
}

}  // namespace attn
