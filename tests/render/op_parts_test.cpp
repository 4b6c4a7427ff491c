#include "render/op_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "engine/runner.h"
#include "lesson/load.h"
#include "render/formats.h"
#include "render/text.h"
#include "tests/render/lesson_traces.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kOpTensors =
    "import torch\n"
    "import torch.nn as nn\n"
    "query, key = torch.ones(2, 5, 8), torch.ones(2, 6, 8)\n"
    "# query: [batch_size, query_len, hidden_dim]\n"
    "# key: [batch_size, key_len, hidden_dim]\n"
    "fc_q, fc_k, narrow = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 3)\n"
    "heads = (2, -1, 2, 4)\n";

Trace traced_ops(const std::string& code) {
  LoadFindings findings;
  const std::string lesson = "# T\n\n```python hidden\n" + kOpTensors + "```\n\n```python\n" + code + "\n```\n";
  return run_lesson(load_lesson("01-t.md", lesson, findings));
}

std::string ops_text(const std::string& code) { return render_text(traced_ops(code), {.width = 100}); }

/// The rows of ops alone, without their indentation: what stands between the code of a statement and what it gives.
std::string ops_rows(const std::string& code) {
  const std::string text = ops_text(code);
  const std::size_t begin = text.find("\n\n     ") + 2;
  std::string rows;
  for (const std::string_view line :
       split_lines(std::string_view(text).substr(begin, text.find("\n\n", begin) - begin)))
    rows += std::string(trim(line)) + "\n";
  return rows;
}

TEST(OpParts, AComprehensionShowsItsFirstRound) {
  EXPECT_EQ(ops_rows("n = [(query.transpose(0, 1) != i).sum() for i in range(24)]"),
            "transpose, ne, sum: 24 times; the first is shown\n"
            "transpose  query  [batch_size 2, query_len 5, hidden_dim 8]\n"
            "→      [query_len 5, batch_size 2, hidden_dim 8]\n"
            "ne         0 →    [query_len 5, batch_size 2, hidden_dim 8]\n"
            "sum        →      []\n");
  EXPECT_EQ(ops_rows("n = [query.sum() for i in range(3)]"),
            "sum  query  [batch_size 2, query_len 5, hidden_dim 8]\n→      []   3 times; the first is shown\n");
}

TEST(OpParts, AComprehensionOfOneRoundIsNone) {
  EXPECT_EQ(ops_rows("n = [(query != i).sum() for i in range(1)]"),
            "ne   query, 0 →  [batch_size 2, query_len 5, hidden_dim 8]\n"
            "sum  →           []\n");
}

TEST(OpParts, RoundsThatDifferSaySo) {
  EXPECT_THAT(ops_rows("n = [torch.ones(i, 2).sum(0).exp() for i in range(1, 6)]"),
              HasSubstr("ones, sum, exp: 5 times with other shapes; the first is shown\n"));
  EXPECT_THAT(ops_rows("n = [torch.ones(2, 2).sum(i % 2).exp() for i in range(5)]"),
              HasSubstr("ones, sum, exp: 5 times along other axes; the first is shown\n"));
  // Few are shown each; other ops are other rounds.
  EXPECT_THAT(ops_text("n = [torch.ones(i, 2).sum(0).exp() for i in (1, 2)]"), Not(HasSubstr("times")));
  EXPECT_EQ(ops_rows("n = [query.sum() if i < 2 else query.exp() for i in range(5)]"),
            "sum  query    [batch_size 2, query_len 5, hidden_dim 8]\n"
            "→        []   2 times; the first is shown\n"
            "exp  query →  [batch_size 2, query_len 5, hidden_dim 8]   3 times; the first is shown\n");
}

TEST(OpParts, NestedComprehensionsFoldFromWithin) {
  EXPECT_EQ(ops_rows("n = [[x.abs() for x in torch.ones(4, 2).neg()] for _ in range(3)]"),
            "ones, neg, unbind, abs: 3 times; the first is shown\n"
            "ones    →  [4, 2]\n"
            "neg     →  [4, 2]\n"
            "unbind  →  [2]   4 times\n"
            "abs     →  [2]   4 times; the first is shown\n");
}

TEST(OpParts, AnErrorInALaterRoundStaysInSight) {
  const std::string text = ops_text("n = [query.neg().view(2, n) for n in (40, 40, 7)]");
  EXPECT_THAT(text, HasSubstr("     neg, view: 2 times; the first is shown\n"));
  EXPECT_THAT(text, HasSubstr("     neg   query →  [batch_size 2, query_len 5, hidden_dim 8]\n"));
  EXPECT_THAT(text, HasSubstr("shape '[2, 7]' is invalid"));
}

