#include "render/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/text.h"
#include "engine/runner.h"
#include "lesson/load.h"
#include "render/ledger.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using test::counting;
using test::TraceBuilder;

/// energy = torch.matmul(Q, K.permute(1, 0)) / 2.0, after a question.
TraceBuilder scores() {
  TraceBuilder builder;
  builder.trace.blocks.emplace_back(test::heading("Masks", 1));
  builder.trace.blocks.emplace_back(test::paragraph("How much does each query look at each key?"));
  CellRecord& cell = builder.cell("energy = torch.matmul(Q, K.permute(1, 0)) / 2.0  # [query_len, key_len]");
  cell.options.strides = true;
  const ValueId q = builder.tensor(counting({2, 4}), {"query_len", "head_dim"});
  const Tensor keys = counting({3, 4});
  const ValueId k = builder.tensor(keys, {"key_len", "head_dim"});
  const ValueId kt = builder.tensor(keys.as_strided({4, 3}, {1, 4}, 0), {"head_dim", "key_len"});
  const ValueId raw = builder.tensor(counting({2, 3}), {"query_len", "key_len"});
  const ValueId energy = builder.tensor(counting({2, 3}, 0.5f), {"query_len", "key_len"});
  builder.op("permute", {{"K", k}}, {kt}).is_view = true;
  builder.op("matmul", {{"Q", q}, {"", kt}}, {raw}).multiply_adds = 24;
  builder.op("div", {{"", raw}}, {energy}).attributes = {{"other", "2.0"}};
  builder.bind("energy", energy);
  Question question;
  question.kind = Predict::Shape;
  question.subject = "energy";
  question.value = energy;
  cell.question = question;
  cell.traps.push_back({"[3, 2]", {test::paragraph("That is K against Q.")}});
  cell.why = {test::paragraph("Each query meets each key once.")};
  return builder;
}

TEST(TextView, WholeLesson) {
  EXPECT_EQ(render_text(scores().trace),
            "4 Masks\n"
            "━━━━━━━\n"
            "\n"
            "How much does each query look at each key?\n"
            "\n"
            "Predict:  What is the shape of energy?\n"
            "\n"
            "  1  energy = torch.matmul(Q, K.permute(1, 0)) / 2.0  # [query_len, key_len]\n"
            "\n"
            "     permute  K      [key_len 3, head_dim 4]\n"
            "              →      [head_dim 4, key_len 3]   a view: strides (4,1) → (1,4)\n"
            "     matmul   Q      [query_len 2, head_dim 4]\n"
            "              above  [head_dim 4, key_len 3]\n"
            "              →      [query_len 2, key_len 3]   sums over head_dim\n"
            "     div      2.0 →  [query_len 2, key_len 3]\n"
            "\n"
            "     energy [query_len 2, key_len 3]\n"
            "                key_len\n"
            "     query_len       0       1       2\n"
            "             0  0.0000  0.5000  1.0000\n"
            "             1  1.5000  2.0000  2.5000\n"
            "     min 0.0000   mean 1.2500   max 2.5000   6 numbers\n"
            "\n"
            "Answer:   [2, 3], that is [query_len 2, key_len 3]\n"
            "\n"
            "Not [3, 2]: That is K against Q.\n"
            "\n"
            "Why:      Each query meets each key once.\n");
}

TEST(TextView, NarrowAscii) {
  EXPECT_EQ(render_step_text(scores().trace, 0, {36, false, true}),
            "4 Masks                  step 1 of 1\n"
            "\n"
            "energy = torch.matmul(Q,\n"
            "    K.permute(1, 0)) / 2.0\n"
            "    # [query_len, key_len]\n"
            "\n"
            "permute\n"
            "  K [key_len 3, head_dim 4]\n"
            "  -> [head_dim 4, key_len 3]\n"
            "     a view: strides (4,1) -> (1,4)\n"
            "matmul\n"
            "  Q [query_len 2, head_dim 4]\n"
            "  above [head_dim 4, key_len 3]\n"
            "  -> [query_len 2, key_len 3]\n"
            "     sums over head_dim\n"
            "div\n"
            "  2.0 -> [query_len 2, key_len 3]\n"
            "\n"
            "energy [query_len 2, key_len 3]\n"
            "           key_len\n"
            "query_len       0       1       2\n"
            "        0  0.0000  0.5000  1.0000\n"
            "        1  1.5000  2.0000  2.5000\n"
            "min 0.0000   mean 1.2500\n"
            "max 2.5000   6 numbers\n");
}

