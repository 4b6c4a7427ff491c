#include "engine/student.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/letters.h"
#include "base/number.h"
#include "base/sha256.h"
#include "base/text.h"
#include "engine/parameters.h"
#include "engine/runner.h"
#include "engine/traps.h"

namespace attn {
namespace {

constexpr std::uint64_t kSeeds = 9000;    // from 1000: four digits are quickly compared and typed
constexpr std::uint64_t kMostTries = 40;  // then the lesson's own sizes, with other seeds
constexpr std::uint64_t kMostSeeds = 20;  // then its own seed, too

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes.substr(0, 8)) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

/// A size, half as much again, and twice as much.
struct Choice {
  std::string name;
  std::vector<std::int64_t> values;
};

std::vector<Choice> choices_of(const Lesson& lesson) {
  std::vector<Choice> choices;
  for (const LessonParameter& parameter : parameters_of(lesson)) {
    const auto size = parse_int(parameter.literal);
    if (!size || *size < 2 || !parameter.follows.empty() || parameter.name == "seed") continue;
    choices.push_back({parameter.name, {*size, *size + *size / 2, 2 * *size}});
  }
  return choices;
}

std::vector<const CellRecord*> cells_of(const Trace& trace) {
  std::vector<const CellRecord*> cells;
  for (const TraceBlock& block : trace.blocks)
    if (const CellRecord* cell = std::get_if<CellRecord>(&block)) cells.push_back(cell);
  return cells;
}

/// The sizes that a shape question tells apart.
std::size_t distinct_sizes(const Trace& trace, const Question& question) {
  if (question.value < 0) return 0;
  const Shape& shape = trace.value(question.value).shape;
  return std::set<std::int64_t>(shape.begin(), shape.end()).size();
}

bool takes_seed(const Lesson& lesson) {
  const std::vector<LessonParameter> parameters = parameters_of(lesson);
  return lesson.form != LessonForm::Lesson ||
         std::any_of(parameters.begin(), parameters.end(), [](const LessonParameter& p) { return p.name == "seed"; });
}

bool asks_alike(const Trace& trace, const CellRecord& cell, const Trace& own, const CellRecord& other) {
  if (cell.failed || cell.raised != other.raised || cell.question.has_value() != other.question.has_value())
    return false;
  if (cell.comparison.has_value() != other.comparison.has_value()) return false;
  if (cell.comparison && cell.comparison->effect != other.comparison->effect) return false;
  if (!cell.question) return true;
  const Question &here = *cell.question, &there = *other.question;
  if (here.raises != there.raises || here.effect != there.effect || (here.value < 0) != (there.value < 0)) return false;
  if (here.kind == Predict::Shape && distinct_sizes(trace, here) < distinct_sizes(own, there)) return false;
  for (std::size_t i = 0; i < cell.traps.size() && i < other.traps.size(); ++i) {
    if (is_the_answer(cell.traps[i].answer, here, trace) && !is_the_answer(other.traps[i].answer, there, own))
      return false;
  }
  return true;
}

/// Whether all that the lesson claims of its own run holds for this one.
bool is_like(const Trace& trace, const Trace& own) {
  if (trace.outcome != RunOutcome::Fine || trace.diagnostics.size() != own.diagnostics.size()) return false;
  const std::vector<const CellRecord*> here = cells_of(trace), there = cells_of(own);
  return std::equal(here.begin(), here.end(), there.begin(), there.end(),
                    [&](const CellRecord* a, const CellRecord* b) { return asks_alike(trace, *a, own, *b); });
}

/// The run with that number among all that the choices allow.
RunOptions numbered(const std::vector<Choice>& choices, std::uint64_t number, std::optional<std::int64_t> seed) {
  RunOptions options;
  options.seed = seed;
  for (const Choice& choice : choices) {
    options.set[choice.name] = std::to_string(choice.values[number % choice.values.size()]);
    number /= choice.values.size();
  }
  return options;
}

}  // namespace

std::string student_key(std::string_view name) {
  std::string key = case_fold(composed(trim(replaced(valid_utf8(name), "\xC2\xA0", " "))));
  while (key.find("  ") != std::string::npos) key = replaced(key, "  ", " ");
  return key;
}

std::string lesson_hash(const Lesson& lesson) { return hex_digits(sha256(lesson.source.text)).substr(0, 12); }

RunOptions student_run(const Lesson& lesson, const Trace& own, std::string_view name) {
  const std::string digest = sha256(lesson.id + "\n" + student_key(name));
  const std::uint64_t first = number_in(digest), start = number_in(std::string_view(digest).substr(8));
  const bool has_seed = takes_seed(lesson);
  const auto seed_after = [&](std::uint64_t tries) {
    return has_seed ? std::optional(static_cast<std::int64_t>(1000 + (first + tries) % kSeeds)) : std::nullopt;
  };
  const std::vector<Choice> choices = choices_of(lesson);
  std::uint64_t count = 1;
  for (const Choice& choice : choices) count *= choice.values.size();
  // The step is prime to every number of choices, which are powers of 3: no run is tried twice, and neighbors differ
  // in more than their first size.
  for (std::uint64_t i = 0; i < std::min(count, kMostTries); ++i) {
    RunOptions options = numbered(choices, (start + 7 * i) % count, seed_after(0));
    if (is_like(run_lesson(lesson, options), own)) return options;
  }
  for (std::uint64_t i = 0; i < kMostSeeds; ++i) {
    RunOptions options = numbered({}, 0, seed_after(i));
    if (is_like(run_lesson(lesson, options), own)) return options;
  }
  return {};
}

RunOptions student_run(const Lesson& lesson, std::string_view name) {
  return student_run(lesson, run_lesson(lesson), name);
}

}  // namespace attn
