// A Trace by itself, and that the same input gives the same one.
#include "engine/trace.h"

#include <gmock/gmock.h>

#include <functional>

#include "engine/check.h"
#include "lesson/catalogue.h"
#include "syntax/parser.h"
#include "tensor/core/parallel.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

TEST(AxesText, NamesAndSizes) {
  RecordedValue value;
  EXPECT_EQ(axes_text(value), "[]");
  value.shape = {3, 5};
  value.axes = {{"batch_size", nullptr}, {"", nullptr}};
  EXPECT_EQ(axes_text(value), "[batch_size 3, 5]");
}

TEST(CostOf, CountsWhatIsInACompositeOnce) {
  Trace trace;
  trace.ops.resize(3);
  trace.ops[0].bytes = 100;
  trace.ops[1].parent = 0;
  trace.ops[1].bytes = 100;
  trace.ops[1].multiply_adds = 7;
  trace.ops[2].bytes = 4;
  trace.ops[2].multiply_adds = 2;
  Step step;
  step.ops = {0, 1, 2};
  EXPECT_EQ(cost_of(trace, step).multiply_adds, 9);
  EXPECT_EQ(cost_of(trace, step).bytes, 104);
}

TEST(Outline, CountsStatementsThatAreShown) {
  const Lesson lesson = lesson_of(cell("a = 1\nfor i in range(3):\n  b = i\n# a: [x]\nc = 2") + cell("d = (", "") +
                                  cell("e = 1", "hidden"));
  EXPECT_EQ(count_statements(lesson), 3);
}

// 150 words a minute, 15 seconds a statement, a minute a question; rounded up to 5 minutes.
TEST(Outline, MeasuresMinutes) {
  const auto minutes = [](int words, int statements, const std::string& questions = "") {
    std::string body = cell("import torch", "hidden");
    for (int i = 0; i < words; ++i) body += i == 0 ? "word" : " word";
    body += "\n\n";
    std::string code;
    for (int i = 0; i < statements; ++i) code += fmt::format("a{} = 1\n", i);
    return minutes_to_learn(lesson_of(body + (statements > 0 ? cell(code) : "") + questions));
  };
  EXPECT_EQ(minutes(745, 0), 5);
  EXPECT_EQ(minutes(755, 0), 10);
  EXPECT_EQ(minutes(0, 20), 5);
  EXPECT_EQ(minutes(0, 21), 10);
  EXPECT_EQ(minutes(149, 12, cell("b = 1", "predict=value") + "> **Hint** Look.\n\n"), 10);
}

std::uint64_t hash_of(const std::byte* bytes, std::int64_t count) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count)});
}

// Everything in a Trace as text, the numbers by their bits.
std::string written(const Trace& trace) {
  std::string out = fmt::format("{} {}\n", trace.lesson_id, static_cast<int>(trace.outcome));
  for (const Step& step : trace.steps) {
    out += fmt::format("{} {} {} {} {} {}\n", step.id, step.parent, step.iteration, step.value, step.printed,
                       step.diagnostic);
    for (const Binding& binding : step.bindings) out += fmt::format("  {} = {}\n", binding.target, binding.value);
    out += ops_of(trace, step);
  }
  for (const RecordedValue& value : trace.values) {
    out += fmt::format("{} {} {} {} {} {}", value.type, value.text, axes_text(value), value.storage, value.version,
                       value.grad_fn);
    if (value.is_tensor && value.tensor.defined()) {
      const auto& buffer = *value.tensor.storage().buffer;
      out += fmt::format(" {:016x}", hash_of(buffer.data(), buffer.bytes()));
    }
    out += "\n";
  }
  return out + messages_of(trace) + prose_of(trace);
}

Lesson built_in(const std::string& name) {
  LoadFindings findings;
  const Lesson lesson = Catalogue::built_in().open(name, findings);
  EXPECT_TRUE(findings.diagnostics.empty()) << name;
  return lesson;
}

// Two long texts, compared without printing both.
void expect_same(const std::string& a, const std::string& b) {
  if (a == b) return;
  const auto place =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
  const auto at = static_cast<std::size_t>(place.first - a.begin());
  const std::size_t begin = at < 60 ? 0 : at - 60;
  ADD_FAILURE() << "..." << a.substr(begin, 120) << "\n against\n..." << b.substr(begin, 120);
}

TEST(Trace, IsTheSameForTheSameInput) {
  for (const char* name : {"1", "3"})
    expect_same(written(run_lesson(built_in(name))), written(run_lesson(built_in(name))));
}

TEST(Trace, IsAnotherForAnotherSeed) {
  RunOptions options;
  options.seed = 1;
  EXPECT_NE(written(run_lesson(built_in("1"))), written(run_lesson(built_in("1"), options)));
}