TEST(OpParts, LayersOfASequentialAreNoRounds) {
  EXPECT_EQ(ops_rows("y = nn.Sequential(nn.Linear(8, 6), nn.Linear(6, 4), nn.Linear(4, 3), nn.Linear(3, 2))(query)"),
            "linear  query  [batch_size 2, query_len 5, hidden_dim 8 → 6]   weight [6, 8]\n"
            "linear  →      [batch_size 2, query_len 5, 4]   weight [4, 6]\n"
            "linear  →      [batch_size 2, query_len 5, 3]   weight [3, 4]\n"
            "linear  →      [batch_size 2, query_len 5, 2]   weight [2, 3]\n");
}

TEST(OpParts, ALayerTakesOneLine) {
  EXPECT_EQ(ops_rows("Q = fc_q(query)"), "linear  query  [batch_size 2, query_len 5, hidden_dim 8 → 8]\n");
  EXPECT_EQ(ops_rows("Q = narrow(query)  # [batch_size, query_len, head_dim]"),
            "linear  query  [batch_size 2, query_len 5, hidden_dim 8 → head_dim 3]   weight [3, 8]\n");
  EXPECT_EQ(ops_rows("K, V, W = fc_q(key), fc_k(key), fc_q(key)"),
            "linear  key  [batch_size 2, key_len 6, hidden_dim 8 → 8]   3 times\n");
  EXPECT_EQ(ops_rows("Q, K = fc_q(query), fc_k(key)"),
            "linear  query  [batch_size 2, query_len 5, hidden_dim 8 → 8]\n"
            "linear  key    [batch_size 2, key_len 6, hidden_dim 8 → 8]\n");
  // Names that the code gives are shown.
  EXPECT_THAT(ops_text("W = torch.ones(3, 8)\nQ = nn.functional.linear(query, W)"), HasSubstr("W      [3, 8]\n"));
}

TEST(OpParts, TheSameMoveIsOneLine) {
  EXPECT_EQ(ops_rows("Q, K = fc_q(query).view(*heads).transpose(1, 2), fc_k(key).view(*heads).transpose(1, 2)"),
            "linear     query  [batch_size 2, query_len 5, hidden_dim 8 → 8]\n"
            "view       →      [batch_size 2, query_len 5, 2, 4]\n"
            "transpose  →      [batch_size 2, 2, query_len 5, 4]\n"
            "key as query above: linear, view, transpose → [batch_size 2, 2, key_len 6, 4]\n");
  const std::string text =
      ops_text("Q = query.view(*heads).transpose(1, 2)\nK, V = [t.view(*heads).transpose(1, 2) for t in (key, key)]");
  EXPECT_THAT(text, HasSubstr("key, key as query at step 1: view, transpose → [batch_size 2, 2, key_len 6, 4]\n"));
}

TEST(OpParts, AnotherMoveIsShown) {
  const std::string first = "Q = query.view(*heads).permute(0, 2, 1, 3)\n";
  EXPECT_THAT(ops_text(first + "K = key.view(*heads).permute(0, 2, 3, 1)"), Not(HasSubstr("at step 1")));
  EXPECT_THAT(ops_text(first + "K = key.view(2, -1, 4, 2).permute(0, 2, 1, 3)"), Not(HasSubstr("at step 1")));
  EXPECT_THAT(ops_text("a = query.sum(dim=1).exp()\nb = key.sum(dim=0).exp()"), Not(HasSubstr("at step 1")));
  EXPECT_THAT(ops_text("a = query.add(1).mul(2)\nb = key.add(1).mul(3)"), Not(HasSubstr("at step 1")));
}

// Each of thousands of lines that looked through all above it took minutes.
TEST(OpParts, NoLineGoesBackFurtherThanALearnerWould) {
  std::string code = "Q = query.view(*heads).transpose(1, 2)\n";
  const auto add_lines = [&](int lines) {
    for (int i = 0; i < lines; ++i) code += "n = 1\n";
  };
  add_lines(198);
  EXPECT_THAT(ops_text(code + "K = key.view(*heads).transpose(1, 2)"), HasSubstr("key as query at step 1: view"));
  add_lines(2);
  EXPECT_THAT(ops_text(code + "K = key.view(*heads).transpose(1, 2)"), Not(HasSubstr("at step 1")));
}

