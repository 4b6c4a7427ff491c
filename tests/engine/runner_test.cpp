// Cells with words on their fence, prose with values, limits.
#include <gmock/gmock.h>

#include "base/limits.h"
#include "lesson/catalogue.h"
#include "lesson/program.h"
#include "tensor/ops/matmul.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

using testing::HasSubstr;

const std::string kX = cell("x = torch.arange(6.).view(2, 3)");  // cell 2

// ---- wrong ----

TEST(Wrong, RunsInACopyOfTheScope) {
  const Trace trace =
      trace_of(kX + cell("x = x + 1\nmine = 3\nx", "wrong=x") + "Sum {{ x.sum().item() }} and {{ mine }}.\n\n" +
               cell("y = x + 0") + "Sum {{ x.sum().item() }}.\n\n" + cell("mine"));
  EXPECT_THAT(prose_of(trace), HasSubstr("Sum 21.0 and 3.\n"));
  EXPECT_THAT(prose_of(trace), HasSubstr("Sum 15.0.\n"));
  EXPECT_EQ(numbers_of(value_of(trace, "y")), "0 1 2 3 4 5");
  EXPECT_EQ(messages_of(trace), "name 'mine' is not defined");
  EXPECT_EQ(trace.outcome, RunOutcome::CellFailed);
}

TEST(Wrong, NamesOfOperandsAreThoseOfTheLessonAfterIt) {
  const Trace trace = trace_of(kX + cell("y = x.t()") + cell("y = x\ny", "wrong=y") + cell("z = y @ x"));
  EXPECT_EQ(ops_of(trace, step_of(trace, "z = y @ x")),
            "matmul(input=y, other=x) -> [3, 3] 18 multiply-adds 36 bytes\n");
}

struct EffectCase {
  const char* code;
  const char* words;
  Effect effect;
};

TEST(Wrong, TheFourEffects) {
  const EffectCase cases[] = {
      {"x @ x", "wrong=x raises=RuntimeError", Effect::Raises},
      {"x.t()", "wrong=x", Effect::OtherShape},
      {"3", "wrong=x", Effect::OtherShape},
      {"x + 0", "wrong=x", Effect::NoDifference},
      {"y = x.clone()", "wrong=x", Effect::NoDifference},
      {"x + 1", "wrong=x", Effect::OtherNumbers},
      {"x.long()", "wrong=x", Effect::NoDifference},
      {"x / 0 * 0", "wrong=x", Effect::OtherNumbers},
      {"n + 1", "wrong=n", Effect::OtherNumbers},
      {"4 - 1", "wrong=n", Effect::NoDifference},
  };
  for (const EffectCase& c : cases) {
    const Trace trace = trace_of(kX + cell("n = 3") + cell(c.code, std::string("predict=effect ") + c.words) + kWhy);
    EXPECT_EQ(trace.outcome, RunOutcome::Fine) << c.code << ": " << messages_of(trace);
    const CellRecord& record = cell_of(trace, 4);
    ASSERT_TRUE(record.comparison && record.question) << c.code;
    EXPECT_EQ(record.comparison->effect, c.effect) << c.code;
    EXPECT_EQ(record.question->effect, c.effect) << c.code;
    EXPECT_EQ(record.question->kind, Predict::Effect) << c.code;
    EXPECT_FALSE(record.failed) << c.code;
  }
}

TEST(Wrong, SaysWhereTheNumbersDiffer) {
  const Trace trace =
      trace_of(cell("x = torch.zeros(2, 3, 2)  # [batch, row, column]") +
               cell("x + torch.tensor([0., 0., 1.]).view(3, 1) * torch.tensor([0., 1.]).view(2, 1, 1)", "wrong=x"));
  ASSERT_TRUE(cell_of(trace, 3).comparison) << messages_of(trace);
  const Difference& difference = cell_of(trace, 3).comparison->difference;
  EXPECT_EQ(difference.total, 12);
  EXPECT_EQ(difference.differing, 2);
  EXPECT_EQ(difference.first, (Shape{1, 2, 0}));
  EXPECT_EQ(difference.first_a, 1);
  EXPECT_EQ(difference.first_b, 0);
  EXPECT_EQ(difference.unharmed, (std::vector<Shape>{{0}, {0, 1}, {}}));
}

