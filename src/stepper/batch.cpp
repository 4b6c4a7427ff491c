#include "stepper/batch.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/letters.h"
#include "base/limits.h"
#include "base/text.h"
#include "render/page.h"
#include "render/source.h"
#include "stepper/question.h"
#include "stepper/sheet.h"
#include "stepper/steps.h"
#include "text/say.h"

namespace attn {
namespace {

// In the order of Mark.
constexpr const char* kMarkSentences[] = {"batch.right", "batch.wrong", "batch.skipped"};

std::vector<std::string> paragraphs(const std::vector<Prose>& prose) {
  std::vector<std::string> out;
  for (const Prose& block : prose) out.push_back(block.runs.empty() ? block.text : plain_text(block.runs));
  return out;
}

/// An answer that works longer than the longest lesson, for seconds, is wrong: those behind it are judged, too.
constexpr std::int64_t kMostAnswerWork = 1'000'000'000;

BatchAnswer judged(const State& state, std::size_t at, const Posed& posed, const std::string& typed) {
  Limits limits = thread_limits.limits;
  limits.max_work = std::min(limits.max_work, kMostAnswerWork);
  const LimitScope scope(limits);
  BatchAnswer answer;
  answer.step = static_cast<int>(at) + 1;
  answer.question = posed_text(posed).front();
  answer.given = typed;
  if (posed.question.kind != Predict::None)
    answer.code = naming_line(trace_of(state), trace_of(state).step(posed.step), {});
  answer.correct = solution_text(state, posed);
  if (typed.empty() || lower_case(typed) == "skip") return answer;
  const Judgement judgement = judge_posed(state, posed, typed);
  answer.mark = judgement.verdict == Verdict::Right ? Mark::Right : Mark::Wrong;
  answer.words = judgement.trap ? paragraphs(judgement.trap->text) : judgement.words;
  if (judgement.trap) answer.trap = static_cast<int>(judgement.trap - posed.cell->traps.data());
  answer.understood = judgement.given.empty() ? typed : judgement.given;
  return answer;
}

int count(const std::vector<BatchAnswer>& answers, Mark mark) {
  return static_cast<int>(
      std::count_if(answers.begin(), answers.end(), [&](const BatchAnswer& a) { return a.mark == mark; }));
}

}  // namespace

std::vector<BatchAnswer> answer_all(const State& state, const std::string& text) {
  return answer_all(state, read_sheet(text).answers);
}

std::vector<BatchAnswer> answer_all(const State& state, const std::vector<std::string>& typed) {
  std::vector<BatchAnswer> out;
  for (std::size_t at = 0; at < step_count(state); ++at) {
    const auto posed = posed_at(state, at);
    if (posed) out.push_back(judged(state, at, *posed, out.size() < typed.size() ? typed[out.size()] : ""));
  }
  return out;
}

bool all_right(const std::vector<BatchAnswer>& answers) {
  return count(answers, Mark::Right) == static_cast<int>(answers.size());
}

std::string batch_text(const std::vector<BatchAnswer>& answers, const RenderOptions& options) {
  Page page(options);
  for (const BatchAnswer& answer : answers) {
    const Page::Indent indent =
        page.indent(Line(std::to_string(answer.step), Style::Dim).pad_left(4).add("  "), blanks(6));
    page.put(Line(answer.question), 2);
    page.put(Line(say(kMarkSentences[static_cast<std::size_t>(answer.mark)],
                      {{"given", elide(answer.given, 60)}, {"correct", answer.correct}})),
             2);
    for (const std::string& word : answer.words) page.put(Line(word), 2);
  }
  if (answers.empty()) page.put(say("batch.none"));
  page.gap();
  page.put(say("session.score", {{"right", std::to_string(count(answers, Mark::Right))},
                                 {"wrong", std::to_string(count(answers, Mark::Wrong))},
                                 {"skipped", std::to_string(count(answers, Mark::Skipped))}}));
  return page.text();
}

std::string batch_json(const std::vector<BatchAnswer>& answers) {
  nlohmann::json rows = nlohmann::json::array();
  for (const BatchAnswer& answer : answers) {
    rows.push_back({{"step", answer.step},
                    {"question", answer.question},
                    {"given", answer.given},
                    {"correct", answer.correct},
                    {"mark", kMarkWords[static_cast<std::size_t>(answer.mark)]},
                    {"why", answer.words}});
  }
  const nlohmann::json out = {{"right", count(answers, Mark::Right)},
                              {"wrong", count(answers, Mark::Wrong)},
                              {"skipped", count(answers, Mark::Skipped)},
                              {"questions", rows}};
  return json_text(out, 2) + "\n";
}

}  // namespace attn