TEST(Trace, DoesNotDependOnTheNumberOfThreads) {
  // Large enough for the products that are divided among threads.
  const std::string body = cell(
      "torch.manual_seed(0)\nx = torch.randn(3, 130, 70)\nw = torch.randn(70, 150)\ny = x @ w\nz = y.transpose(1, 2) @ "
      "y");
  const int before = threads();
  set_threads(1);
  const std::string one = written(trace_of(body)), lesson_one = written(run_lesson(built_in("5")));
  set_threads(2);
  const std::string two = written(trace_of(body)), lesson_two = written(run_lesson(built_in("5")));
  set_threads(before);
  expect_same(one, two);
  expect_same(lesson_one, lesson_two);
}

TEST(Trace, OutlivesTheLesson) {
  Trace trace;
  {
    const Lesson lesson = lesson_of("A {{ 1 + 1 }}.\n\n" + cell("x = torch.ones(2)\nx + 1"));
    trace = run_lesson(lesson);
  }
  EXPECT_EQ(numbers_of(value_of(trace, "x")), "1 1");
  EXPECT_EQ(prose_of(trace), "Small\nA 2.\n");
}

// ---- the lessons of the program ----

struct LessonRun {
  std::string lesson;
  std::map<std::string, std::string> set;
};

void PrintTo(const LessonRun& run, std::ostream* out) {
  *out << run.lesson;
  for (const auto& [name, value] : run.set) *out << " " << name << "=" << value;
}

// A lesson may bind the name anew later on.
std::string first_value_of(const Trace& trace, const std::string& name) {
  for (const Step& step : trace.steps) {
    for (const Binding& binding : step.bindings) {
      if (binding.target == name) return trace.value(binding.value).text;
    }
  }
  return "none";
}

class Lessons : public testing::TestWithParam<LessonRun> {};

TEST_P(Lessons, RunWithoutAFailedCell) {
  RunOptions options;
  options.set = GetParam().set;
  const Trace trace = run_lesson(built_in(GetParam().lesson), options);
  EXPECT_EQ(trace.outcome, RunOutcome::Fine) << messages_of(trace);
  for (const CellRecord* record : cells_of(trace)) EXPECT_FALSE(record->failed) << "cell " << record->ordinal;
  for (const auto& [name, value] : GetParam().set) EXPECT_EQ(first_value_of(trace, name), value);
}

INSTANTIATE_TEST_SUITE_P(OtherSizes, Lessons,
                         testing::Values(LessonRun{"1", {{"query_len", "4"}}},
                                         LessonRun{"1", {{"key_len", "7"}, {"wide_dim", "300"}}},
                                         LessonRun{"1", {{"seed", "123"}}}, LessonRun{"1", {{"hidden_dim", "12"}}},
                                         LessonRun{"2", {{"n_heads", "4"}, {"hidden_dim", "16"}}},
                                         LessonRun{"3", {{"n_heads", "4"}, {"hidden_dim", "16"}}},
                                         LessonRun{"3", {{"query_len", "4"}}}, LessonRun{"3", {{"batch_size", "4"}}},
                                         LessonRun{"4", {{"n_heads", "4"}, {"hidden_dim", "16"}}},
                                         LessonRun{"4", {{"query_len", "4"}, {"key_len", "7"}}},
                                         LessonRun{"5", {{"hidden_dim", "64"}, {"n_heads", "4"}}}));

TEST(AllLessons, RunAndHaveNoFindings) {
  const Catalogue catalogue = Catalogue::built_in();
  EXPECT_GE(catalogue.entries().size(), 5u);
  for (const CatalogueEntry& entry : catalogue.entries()) {
    LoadFindings findings;
    const Lesson lesson = catalogue.open(entry, findings);
    EXPECT_TRUE(findings.diagnostics.empty()) << entry.path;
    for (const CheckFinding& finding : check_lesson(lesson)) ADD_FAILURE() << draw(finding.diagnostic, finding.source);
    EXPECT_GT(count_statements(lesson), 0) << entry.path;
  }
}

// Else every cell would be parsed again: its tree carries the number that its code has among the sources.
TEST(AllLessons, RunTheTreesOfTheirCells) {
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries()) {
    LoadFindings findings;
    const Lesson lesson = catalogue.open(entry, findings);
    const Trace trace = run_lesson(lesson);
    const std::vector<const Cell*> written = cells(lesson);
    auto cell = written.begin();
    for (const TraceBlock& block : trace.blocks) {
      const CellRecord* record = std::get_if<CellRecord>(&block);
      if (!record) continue;
      EXPECT_EQ(record->source, (*cell++)->tree->source) << entry.path;
    }
  }
}

}  // namespace
}  // namespace attn