TEST(Wrong, NamesWhatItCompares) {
  const Trace trace = trace_of(kX + cell("bad = x + 1", "wrong=x") + cell("x - 1", "wrong=x"));
  EXPECT_EQ(cell_of(trace, 3).comparison->wrong_name, "bad");
  EXPECT_EQ(cell_of(trace, 3).comparison->right_name, "x");
  EXPECT_EQ(cell_of(trace, 4).comparison->wrong_name, "x - 1");
  EXPECT_EQ(numbers_of(trace.value(cell_of(trace, 3).comparison->right)), "0 1 2 3 4 5");
}

TEST(Wrong, RefusesDrawsAndWrites) {
  const char* cells[] = {"torch.randn(2, 3)",
                         "x += 1",
                         "x[0] = 1",
                         "x.fill_(3)",
                         "torch.manual_seed(1)",
                         "nn.Linear(2, 3)",
                         "torch.rand_like(x)",
                         "items.append(1)",
                         "items[0] = 2",
                         "drop(x)",
                         "items += [1]",
                         "layer.weight = None",
                         "table['a'] = 2",
                         "x.requires_grad = True",
                         "items[:] = []"};
  for (const char* code : cells) {
    const Trace trace =
        trace_of(kX + cell("items = [1]\ntable = {'a': 1}\ndrop = nn.Dropout(0.5)\nlayer = nn.Linear(2, 2)") +
                 cell(code, "wrong=x") + cell("after = 1"));
    EXPECT_EQ(trace.outcome, RunOutcome::CellFailed) << code;
    ASSERT_EQ(trace.diagnostics.size(), 1u) << code;
    EXPECT_EQ(trace.diagnostics[0].code, Code::Format) << code << ": " << messages_of(trace);
    EXPECT_THAT(trace.diagnostics[0].message, HasSubstr("`wrong`")) << code;
    EXPECT_TRUE(cell_of(trace, 4).failed) << code;
  }
}

TEST(Wrong, NeedsAValueToCompare) {
  const Trace trace = trace_of(kX + cell("assert True", "wrong=x"));
  EXPECT_EQ(messages_of(trace), "a cell marked `wrong` must end in a value that can be compared");
  EXPECT_EQ(trace.outcome, RunOutcome::CellFailed);
}

// ---- raises ----

TEST(Raises, AnExpectedErrorIsNoFailure) {
  const Trace trace = trace_of(kX + cell("before = 1\nx @ x\nafter = 2", "raises=RuntimeError") + cell("before + 1") +
                               "{{ before }}\n");
  EXPECT_EQ(trace.outcome, RunOutcome::Fine);
  const CellRecord& record = cell_of(trace, 3);
  EXPECT_FALSE(record.failed);
  ASSERT_EQ(record.diagnostic, 0);
  EXPECT_EQ(trace.diagnostics[0].code, Code::Shape);
  EXPECT_EQ(record.steps.size(), 2u) << "the statement after the error is not run";
  EXPECT_EQ(step_of(trace, "x @ x").diagnostic, 0);
}

TEST(Raises, OtherwiseTheLessonFails) {
  const std::pair<const char*, const char*> cases[] = {
      {"x + 1", "this cell should raise RuntimeError, but it ran to its end"},
      {"x.nothing",
       "'Tensor' object has no attribute 'nothing'\n"
       "this cell should raise RuntimeError, but it raised AttributeError"},
      {"1 +", "invalid syntax\nthis cell should raise RuntimeError, but it raised SyntaxError"},
  };
  for (const auto& [code, messages] : cases) {
    const Trace trace = trace_of(kX + cell(code, "raises=RuntimeError") + cell("never = 1"));
    EXPECT_EQ(trace.outcome, RunOutcome::CellFailed) << code;
    EXPECT_EQ(messages_of(trace), messages);
    EXPECT_TRUE(cell_of(trace, 3).failed) << code;
    EXPECT_EQ(cells_of(trace).size(), 3u) << "nothing runs after it";
  }
}

// ---- questions ----

TEST(Questions, OfShapes) {
  const Trace trace =
      trace_of(kX + cell("a = x.t()\nb = 3\nb", "predict=shape") + kWhy + cell("c = x[0]\nd = 1", "predict=shape:c") +
               kWhy + cell("e = x + 1", "predict=shape:x") + kWhy);
  const std::pair<int, const char*> subjects[] = {{3, "b"}, {4, "c"}, {5, "x"}};
  for (const auto& [ordinal, subject] : subjects) {
    ASSERT_TRUE(cell_of(trace, ordinal).question);
    EXPECT_EQ(cell_of(trace, ordinal).question->kind, Predict::Shape);
    EXPECT_EQ(cell_of(trace, ordinal).question->subject, subject);
  }
  EXPECT_EQ(axes_text(trace.value(cell_of(trace, 4).question->value)), "[3]");
  EXPECT_EQ(axes_text(trace.value(cell_of(trace, 5).question->value)), "[2, 3]");
}

