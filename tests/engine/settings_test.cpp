// Every lesson with other seeds and other sizes, odd and unequal ones among them: it runs, or one of its own assertions
// says why it cannot. With its own, no question can be answered without thought.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "base/number.h"
#include "engine/parameters.h"
#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

using Settings = std::map<std::string, std::string>;

std::vector<Lesson> all_lessons() {
  std::vector<Lesson> lessons;
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries()) {
    if (runs_in_tests(entry.id, 1) == 0) continue;
    LoadFindings findings;
    lessons.push_back(catalogue.open(entry, findings));
  }
  return lessons;
}

std::string text_of(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += " --set " + name + "=" + value;
  return text;
}

Trace run(const Lesson& lesson, const Settings& settings) {
  RunOptions options;
  options.set = settings;
  return run_lesson(lesson, options);
}

/// "" when it ran to its end.
std::string error_of(const Trace& trace) {
  return trace.outcome == RunOutcome::Fine ? "" : trace.diagnostics.back().message + trace.diagnostics.back().hint;
}

TEST(Settings, EveryLessonRunsWithOtherSeeds) {
  constexpr const char* kSeeds[] = {"1", "42", "1234"};
  for (const Lesson& lesson : all_lessons())
    for (const char* seed : std::span(kSeeds).first(runs_in_tests(lesson.id, std::size(kSeeds))))
      EXPECT_EQ(error_of(run(lesson, {{"seed", seed}})), "") << lesson.id << seed;
}

// One parameter larger at a time: odd, even, equal to another one, and sizes that do not divide one another.
TEST(Settings, EveryParameterMayGrowUnlessAnAssertionForbidsIt) {
  int fine = 0;
  for (const Lesson& lesson : all_lessons()) {
    for (const LessonParameter& parameter : parameters_of(lesson)) {
      const auto value = parse_int(parameter.literal);
      if (!value || parameter.name == "seed") continue;
      const std::int64_t others[] = {*value + 1, *value * 2, *value + 3};
      for (const std::int64_t other : std::span(others).first(runs_in_tests(lesson.id, std::size(others)))) {
        const Settings settings{{parameter.name, std::to_string(other)}};
        const Trace trace = run(lesson, settings);
        fine += trace.outcome == RunOutcome::Fine;
        if (trace.outcome == RunOutcome::Fine) continue;
        EXPECT_EQ(trace.diagnostics.back().code, Code::Assertion) << lesson.id << text_of(settings) << error_of(trace);
      }
    }
  }
  EXPECT_GT(fine, 80);
}

// Sizes that no two axes share, chosen so that the heads divide the width.
TEST(Settings, EveryLessonRunsWithUnequalSizes) {
  const std::pair<const char*, Settings> rows[] = {
      {"three-words", {{"hidden_dim", "7"}}},
      {"one-attention", {{"query_len", "7"}, {"key_len", "3"}, {"hidden_dim", "11"}}},
      {"heads", {{"n_heads", "3"}, {"query_len", "7"}, {"key_len", "4"}, {"hidden_dim", "15"}}},
      {"batch", {{"batch_size", "5"}, {"n_heads", "3"}, {"query_len", "7"}, {"key_len", "4"}, {"hidden_dim", "18"}}},
      {"masks", {{"batch_size", "4"}, {"n_heads", "3"}, {"query_len", "7"}, {"key_len", "9"}, {"hidden_dim", "15"}}},
      {"padding-and-embedding", {{"vocab_size", "123"}, {"n_heads", "3"}, {"hidden_dim", "33"}}},
      {"a-weight-matrix-per-head", {{"batch_size", "5"}, {"n_heads", "3"}, {"query_len", "4"}, {"hidden_dim", "21"}}},
      {"self-cross-causal",
       {{"batch_size", "4"}, {"n_heads", "3"}, {"src_len", "9"}, {"tgt_len", "7"}, {"hidden_dim", "15"}}},
      {"additive-attention",
       {{"batch_size", "5"}, {"key_len", "7"}, {"input_dim", "3"}, {"hidden_dim", "11"}, {"output_dim", "13"}}},
      {"tour", {{"n_words", "5"}, {"width", "7"}}},
      {"one-module",
       {{"batch_size", "4"}, {"n_heads", "3"}, {"query_len", "7"}, {"key_len", "9"}, {"hidden_dim", "15"}}},
      {"a-real-layer", {{"n_sentences", "7"}, {"sentence_len", "5"}}},
      {"positions", {{"n_heads", "3"}, {"query_len", "7"}, {"hidden_dim", "18"}, {"max_len", "13"}}},
      {"one-block",
       {{"batch_size", "4"}, {"n_heads", "3"}, {"query_len", "7"}, {"hidden_dim", "15"}, {"vocab_size", "23"}}},
      {"decoding-with-a-cache", {{"batch_size", "4"}, {"n_heads", "3"}, {"key_len", "9"}, {"hidden_dim", "15"}}},
      {"grouped-heads-and-windows",
       {{"batch_size", "5"},
        {"n_heads", "6"},
        {"n_key_heads", "3"},
        {"key_len", "7"},
        {"hidden_dim", "24"},
        {"text_len", "11"},
        {"window", "4"}}},
      {"softmax-in-pieces", {{"query_len", "7"}, {"key_len", "10"}, {"head_dim", "5"}, {"block_len", "3"}}},
      {"the-first-gradient", {{"query_len", "7"}, {"key_len", "3"}, {"hidden_dim", "11"}, {"wide_dim", "100"}}},
      {"training-a-small-one", {{"vocab_size", "13"}, {"hidden_dim", "15"}}},
      {"a-model-that-writes", {{"n_echoes", "9"}, {"period", "7"}}},
  };
  std::map<std::string, Settings> settings(std::begin(rows), std::end(rows));
  for (const Lesson& lesson : all_lessons()) {
    bool has_sizes = false;
    for (const LessonParameter& parameter : parameters_of(lesson))
      has_sizes = has_sizes || (parameter.name != "seed" && parse_int(parameter.literal));
    if (!has_sizes) continue;
    ASSERT_TRUE(settings.contains(lesson.id)) << "give it a row of sizes here: " << lesson.id;
    const Trace trace = run(lesson, settings[lesson.id]);
    EXPECT_EQ(error_of(trace), "") << lesson.id << text_of(settings[lesson.id]);
    for (const Diagnostic& diagnostic : trace.diagnostics)
      EXPECT_NE(diagnostic.severity, Severity::Warning) << lesson.id << ": " << diagnostic.message;
  }
}