TEST(TextView, OnlyCellsAboutStridesShowThem) {
  TraceBuilder builder;
  for (const bool strides : {false, true, false}) {
    builder.cell("KT = K.permute(1, 0)").options.strides = strides;
    const Tensor keys = counting({3, 4});
    const ValueId k = builder.tensor(keys, {}), kt = builder.tensor(keys.as_strided({4, 3}, {1, 4}, 0), {});
    builder.op("permute", {{"K", k}}, {kt}).is_view = true;
    builder.bind("KT", kt);
  }
  const auto row = [&](std::size_t block) { return render_block_text(builder.trace, block).substr(32, 80); };
  EXPECT_THAT(row(0), testing::HasSubstr("→  [4, 3]\n"));
  EXPECT_THAT(row(1), testing::HasSubstr("→  [4, 3]   a view: strides (4,1) → (1,4)\n"));
  EXPECT_THAT(row(2), testing::HasSubstr("→  [4, 3]   a view\n"));
  builder.trace.form = LessonForm::Notebook;
  EXPECT_THAT(row(0), testing::HasSubstr("→  [4, 3]   a view\n"));
}

TEST(TextView, PlainStepsStandTogether) {
  TraceBuilder builder;
  builder.cell("seed = 0\nn_heads = 2\nhalf = 8 // n_heads");
  builder.trace.steps[0].bindings.push_back({"seed", builder.plain("0"), {}});
  builder.trace.steps[1].bindings.push_back({"n_heads", builder.plain("2"), {}});
  builder.trace.steps[2].bindings.push_back({"half", builder.plain("4"), {}});
  EXPECT_EQ(render_block_text(builder.trace, 0),
            "  1  seed = 0\n  2  n_heads = 2\n\n  3  half = 8 // n_heads\n\n     half = 4\n");
}

TEST(TextView, ErrorsAreExplained) {
  TraceBuilder builder;
  CellRecord& cell = builder.cell("energy = torch.matmul(Q, K)");
  Diagnostic diagnostic;
  diagnostic.code = Code::Shape;
  diagnostic.span = {0, 9, 27};
  diagnostic.rule = "matmul.inner";
  diagnostic.message = "mat1 and mat2 shapes cannot be multiplied (5x4 and 6x4)";
  diagnostic.operands = {{{0, 22, 23}, "Q [query_len 5, head_dim 4]", {"query_len", "head_dim"}, {5, 4}},
                         {{0, 25, 26}, "K [key_len 6, head_dim 4]", {"key_len", "head_dim"}, {6, 4}}};
  builder.trace.diagnostics.push_back(diagnostic);
  builder.last_step().diagnostic = cell.diagnostic = 0;
  EXPECT_EQ(render_text(builder.trace),
            "4 Masks\n"
            "━━━━━━━\n"
            "\n"
            "  1  energy = torch.matmul(Q, K)\n"
            "\n"
            "     lessons/04-masks.md:10:10: shape: matmul needs the last axis of Q (head_dim\n"
            "         4) to equal the second-last axis of K (key_len 6).\n"
            "     PyTorch says: mat1 and mat2 shapes cannot be multiplied (5x4 and 6x4)\n"
            "       energy = torch.matmul(Q, K)\n"
            "                             ^  ^\n"
            "                             |  K [key_len 6, head_dim 4]\n"
            "                             Q [query_len 5, head_dim 4]\n");
}