TEST(Questions, OfValuesErrorsAndLines) {
  const Trace trace =
      trace_of(kX + cell("x[1, 2]", "predict=value") + kWhy + cell("x @ x", "predict=raises raises=RuntimeError") +
               kWhy + cell("x @ x.t()", "predict=raises") + kWhy + cell("best = x.amax()", "write=best") + kWhy);
  ASSERT_EQ(trace.outcome, RunOutcome::Fine) << messages_of(trace);
  EXPECT_EQ(cell_of(trace, 3).question->subject, "x[1, 2]");
  EXPECT_EQ(numbers_of(trace.value(cell_of(trace, 3).question->value)), "5");
  EXPECT_TRUE(cell_of(trace, 4).question->raises);
  EXPECT_FALSE(cell_of(trace, 5).question->raises);
  EXPECT_EQ(cell_of(trace, 6).question->write, "best");
  EXPECT_EQ(cell_of(trace, 6).question->kind, Predict::None);
  EXPECT_FALSE(cell_of(trace, 2).question);
}

TEST(Questions, HintsTrapsAndReasonsAreFilledIn) {
  const Trace trace = trace_of(kX + cell("y = x.t()", "predict=shape") +
                               "> **Hint** It has {{ x.dim() }} axes.\n\n> **Hint** Turn {{ list(x.shape) }}.\n\n"
                               "> **Trap** `{{ list(x.shape) }}` That is x, {{ x.numel() }} numbers.\n\n"
                               "> **Why** {{ list(y.shape) }}, `{{ x.mean().item():.2f }}`.\n\n");
  const CellRecord& record = cell_of(trace, 3);
  ASSERT_EQ(record.hints.size(), 2u);
  EXPECT_EQ(plain_text(record.hints[0].at(0).runs), "It has 2 axes.");
  EXPECT_EQ(plain_text(record.hints[1].at(0).runs), "Turn [2, 3].");
  ASSERT_EQ(record.traps.size(), 1u);
  EXPECT_EQ(record.traps[0].answer, "[2, 3]");
  EXPECT_EQ(plain_text(record.traps[0].text.at(0).runs), "That is x, 6 numbers.");
  EXPECT_EQ(plain_text(record.why.at(0).runs), "[3, 2], 2.50.");
}

// ---- values in prose ----

TEST(Prose, IsFilledInEverywhere) {
  const Trace trace = trace_of(
      kX +
      "## A {{ x.dim() }}\n\n- item {{ 'b'!r }}\n\n| head {{ 1 }} |\n|---|\n| cell {{ x[0, 1].item():.1f }} |\n\n" +
      cell("x = 0") + "Now {{ x }}.\n");
  EXPECT_EQ(trace.outcome, RunOutcome::Fine) << messages_of(trace);
  EXPECT_THAT(prose_of(trace), HasSubstr("A 2\nitem 'b'\n"));
  EXPECT_THAT(prose_of(trace), HasSubstr("Now 0.\n"));
  for (const TraceBlock& block : trace.blocks) {
    const Prose* prose = std::get_if<Prose>(&block);
    if (!prose || prose->kind != Prose::Kind::Table) continue;
    EXPECT_EQ(plain_text(prose->rows.at(0).at(0)), "head 1");
    EXPECT_EQ(plain_text(prose->rows.at(1).at(0)), "cell 1.0");
  }
}

TEST(Prose, AFailingValueFailsTheLessonAtItsLine) {
  const Trace trace = trace_of(kX + "First line\nand {{ nothing }}.\n\n" + cell("never = 1"));
  EXPECT_EQ(trace.outcome, RunOutcome::CellFailed);
  ASSERT_EQ(messages_of(trace), "name 'nothing' is not defined");
  const Span span = trace.diagnostics[0].span;
  EXPECT_EQ(position_of(trace.sources.at(span.source), span.begin).line, 13);
  EXPECT_THAT(prose_of(trace), HasSubstr("{{ nothing }}"));
  EXPECT_EQ(cells_of(trace).size(), 2u);
}