// With one of everything there is nothing to exchange, and no remark may depend on it.
TEST(Settings, ALessonRunsWithSizesOfOne) {
  for (const Lesson& lesson : all_lessons()) {
    if (lesson.id != "one-attention" && lesson.id != "batch") continue;
    Settings ones;
    for (const LessonParameter& parameter : parameters_of(lesson))
      if (parameter.name != "seed" && parse_int(parameter.literal)) ones[parameter.name] = "1";
    EXPECT_EQ(error_of(run(lesson, ones)), "") << lesson.id << text_of(ones);
  }
}

// Who always gives the commonest answer is right at most so often.
TEST(Questions, HaveNoAnswerThatIsAlmostAlwaysRight) {
  std::map<Effect, double> effects;
  std::map<bool, double> raises;
  double n_effects = 0, n_raises = 0;
  for (const Lesson& lesson : all_lessons()) {
    for (const TraceBlock& block : run(lesson, {}).blocks) {
      const auto* cell = std::get_if<CellRecord>(&block);
      if (!cell || !cell->question) continue;
      const Question& question = *cell->question;
      if (question.kind == Predict::Effect) ++effects[question.effect], ++n_effects;
      if (question.kind == Predict::Raises) ++raises[question.raises], ++n_raises;
    }
  }
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  EXPECT_EQ(effects.size(), 4u);
  EXPECT_LE(std::max_element(effects.begin(), effects.end(), by_count)->second, 0.5 * n_effects);
  EXPECT_EQ(raises.size(), 2u);
  EXPECT_LE(std::max_element(raises.begin(), raises.end(), by_count)->second, 0.6 * n_raises);
}

TEST(Settings, AnAssertionShowsTheValues) {
  for (const Lesson& lesson : all_lessons()) {
    if (lesson.id != "batch") continue;
    const Trace trace = run(lesson, {{"n_heads", "3"}});
    EXPECT_EQ(error_of(trace), "this must hold: hidden_dim % n_heads == 0, but 8 % 3 is 2");
  }
}

// Equal lengths hide an error that lesson 3 is about; the lesson goes on and says so.
TEST(Settings, AnErrorThatSizesHideIsNoted) {
  for (const Lesson& lesson : all_lessons()) {
    if (lesson.id != "batch") continue;
    const Trace trace = run(lesson, {{"query_len", "6"}});
    EXPECT_EQ(trace.outcome, RunOutcome::Fine);
    ASSERT_FALSE(trace.diagnostics.empty());
    EXPECT_EQ(trace.diagnostics.back().message, "with the values of this run there is no RuntimeError here");
    EXPECT_EQ(trace.diagnostics.back().severity, Severity::Warning);
  }
}

}  // namespace
}  // namespace attn