TEST(TextView, LoopsInRounds) {
  TraceBuilder builder;
  CellRecord& cell = builder.cell("for i in range(6):\n    print(i)");
  Trace& trace = builder.trace;
  cell.steps = {0};
  const Step body = trace.steps[1];
  trace.steps.resize(1);
  for (int i = 0; i < 6; ++i) {
    trace.steps[0].bindings.push_back({"i", builder.plain(std::to_string(i)), {}});
    Step step = body;
    step.span.begin += 4;
    step.header = step.span;
    step.parent = 0;
    step.iteration = i;
    step.printed = std::to_string(i) + "\n";
    trace.steps.push_back(step);
  }
  EXPECT_EQ(render_block_text(trace, 0),
            "  1  for i in range(6):\n\n"
            "  round 1   i = 0\n\n    2  print(i)\n\n       prints\n       │ 0\n\n"
            "  round 2   i = 1\n\n    3  print(i)\n\n       prints\n       │ 1\n\n"
            "  round 3   i = 2\n\n    4  print(i)\n\n       prints\n       │ 2\n\n"
            "  … 2 more rounds, steps 5 to 6\n\n"
            "  round 6   i = 5\n\n    7  print(i)\n\n       prints\n       │ 5\n");
}

// ---- calls ----

std::string text_of(const std::string& code, const RenderOptions& options = {}) {
  LoadFindings findings;
  const std::string lesson = "# T\n\n```python hidden\nimport torch\n```\n\n```python\n" + code + "\n```\n";
  const Trace trace = run_lesson(load_lesson("01-t.md", lesson, findings));
  return render_text(trace, options);
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++count;
  return count;
}

const std::string kDouble =
    "def double(x, more=False):\n"
    "    y = x * 2  # [n]\n"
    "    if more:\n"
    "        y = y + 1\n"
    "    return y\n";

TEST(Calls, AreShownWholeTheFirstTime) {
  const std::string text = text_of(kDouble + "a = double(torch.ones(2))\nb = double(torch.ones(3))");
  EXPECT_THAT(text, ::testing::HasSubstr("  inside double\n\n    3  y = x * 2  # [n]\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\n  inside double: as at step 3, here steps 7 to 9, with n 3 (there 2)\n"));
  EXPECT_EQ(count_of(text, "    5  return y"), 1u);
}

TEST(Calls, AreShownAgainWhereTheyTakeAnotherCourse) {
  const std::string text =
      text_of(kDouble + "double(torch.ones(2))\ndouble(torch.ones(2), True)\ndouble(torch.ones(2))");
  EXPECT_EQ(count_of(text, "  inside double\n"), 2u);
  EXPECT_THAT(text, ::testing::HasSubstr("      9  y = y + 1\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\n  inside double: as at step 3, here steps 12 to 14\n"));
}

TEST(Calls, AreAllShownWhenAskedFor) {
  const std::string code = kDouble + "double(torch.ones(2))\ndouble(torch.ones(2))";
  EXPECT_EQ(count_of(text_of(code, {.width = 80, .every_call = true}), "  inside double\n"), 2u);
}

TEST(Calls, OfOneStatementAreToldTogether) {
  const std::string text =
      text_of(kDouble + "double(torch.ones(2))\nsum([double(torch.ones(2)).sum() for _ in range(9)])");
  EXPECT_THAT(text, ::testing::HasSubstr("\n  inside double, 9 times: as at step 3, here steps 7 to 33\n"));
}

TEST(Calls, ThatFailAreShown) {
  const std::string code =
      "def f(x, i):\n    return x[i]\nf(torch.ones(2), 0)\nf(torch.ones(2), 1)\nf(torch.ones(2), 2)";
  const std::string text = text_of(code);
  EXPECT_EQ(count_of(text, "  inside f\n"), 2u);
  EXPECT_THAT(text, ::testing::HasSubstr("inside f: as at step 3, here step 5\n"));
  EXPECT_EQ(count_of(text, "index: index 2 is outside"), 1u);
}

TEST(Calls, OfAFunctionByItselfEndSomewhere) {
  const std::string text = text_of("def f(n):\n    if n == 0:\n        return 0\n    return 1 + f(n - 1)\nf(900)");
  EXPECT_EQ(count_of(text, "inside f\n"), 3u);
  EXPECT_THAT(text, ::testing::HasSubstr("inside f: as at step 3, here steps 9 to 1804\n"));
  // All of its one line is known at once. An error at the bottom is drawn once.
  const std::string failing = text_of("def f(n):\n    return 1 / n if n == 0 else 1 + f(n - 1)\nf(900)");
  EXPECT_EQ(count_of(failing, "zero-division: division by zero"), 1u);
  EXPECT_EQ(count_of(failing, "inside f\n"), 3u);
}