TEST(Prose, AFailingValueInAReasonFailsTheLesson) {
  const Trace trace = trace_of(kX + cell("y = x", "predict=shape") + "> **Why** {{ 1 / 0 }}\n\n" + cell("never = 1"));
  EXPECT_EQ(trace.outcome, RunOutcome::CellFailed);
  EXPECT_EQ(messages_of(trace), "division by zero");
  EXPECT_EQ(cells_of(trace).size(), 3u);
}

TEST(Prose, ValuesLeaveNoTraceOfTheirOps) {
  const Trace with = trace_of(kX + "{{ (x @ x.t()).sum().item() }}\n\n" + cell("y = x + 1"));
  const Trace without = trace_of(kX + cell("y = x + 1"));
  EXPECT_EQ(with.ops.size(), without.ops.size());
  EXPECT_EQ(with.values.size(), without.values.size());
}

// ---- axis comments ----

TEST(AxisComments, OneThatDoesNotFitFailsTheLesson) {
  const char* comments[] = {"[a, b, c]", "[n, b]", "[b, 4]", "[b, b]"};
  for (const char* comment : comments) {
    const Trace trace = trace_of(cell("n = 5") + cell(std::string("y = torch.ones(2, 3)  # ") + comment));
    EXPECT_EQ(trace.outcome, RunOutcome::CellFailed) << comment;
    ASSERT_EQ(trace.diagnostics.size(), 1u) << comment;
    EXPECT_EQ(trace.diagnostics[0].code, Code::Axis) << comment;
  }
}

TEST(AxisComments, AfterSeveralTargetsNameThoseThatAgree) {
  const Trace trace = trace_of(cell(
      "q, k = torch.ones(2, 3), torch.ones(2, 3)  # [b, t]\nout, h = torch.ones(4, 3), torch.ones(1, 3)  # [n, t]"));
  EXPECT_EQ(messages_of(trace), "");
  EXPECT_EQ(axes_text(value_of(trace, "q")), "[b 2, t 3]");
  EXPECT_EQ(axes_text(value_of(trace, "k")), "[b 2, t 3]");
  EXPECT_EQ(axes_text(value_of(trace, "out")), "[n 4, t 3]");
  EXPECT_EQ(axes_text(value_of(trace, "h")), "[1, 3]");
}

// ---- limits ----

Trace run_within(const Limits& limits, const std::string& body) {
  const LimitScope scope(limits);
  return trace_of(body);
}

// What was done before the limit can be read: the value of `done`, and the step at which it ended.
void expect_stopped(const Trace& trace, RunOutcome outcome, const std::string& code, const std::string& message) {
  EXPECT_EQ(trace.outcome, outcome);
  EXPECT_EQ(numbers_of(value_of(trace, "done")), "1 1");
  ASSERT_EQ(trace.diagnostics.size(), 1u) << messages_of(trace);
  EXPECT_THAT(trace.diagnostics[0].message, HasSubstr(message));
  EXPECT_EQ(code_of(trace, trace.diagnostics[0].span), code);
  EXPECT_EQ(trace.sources.size(), 3u);
  EXPECT_FALSE(cells_of(trace).empty());
}

const std::string kDone = cell("done = torch.ones(2)");

// Python asks no object for its repr before the program does.
TEST(Runner, ReprThatFailsFailsWhereItIsShown) {
  const std::string made = "class A:\n    def __repr__(self):\n        return self.name\na = A()\n";
  const Trace bound = trace_of(cell(made + "b = [a]\na.name = 'n'"));
  EXPECT_EQ(messages_of(bound), "");
  EXPECT_EQ(value_of(bound, "a").text, "<A object>");
  EXPECT_EQ(value_of(bound, "b").text, "<list object>");
  for (const bool is_whole : {true, false}) {
    RunOptions options;
    options.is_whole = is_whole;
    const Trace shown = trace_of(cell(made + "a"), options);
    EXPECT_EQ(messages_of(shown), "'A' object has no attribute 'name'") << is_whole;
    EXPECT_EQ(shown.outcome, RunOutcome::CellFailed) << is_whole;
    const Trace pickled = trace_of(cell("import pickle\nx = pickle.dumps([1])\nx"), options);
    ASSERT_EQ(pickled.diagnostics.size(), 1u) << is_whole;
    EXPECT_EQ(code_of(pickled, pickled.diagnostics[0].span), "x") << is_whole;
  }
}

