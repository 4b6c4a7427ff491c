#include "stepper/complete.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/evaluate.h"
#include "engine/runner.h"
#include "lesson/load.h"

namespace attn {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kLesson = R"(# Names

```python
import torch
import torch.nn as nn
batch_size = 3
query = torch.zeros(batch_size, 5)  # [batch_size, query_len]
fc_q = nn.Linear(5, 2)
query_heads = query.view(3, 5, 1)
```
)";

State state_at(std::size_t step) {
  LoadFindings findings;
  auto lesson = std::make_shared<const Lesson>(load_lesson("01-names.md", kLesson, findings));
  auto trace = std::make_shared<const Trace>(run_lesson(*lesson));
  auto run = std::make_shared<LessonRun>();
  run->lesson = lesson;
  run->trace = trace;
  for (StepId step_id = 0; step_id < static_cast<StepId>(trace->steps.size()); ++step_id) run->order.push_back(step_id);
  State state;
  state.run = run;
  state.replays = std::make_shared<Replays>(lesson, trace);
  state.at = step;
  return state;
}

constexpr std::size_t kLast = 5;

std::vector<std::string> words(const State& state, const std::string& line) {
  std::size_t begin = 0;
  std::vector<std::string> out;
  for (const Completion& row : completions(state, line, line.size(), begin)) out.push_back(row.text);
  return out;
}

std::string note(const State& state, const std::string& line) {
  std::size_t begin = 0;
  const std::vector<Completion> rows = completions(state, line, line.size(), begin);
  return rows.empty() ? "nothing" : rows[0].note;
}

TEST(Complete, NamesThatAreBoundAtThisStep) {
  const State last = state_at(kLast), earlier = state_at(3);
  EXPECT_THAT(words(last, "que"), ElementsAre("query", "query_heads"));
  EXPECT_THAT(words(earlier, "que"), ElementsAre("query")) << "not yet";
  EXPECT_THAT(words(last, "x = fc"), ElementsAre("fc_q"));
  EXPECT_THAT(words(last, "print(batch"), ElementsAre("batch_size"));
  EXPECT_THAT(words(last, "=quer"), ElementsAre("query", "query_heads"));
  EXPECT_THAT(words(last, "tor"), ElementsAre("torch"));
  EXPECT_THAT(words(last, "prin"), ElementsAre("print"));
  EXPECT_THAT(words(last, "whi"), ElementsAre("while"));
  EXPECT_EQ(note(last, "query_h"), "[batch_size 3, query_len 5, 1]");
  EXPECT_EQ(note(last, "batch_s"), "3");
  State typed = last;
  typed.typed = {"mine = 1"};
  EXPECT_THAT(words(typed, "min"), ElementsAre("min", "mine"));
}

TEST(Complete, WhatStandsBehindADot) {
  const State state = state_at(kLast);
  EXPECT_THAT(words(state, "query.transp"), ElementsAre("transpose", "transpose_"));
  EXPECT_THAT(words(state, "torch.matm"), ElementsAre("matmul"));
  EXPECT_THAT(words(state, "nn.Linea"), ElementsAre("Linear"));
  EXPECT_THAT(words(state, "fc_q.wei"), ElementsAre("weight"));
  EXPECT_THAT(words(state, "fc_q.weight.transp"), ElementsAre("transpose", "transpose_"));
  EXPECT_THAT(words(state, "(query + 1).transp"), ElementsAre("transpose", "transpose_")) << "taken for a tensor";
  EXPECT_THAT(words(state, "query."), Contains("shape"));
  EXPECT_THAT(words(state, "query.__"), Not(Contains("shape")));
  EXPECT_THAT(words(state, "no_such_name.tr"), IsEmpty());
  EXPECT_EQ(note(state, "torch.matm"), "(input, other)");
  EXPECT_EQ(note(state, "query.transp"), "(dim0, dim1)");
  EXPECT_EQ(note(state, "query.me"), "(dim, keepdim=False, *, dtype=None)") << "the longest of the overloads of mean";
  EXPECT_EQ(note(state, "nn.Linea"), "(in_features, out_features, bias=True, device=None, dtype=None)");
}

TEST(Complete, CommandsBehindAColon) {
  const State state = state_at(0);
  EXPECT_THAT(words(state, ":goto"), ElementsAre(":goto"));
  EXPECT_THAT(words(state, ":"), Contains(":next"));
  EXPECT_THAT(words(state, ":goto 5"), IsEmpty());
  EXPECT_THAT(words(state, ":help cont"), ElementsAre("context", "contiguous"));
  EXPECT_THAT(words(state, ":help ski"), ElementsAre("skip"));
  EXPECT_NE(note(state, ":goto"), "");
}

TEST(Complete, NothingInTextsCommentsAndAfterBlanks) {
  const State state = state_at(kLast);
  for (const char* line : {"", "x = ", "'que", "\"torch.mat", "x  # que", "'it\\'s que"})
    EXPECT_THAT(words(state, line), IsEmpty()) << line;
  EXPECT_THAT(words(state, "'a' + que"), ElementsAre("query", "query_heads"));
  EXPECT_THAT(words(State(), "que"), IsEmpty()) << "no lesson at all";
}

TEST(Complete, SaysWhereTheWordBegins) {
  const State state = state_at(kLast);
  std::size_t begin = 0;
  completions(state, "x = query.transp", 16, begin);
  EXPECT_EQ(begin, 10u);
  completions(state, "한글 = quer + 1", 13, begin);
  EXPECT_EQ(begin, 9u);
}

// A word that Python does not know would be offered for nothing.
TEST(Complete, EveryWordIsOneOfPython) {
  const State state = state_at(kLast);
  for (char letter = 'A'; letter <= 'z'; ++letter) {
    for (const std::string& word : words(state, std::string(1, letter))) {
      const Evaluation result = evaluate_code(word);
      const bool is_of_lesson = word.find('_') != std::string::npos || word == "query" || word == "nn";
      EXPECT_FALSE(result.error && result.error->code == Code::Name && !is_of_lesson) << word;
    }
  }
}

TEST(Complete, WantsMore) {
  for (const char* code : {"[1,", "f(", "for i in x:", "def f():\n  return 1", "x = '''a", "if x:\n  y\nelse:"})
    EXPECT_TRUE(wants_more(code)) << code;
  for (const char* code : {"", "x", "x = 1", "[1,\n2]", "for i in x:\n  y\n", "1 +", "x = ("}) {
    const bool is_open = std::string(code) == "x = (";
    EXPECT_EQ(wants_more(code), is_open) << code;
  }
}

}  // namespace
}  // namespace attn