TEST(TextView, AClassIsPrintedOnce) {
  for (const std::string decorator : {"", "@same\n"}) {
    const std::string text =
        text_of("same = lambda c: c\n" + decorator + "class A:\n    def two(self):\n        return 2\nA().two()");
    EXPECT_EQ(text.find("def two"), text.rfind("def two")) << text;
    EXPECT_NE(text.find("class A:\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("@same") != std::string::npos, !decorator.empty()) << text;
  }
}

TEST(Calls, OfMethodsAreCalledByTheirClass) {
  const std::string code =
      "class Double(torch.nn.Module):\n    def forward(self, x):\n        return x + x\nlayer = "
      "Double()\nlayer(torch.ones(2))";
  EXPECT_THAT(text_of(code), ::testing::HasSubstr("  inside Double.forward\n"));
}

TEST(Calls, InTheHeadOfALoopComeBeforeItsRounds) {
  const std::string text = text_of("def numbers():\n    return range(5)\nfor i in numbers():\n    print(i)");
  EXPECT_LT(text.find("inside numbers"), text.find("round 1"));
  EXPECT_THAT(text, ::testing::HasSubstr("… 1 more round, step 7\n"));
}

TEST(TextView, InPlaceOpsShowWhatTheyLeft) {
  TraceBuilder builder;
  builder.cell("x[0] = 5");
  const ValueId before = builder.tensor(counting({2}), {"n"}), after = builder.tensor(counting({2}, 5), {"n"});
  builder.op("index_put", {{"x", before}}, {after}).in_place = true;
  builder.bind("x[0]", builder.plain("5"));
  EXPECT_EQ(render_block_text(builder.trace, 0),
            "  1  x[0] = 5\n\n     index_put  x →  [n 2]   in place\n\n"
            "     x [n 2]\n     n\n      0   1\n     0.  5.\n");
}

TEST(TextView, OfSeveralThatAreBoundTheSmallAreShown) {
  TraceBuilder builder;
  builder.cell("few, total, many, last = f(x)");
  builder.bind("few", builder.tensor(counting({2}), {"n"}));
  builder.bind("total", builder.tensor(counting({}), {}));
  builder.bind("many", builder.tensor(counting({2, 7}), {"n", "m"}));
  builder.bind("last", builder.tensor(counting({1}), {"n"}));
  EXPECT_EQ(render_block_text(builder.trace, 0),
            "  1  few, total, many, last = f(x)\n\n"
            "     few [n 2]\n     n\n      0   1\n     0.  1.\n\n"
            "     total = 0.0\n"
            "     many [n 2, m 7]                                                   not shown\n"
            "     last [n 1]\n     n\n      0\n     0.\n");
}

TEST(TextView, LongLiteralsAreCut) {
  TraceBuilder builder;
  std::string code = "rows = [";
  for (int i = 0; i < 30; ++i) code += "\n    " + std::to_string(i) + ",";
  code += "\n]";
  builder.cell("x");
  builder.trace.sources[0].text = code;
  builder.last_step().span.end = builder.last_step().header.end = static_cast<std::uint32_t>(code.size());
  const std::string text = render_block_text(builder.trace, 0);
  EXPECT_THAT(text, ::testing::HasSubstr("         8,\n     … 21 more lines\n     ]\n"));
}

TEST(Ledger, Columns) {
  EXPECT_EQ(render_ledger(scores().trace),
            "step  name    axes                shape   multiply-adds  bytes\n"
            "──────────────────────────────────────────────────────────────\n"
            "   1  energy  query_len, key_len  [2, 3]             24      0\n"
            "──────────────────────────────────────────────────────────────\n"
            "      total                                          24      0\n");
  EXPECT_EQ(render_ledger(scores().trace, {32}),
            "   1  energy [2, 3]\n      query_len, key_len\n      24 multiply-adds, 0 bytes\n\n"
            "      total\n      24 multiply-adds, 0 bytes\n");
}

// ---- properties of a whole lesson that was run ----

constexpr const char* kLesson = R"(# 단어 Words that ask

Hide `keys` and *not* words, $\sqrt{d}$ · [paper](https://example.org/very/long/address/that/does/not/fit/anywhere).

| name | what it means in this lesson | size |
|---|:---:|---:|
| query_len | the words that ask, one row for each of them | 5 |

```python
import torch
words = ["나는", "책을", "읽고", "너는", "book_that_is_long_enough_to_be_cut"]
# axis key_len: words
key_len = 5
keys = torch.arange(key_len * 40).view(key_len, 40).transpose(0, 1) / 7  # [hidden_dim, key_len]
weights = torch.softmax(keys, dim=-1)
[row for row in words]
```

> plain quote

```python raises=RuntimeError
torch.matmul(weights, keys)
```

```python wrong=weights predict=effect
torch.softmax(keys, dim=0)
```

> **Hint** Which axis?

> **Trap** `no difference` The axes differ.

> **Why** The columns add to 1 and not the rows.

```python
for i in range(5):
    part = weights[i] * i
    print("행", i, part.sum())
float("nan") * keys[:3]
```

- 목록 one
- two
  - three levels of a list that goes on and on until it wraps
)";

const Trace& lesson_trace() {
  static const Trace kTrace = [] {
    LoadFindings findings;
    return run_lesson(load_lesson("lessons/01-words.md", kLesson, findings));
  }();
  return kTrace;
}

std::vector<std::string> all_views(const RenderOptions& options) {
  const Trace& trace = lesson_trace();
  std::vector<std::string> views{render_text(trace, options), render_ledger(trace, options)};
  for (const StepId step : visible_steps(trace)) views.push_back(render_step_text(trace, step, options));
  return views;
}

TEST(TextView, TheLessonRuns) { ASSERT_EQ(lesson_trace().outcome, RunOutcome::Fine); }

TEST(TextView, NoLineIsTooWide) {
  for (const int width : {20, 28, 40, 44, 60, 80, 120, 200}) {
    for (const std::string& view : all_views({width})) {
      EXPECT_TRUE(view.ends_with('\n') && !view.ends_with("\n\n"));
      for (const std::string_view line : split_lines(view)) {
        EXPECT_LE(display_width(line), width) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
      }
    }
  }
}

std::string without_escapes(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b') at = text.find('m', at);
    else out += text[at];
  }
  return out;
}

TEST(TextView, ColorOnlyAdds) {
  for (const int width : {40, 80}) {
    const std::vector<std::string> plain = all_views({width}), colored = all_views({width, true});
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(without_escapes(colored[i]), plain[i]);
    EXPECT_NE(plain, colored);
  }
}

TEST(TextView, AsciiUsesNoOtherSigns) {
  // What the file itself holds stays: Korean words and the dot of the first paragraph.
  const std::vector<std::string_view> from_file = {"단어", "나는", "책을", "읽고", "너는", "행", "목록", "·"};
  for (const int width : {20, 44, 80}) {
    for (std::string view : all_views({width, false, true})) {
      for (const std::string_view word : from_file)
        for (const std::string_view sign : graphemes(word))
          for (std::size_t at = 0; (at = view.find(sign, at)) != std::string::npos;) view.erase(at, sign.size());
      for (const char c : view) ASSERT_LT(static_cast<unsigned char>(c), 0x80u) << view;
    }
  }
}

TEST(TextView, CtrlCIsHeardWhileALongTextIsLaidOut) {
  TraceBuilder builder;
  builder.cell("print('\\n' * 100000)");
  builder.trace.steps.back().printed = std::string(100'000, '\n');
  const LimitScope scope(Limits{});
  std::int64_t looks = 0;
  counted_looks = &looks;
  request_interrupt();
  render_text(builder.trace);
  clear_interrupt();
  counted_looks = nullptr;
  EXPECT_GE(looks, 40) << "where the lines are found, and where they are written";
}

TEST(TextView, SameBytesForTheSameTrace) { EXPECT_EQ(all_views({80}), all_views({80})); }

}  // namespace
}  // namespace attn