TEST(Limits, Memory) {
  Limits limits;
  limits.max_memory = live_memory() + 1'000'000;
  const Trace trace = run_within(limits, kDone + cell("big = torch.zeros(1000, 1000)") + cell("never = 1"));
  expect_stopped(trace, RunOutcome::LimitReached, "big = torch.zeros(1000, 1000)", "this tensor needs 3.8 MiB");
  EXPECT_EQ(trace.diagnostics[0].code, Code::Limit);
}

// Bytes that are in use once it has run, and units of work. Only its output counts.
std::pair<std::int64_t, std::int64_t> costs_of(const std::string& code, bool is_whole,
                                               const std::string& path = "a.py") {
  LoadFindings findings;
  const Lesson program = load_program(path, code, findings);
  RunOptions options;
  options.is_whole = is_whole;
  const LimitScope scope(Limits{});
  const std::int64_t before = heap_bytes;
  const Trace trace = run_lesson(program, options);
  EXPECT_EQ(trace.outcome, RunOutcome::Fine) << messages_of(trace);
  return {heap_bytes - before, work_done()};
}

void expect_costs_by_rounds(bool is_whole, int few, int many) {
  for (const std::string body :
       {"x = 0\nfor i in range(N):\n    x = x + i * 2\n", "import torch\nfor v in torch.arange(N):\n    s = v\n",
        "import torch\ndef f(n):\n    for _ in range(n):\n        a = torch.ones(2) + 1\nf(N)\n",
        "import numpy as np\nfor _ in range(N):\n    q = 3 / np.power(10000, .5)\n",
        "def g(n):\n    for i in range(n):\n        yield i\ns = 0\nfor i in g(N):\n    s += i\n",
        "def f(i):\n    big = [i] * 10\n    g = lambda: big\n    return len(g())\nfor i in range(N):\n    f(i)\n",
        "r = any((y := x) < 0 for x in range(N))\n",
        "import torch\nw = torch.ones(2, requires_grad=True)\nw.grad = torch.ones(2)\no = torch.optim.SGD([w], .1)\n"
        "for i in range(N):\n    o.step()\n"}) {
    const auto with = [&](int rounds) {
      std::string code = body;
      return costs_of(code.replace(code.find('N'), 1, std::to_string(rounds)), is_whole);
    };
    const auto [few_bytes, few_work] = with(few);
    const auto [many_bytes, many_work] = with(many);
    EXPECT_LE(many_bytes, few_bytes + few_bytes / 2) << body;
    EXPECT_LT(many_work, few_work * 9 / 2) << body;
  }
}

TEST(Limits, ALongRunCostsByItsRoundsAndKeepsNothing) { expect_costs_by_rounds(false, 4000, 16000); }

TEST(Limits, ALongRecordKeepsTheFirstRoundsAndTheLast) { expect_costs_by_rounds(true, 12000, 48000); }

// The same tensor many times in a list: neither an op nor its record copies what it names.
TEST(Limits, TensorsJoinedManyTimesCostNoMoreThanTheirNames) {
  for (const char* op : {"cat", "stack", "hstack", "vstack", "dstack", "column_stack"}) {
    Limits limits;
    limits.max_memory = live_memory() + (std::int64_t{16} << 20);
    const Trace trace = run_within(limits, cell(fmt::format("x = torch.{}([torch.zeros(1)] * 100000).sum()", op)));
    EXPECT_EQ(messages_of(trace), "") << op;
  }
}

TEST(Limits, ATextThatGrowsInALoopCostsByItsLength) {
  const auto work = [](int rounds) {
    return costs_of("s = ''\nfor i in range(" + std::to_string(rounds) + "):\n    s += 'abcdefghij'\n", false).second;
  };
  EXPECT_LT(work(32000), work(8000) * 9 / 2);
}

// As READMEs of libraries are: each block makes a model and calls it.
TEST(Limits, AMarkdownFileOfManyModelsCostsByTheirNumber) {
  const auto with = [](int models) {
    std::string text = "# Models\n\n";
    for (int i = 0; i < models; ++i)
      text +=
          "## Model\n\n```python\nimport torch\nfrom torch import nn\nclass Net(nn.Module):\n"
          "    def __init__(self, dim):\n        super().__init__()\n"
          "        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(4)])\n"
          "    def forward(self, x):\n        for layer in self.layers:\n            x = layer(x).relu()\n"
          "        return x\nnet = Net(16)\npreds = net(torch.randn(1, 16))\n```\n\n";
    return costs_of(text, true, "README.md");
  };
  const auto [few_bytes, few_work] = with(50);
  const auto [many_bytes, many_work] = with(200);
  EXPECT_LT(many_work, few_work * 9 / 2);
  EXPECT_LE(many_bytes, few_bytes * 9 / 2);  // under sanitizers none are counted
}