TEST(OpParts, LaterRoundsOfALoopReferToTheFirst) {
  const std::string text = ops_text("x = query\nfor i in range(3):\n    x = (x * 2 + i).neg()");
  EXPECT_THAT(text, HasSubstr("       mul  x, 2 →  [batch_size 2, query_len 5, hidden_dim 8]\n"));
  EXPECT_THAT(text, HasSubstr("round 2   i = 1\n\n    4  x = (x * 2 + i).neg()\n\n"
                              "       as at step 3: mul, add, neg → [batch_size 2, query_len 5, hidden_dim 8]\n"));
  // Shapes that change are shown.
  EXPECT_THAT(ops_text("x = torch.ones(2, 2)\nfor i in range(3):\n    x = torch.cat((x, x)).neg()"),
              Not(HasSubstr("as at step")));
}

TEST(OpParts, OneRowWhereTheAxesStay) {
  EXPECT_EQ(ops_rows("y = torch.softmax(query / 2, dim=-1)"),
            "div      query, 2 →  [batch_size 2, query_len 5, hidden_dim 8]\n"
            "softmax  →           [batch_size 2, query_len 5, hidden_dim 8]   dim=-1 (hidden_dim)\n");
  EXPECT_EQ(ops_rows("y = query.masked_fill(query > 0, 0.0)").find("gt           query, 0 →"), 0u);
}

TEST(OpParts, WhatTheCodeAndTheResultSayIsNotRepeated) {
  EXPECT_EQ(ops_text("x = torch.zeros(1, 2)"),
            "1 T\n━━━\n\n  1  x = torch.zeros(1, 2)\n\n     x [1, 2]\n         0   1\n     0  0.  0.\n");
}

TEST(OpParts, ManyOperandsAreOneRow) {
  EXPECT_THAT(ops_rows("y = torch.stack([query[0] * i for i in range(20)])"),
              HasSubstr("[query_len 5, hidden_dim 8]   20 times\n"));
  // Those of other ops have names of their own.
  EXPECT_THAT(ops_rows("y = torch.stack([query.sin(), query.cos(), query.neg()])"),
              AllOf(HasSubstr("(sin)"), HasSubstr("(cos)"), HasSubstr("above")));
}

TEST(OpParts, AreTheSameInMarkdown) {
  const std::string text =
      find_format("md")->render(traced_ops("n = [(query != i).sum() for i in range(24)]\nQ = fc_q(query)"), {});
  EXPECT_THAT(text, HasSubstr("ne, sum: 24 times; the first is shown\n"));
  EXPECT_THAT(text, HasSubstr("linear  query  [batch_size 2, query_len 5, hidden_dim 8 → 8]\n"));
}

TEST(EveryLesson, ShowsOrCountsEveryOp) {
  for (const Trace& trace : test::lesson_traces()) {
    for (const Step& step : trace.steps) {
      const std::vector<OpPart> parts = op_parts(trace, step);
      // Where nothing is shown, the code and the value say it.
      if (parts.empty()) EXPECT_LE(shown_ops(trace, step).size(), 1u);
      const std::size_t most = shown_ops(trace, step).size();
      EXPECT_LE(parts.size(), most + most / 2);
      for (const OpPart& part : parts) EXPECT_EQ(part.kind == OpPart::Kind::Again, part.step >= 0);
    }
  }
}

TEST(EveryLesson, StaysShort) {
  constexpr int kBatch = 3;
  constexpr int kLastOfFirst = 10;  // those after them take longer
  constexpr std::ptrdiff_t kMostLines = 900, kMostLinesOfFirst = 10'200, kMostLinesOfLater = 1'700;
  std::ptrdiff_t first = 0;
  for (const Trace& trace : test::lesson_traces()) {
    const std::string text = render_text(trace, {.width = 100});
    const std::ptrdiff_t lines = std::count(text.begin(), text.end(), '\n');
    if (trace.number == kBatch) EXPECT_LE(lines, kMostLines);
    if (trace.number > kLastOfFirst) EXPECT_LE(lines, kMostLinesOfLater) << trace.lesson_id;
    else if (trace.lesson_id != "tour") first += lines;
  }
  EXPECT_LE(first, kMostLinesOfFirst);
}

TEST(OpParts, NothingIsLeftOutOfTheRecord) {
  const Trace trace = traced_ops("n = [(query != i).sum() for i in range(24)]");
  EXPECT_EQ(shown_ops(trace, trace.steps.back()).size(), 48u);
  EXPECT_EQ(op_parts(trace, trace.steps.back()).size(), 3u);
}

}  // namespace
}  // namespace attn