TEST(Limits, MemoryIsGivenBackAfterTheRun) {
  const std::int64_t before = live_memory();
  {
    const Trace trace = trace_of(cell("x = torch.zeros(1000)\ny = x.t()"));
    EXPECT_GE(live_memory(), before + 4000);
  }
  EXPECT_EQ(live_memory(), before);
}

TEST(Limits, Work) {
  Limits limits;
  limits.max_work = 100'000;
  const Trace trace = run_within(limits, kDone + cell("for i in range(10 ** 12):\n  x = i"));
  EXPECT_EQ(trace.outcome, RunOutcome::LimitReached);
  EXPECT_EQ(numbers_of(value_of(trace, "done")), "1 1");
  EXPECT_EQ(messages_of(trace), "the limit of 100000 units of work is reached");
  EXPECT_EQ(step_of(trace, "for i in range(10 ** 12):").outcome, Outcome::Raised);
}

TEST(Limits, WorkIsTheSameEveryTime) {
  Limits limits;
  limits.max_work = 5'000;
  const std::string body = kDone + cell("total = 0\nfor i in range(10 ** 6):\n  total += i");
  const std::size_t steps = run_within(limits, body).steps.size();
  EXPECT_GT(steps, 10u);
  EXPECT_EQ(run_within(limits, body).steps.size(), steps);
}

TEST(Limits, Depth) {
  std::string chain = "1";
  for (int i = 0; i < 100'000; ++i) chain += " + 1";
  const std::pair<const char*, std::string> cells[] = {
      {"a chain", "x = " + chain},
      {"a recursion", "f = lambda n: f(n + 1)\nf(0)"},
      {"brackets", "x = " + std::string(5'000, '(') + "1" + std::string(5'000, ')')},
  };
  for (const auto& [name, code] : cells) {
    Limits limits;
    limits.max_stack = std::size_t{256} << 10;
    const Trace trace = run_within(limits, kDone + cell(code) + cell("never = 1"));
    EXPECT_EQ(trace.outcome, RunOutcome::LimitReached) << name;
    EXPECT_EQ(numbers_of(value_of(trace, "done")), "1 1") << name;
    EXPECT_EQ(cells_of(trace).size(), 3u) << name;
    EXPECT_EQ(trace.diagnostics.size(), 1u) << name;
    EXPECT_EQ(trace.diagnostics.back().code, Code::Limit) << name;
  }
}

TEST(Limits, AnInterruptLeavesWhatWasDone) {
  std::int64_t looks = -100000;  // the last of which hears it, in the loop
  counted_looks = &looks;
  request_interrupt();
  const Trace trace = trace_of(kDone + cell("for i in range(10 ** 12):\n  x = i") + cell("never = 1"));
  clear_interrupt();
  counted_looks = nullptr;
  EXPECT_EQ(trace.outcome, RunOutcome::Interrupted);
  EXPECT_EQ(numbers_of(value_of(trace, "done")), "1 1");
  ASSERT_FALSE(trace.diagnostics.empty());
  EXPECT_EQ(trace.diagnostics.back().code, Code::Interrupt);
  EXPECT_EQ(cells_of(trace).size(), 3u);
}

TEST(Work, OfAListThatGrowsIsThatOfWhatComesIn) {
  const auto work = [](int rounds) {
    return costs_of("x = []\nfor i in range(" + std::to_string(rounds) + "):\n    x.extend([i])\n", false).second;
  };
  EXPECT_LT(work(4000), work(1000) * 9 / 2);
}

#if !defined(ATTN_SANITIZED)  // which counts no objects
TEST(Interrupted, RunsAreLeftToTheSystemWhereTheProgramEndsWithThem) {
  const auto bytes_left = [](bool ends) {
    ends_with_the_run = ends;
    RunOptions options;
    options.stops_at = 3;
    const std::int64_t before = heap_bytes;
    EXPECT_EQ(trace_of(cell("pairs = [(i, i) for i in range(100000)]\nmore = 1"), options).outcome,
              RunOutcome::Interrupted);
    ends_with_the_run = false;
    return heap_bytes - before;
  };
  EXPECT_LT(bytes_left(false), 100'000);
  EXPECT_GT(bytes_left(true), 1'000'000);
}
#endif

}  // namespace
}  // namespace attn
