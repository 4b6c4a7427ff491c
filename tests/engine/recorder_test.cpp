// What stands in a Trace of a run: steps, bindings, values, operations.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "tests/engine/run.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::vector<std::string> ids_of(const Trace& trace) {
  std::vector<std::string> out;
  for (const Step& step : trace.steps) out.push_back(step.id);
  return out;
}

TEST(Steps, CompoundStatementsHoldTheirRounds) {
  const Trace trace =
      trace_of(cell("total = 0\n"
                    "for i in range(2):\n"
                    "  for j in range(2):\n"
                    "    total += j\n"
                    "  if i:\n"
                    "    total = -total\n"
                    "total"));
  EXPECT_EQ(messages_of(trace), "");
  EXPECT_EQ(steps_of(trace),
            "total = 0\n"
            "for i in range(2):\n"
            "  for j in range(2): @0\n"
            "    total += j @0\n"
            "    total += j @1\n"
            "  if i: @0\n"
            "  for j in range(2): @1\n"
            "    total += j @0\n"
            "    total += j @1\n"
            "  if i: @1\n"
            "    total = -total @1\n"
            "total\n");
  EXPECT_EQ(numbers_of(value_of(trace, "total")), "-2");
}

TEST(Steps, TakeTheBeginningOfALongTextOfALayer) {
  const Trace trace =
      trace_of(cell("layer = nn.Linear(1, 1)\nfor _ in range(60): layer = nn.Sequential(layer, layer)"));
  EXPECT_EQ(messages_of(trace), "");
  EXPECT_THAT(trace.values.back().text,
              ::testing::AllOf(::testing::StartsWith("Sequential(\n  (0): Sequential("), ::testing::HasSubstr("...")));
}

TEST(Steps, TakeTheBeginningOfALongTextOfOnesOwn) {
  const Trace trace =
      trace_of(cell("class Long:\n"
                    "  def __repr__(self): return 'a' + 'é' * 1000000\n"
                    "long = Long()"));
  EXPECT_EQ(messages_of(trace), "");
  const std::string& text = trace.values.back().text;
  EXPECT_LT(text.size(), 70000u);
  EXPECT_THAT(text, ::testing::AllOf(::testing::StartsWith("aéé"), ::testing::EndsWith("éé...")));
}

TEST(Steps, OfALongLoopTheFirstRoundsAndTheLastAreRecorded) {
  const Trace trace =
      trace_of(cell("x = torch.zeros(1)\n"
                    "def add(x, i):\n"
                    "  y = x + i  # (one)\n"
                    "  return y\n"
                    "for i in range(8000):\n"
                    "  x = add(x, 1)\n"
                    "x"));
  EXPECT_EQ(messages_of(trace), "");
  EXPECT_LT(trace.steps.size(), 12'000u);
  const Step& last_round = trace.steps[trace.steps.size() - 4];
  EXPECT_EQ(trace.sources[1].slice(last_round.span), "x = add(x, 1)");
  EXPECT_EQ(last_round.iteration, 7999);
  const auto has_round = [&](int iteration) {
    return std::any_of(trace.steps.begin(), trace.steps.end(),
                       [&](const Step& step) { return step.iteration == iteration; });
  };
  EXPECT_TRUE(has_round(4999)) << "the 5000th is kept";
  EXPECT_FALSE(has_round(4998));
  EXPECT_EQ(last_round.ordinal - trace.steps.front().ordinal, 5 + 7999 * 3) << "two are those of every test";
  const Op& sum = trace.ops.back();
  EXPECT_EQ(sum.inputs[0].written, "x");
  EXPECT_EQ(numbers_of(trace.value(sum.inputs[0].value)), "7999");
  EXPECT_EQ(numbers_of(trace.value(std::get<CellRecord>(trace.blocks.back()).result)), "8000");
  const std::vector<std::string> ids = ids_of(trace);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(Steps, OfCallsThatCallThemselvesALongRecordHasNone) {
  const Trace trace =
      trace_of(cell("def fib(n):\n"
                    "  if n < 2:\n"
                    "    return torch.ones(1)\n"
                    "  return fib(n - 1) + fib(n - 2)\n"
                    "fib(17)"));
  EXPECT_EQ(messages_of(trace), "");
  EXPECT_LT(trace.steps.size(), 11'000u);
  EXPECT_EQ(numbers_of(trace.value(std::get<CellRecord>(trace.blocks.back()).result)), "2584");
}

// The first rounds of each loop, and the first calls of each statement, would be 2 to the power of their depth.
TEST(Steps, OfLoopsInLoopsAndCallsInCallsTheRecordHasAnEnd) {
  std::string loops = "n = 0\n", calls = "def f0(n):\n  return n + 1\n";
  for (int depth = 0; depth < 17; ++depth) {
    loops += fmt::format("{}for i{} in range(2):\n", std::string(static_cast<std::size_t>(depth), ' '), depth);
    calls += fmt::format("def f{}(n):\n  n = f{}(n)\n  return f{}(n)\n", depth + 1, depth, depth);
  }
  for (const std::string& code : {loops + std::string(17, ' ') + "n += 1\nn", calls + "n = f17(0)\nn"}) {
    const Trace trace = trace_of(cell(code));
    EXPECT_EQ(messages_of(trace), "");
    EXPECT_LT(trace.steps.size(), 60'000u) << code;
    EXPECT_EQ(trace.value(std::get<CellRecord>(trace.blocks.back()).result).text, "131072") << code;
  }
}

TEST(Steps, IdsAreAllDifferent) {
  const Trace trace = trace_of(cell("def f(x):\n  return x + 1\n"
                                    "a = 1\na = 1\n"
                                    "for i in range(3):\n  for j in range(3):\n    a = f(f(a))\n    a = f(f(a))") +
                               cell("a = 1"));
  const std::vector<std::string> ids = ids_of(trace);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  for (const std::string& id : ids) EXPECT_THAT(id, StartsWith("small/"));
}

TEST(Steps, IdsStayWhenProseOrOtherCellsChange) {
  const std::string loop = cell("for i in range(2):\n  x = i\ny = x");
  const std::vector<std::string> before = ids_of(trace_of("Text.\n\n" + cell("a = 1") + loop));
  const std::vector<std::string> prose = ids_of(trace_of("Other text.\n\n## And\n\nmore.\n\n" + cell("a = 1") + loop));
  EXPECT_EQ(before, prose);
  const std::vector<std::string> other = ids_of(trace_of(cell("b = 2\nc = 3") + loop));
  ASSERT_EQ(other.size(), before.size() + 1);
  EXPECT_TRUE(std::equal(before.begin() + 3, before.end(), other.begin() + 4));
  EXPECT_NE(before[2], other[2]);
}

TEST(Steps, IdsStayWhenAnotherStatementOfTheCellChanges) {
  const std::vector<std::string> before = ids_of(trace_of(cell("a = 1\nb = 2\nb = 2")));
  const std::vector<std::string> after = ids_of(trace_of(cell("a = 3\nb = 2\nb = 2")));
  EXPECT_NE(before[2], after[2]);
  EXPECT_EQ(before[3], after[3]);
  EXPECT_EQ(before[4], after[4]);
}

TEST(Steps, BindingsPrintedTextAndValues) {
  const Trace trace =
      trace_of(cell("a, (b, *c) = 1, (2, 3, 4)\nd = e = 'x'\nprint('one', a)\nprint(2)\nc[0] = 5\nb + 1\nNone"));
  const auto targets = [&](const std::string& code) {
    std::string out;
    for (const Binding& binding : step_of(trace, code).bindings)
      out += binding.target + "=" + numbers_of(trace.value(binding.value)) + " ";
    return out;
  };
  EXPECT_EQ(targets("a, (b, *c) = 1, (2, 3, 4)"), "a=1 b=2 c=[3, 4] ");
  EXPECT_EQ(targets("d = e = 'x'"), "d='x' e='x' ");
  EXPECT_THAT(targets("c[0] = 5"), StartsWith("c[0]="));
  EXPECT_EQ(step_of(trace, "print('one', a)").printed, "one 1\n");
  EXPECT_EQ(step_of(trace, "print(2)").printed, "2\n");
  EXPECT_EQ(step_of(trace, "print(2)").value, -1);
  EXPECT_EQ(numbers_of(trace.value(step_of(trace, "b + 1").value)), "3");
  EXPECT_EQ(step_of(trace, "None").value, -1);
}

TEST(Steps, OfAHiddenCellAreRunButNotShown) {
  const Trace trace = trace_of(cell("a = 1", "hidden") + cell("b = a + 1"));
  EXPECT_EQ(trace.outcome, RunOutcome::Fine);
  const std::vector<StepId> shown = visible_steps(trace);
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(code_of(trace, trace.step(shown[0]).span), "b = a + 1");
  EXPECT_TRUE(step_of(trace, "a = 1").hidden);
  EXPECT_EQ(numbers_of(value_of(trace, "b")), "2");
}

TEST(Values, AxisCommentsNameTheBoundValue) {
  const Trace trace =
      trace_of(cell("rows = 2\n"
                    "x = torch.ones(rows, 3)  # [rows, columns]\n"
                    "y = x.t() @ x\n"
                    "z = x.view(rows, 3)\n"
                    "# z: [rows, letters]\n"
                    "w = z + 1"));
  EXPECT_EQ(messages_of(trace), "");
  EXPECT_EQ(axes_text(value_of(trace, "x")), "[rows 2, columns 3]");
  EXPECT_EQ(axes_text(value_of(trace, "w")), "[rows 2, letters 3]");
  EXPECT_EQ(axes_text(trace.value(step_of(trace, "x = torch.ones(rows, 3)").bindings.at(0).value)),
            "[rows 2, columns 3]");
}

TEST(Values, AxisWordsStandOnTheAxis) {
  const Trace trace =
      trace_of(cell("words = ['a', 'b']\n# axis row: words\nx = torch.ones(2, 3)  # [row, column]\ny = x * 2"));
  const RecordedValue& y = value_of(trace, "y");
  ASSERT_EQ(y.axes.size(), 2u);
  ASSERT_TRUE(y.axes[0].words);
  EXPECT_THAT(*y.axes[0].words, ElementsAre("a", "b"));
  EXPECT_FALSE(y.axes[1].words);
}

TEST(Values, AreTheSameWhenNothingWasWritten) {
  const Trace trace = trace_of(cell("x = torch.ones(2)\ny = x\nx\nx.contiguous()"));
  const ValueId x = step_of(trace, "x = torch.ones(2)").bindings.at(0).value;
  EXPECT_EQ(step_of(trace, "y = x").bindings.at(0).value, x);
  EXPECT_EQ(step_of(trace, "x").value, x);
  EXPECT_EQ(step_of(trace, "x.contiguous()").value, x);
}

TEST(Values, AWriteInPlaceIsANewValueAndTheOldRecordKeepsItsNumbers) {
  const Trace trace =
      trace_of(cell("x = torch.zeros(4)\n"
                    "half = x[:2]\n"
                    "half.fill_(7)\n"
                    "x\n"
                    "x[3] = 5\n"
                    "x += 1\n"
                    "half"));
  const auto first = step_of(trace, "x = torch.zeros(4)").bindings.at(0).value;
  const auto after_view = step_of(trace, "x").value;
  EXPECT_NE(first, after_view);
  EXPECT_EQ(numbers_of(trace.value(first)), "0 0 0 0");
  EXPECT_EQ(numbers_of(trace.value(step_of(trace, "half = x[:2]").bindings.at(0).value)), "0 0");
  EXPECT_EQ(numbers_of(trace.value(after_view)), "7 7 0 0");
  EXPECT_EQ(numbers_of(value_of(trace, "x")), "8 8 1 6");
  EXPECT_EQ(numbers_of(trace.value(step_of(trace, "half").value)), "8 8");
  EXPECT_LT(trace.value(first).version, trace.value(after_view).version);
}

TEST(Values, AnotherLayoutInPlaceIsANewValueOfTheSameStorage) {
  const Trace trace =
      trace_of(cell("x = torch.arange(6).view(2, 3)  # [rows, columns]\nx.transpose_(0, 1)\nx.unsqueeze_(0)"));
  const RecordedValue &before = trace.value(step_of(trace, "x = torch.arange(6).view(2, 3)").bindings.at(0).value),
                      &turned = trace.value(step_of(trace, "x.transpose_(0, 1)").value),
                      &wider = trace.value(step_of(trace, "x.unsqueeze_(0)").value);
  EXPECT_EQ(before.shape, (Shape{2, 3}));
  EXPECT_EQ(turned.shape, (Shape{3, 2}));
  EXPECT_EQ(turned.axes.at(0).name, "columns");
  EXPECT_EQ(numbers_of(turned), "0 3 1 4 2 5");
  EXPECT_EQ(wider.shape, (Shape{1, 3, 2}));
  EXPECT_EQ(wider.axes.at(1).name, "columns");
  EXPECT_EQ(wider.storage, before.storage);
  EXPECT_EQ(wider.version, before.version + 2) << "each counts as a write, as in PyTorch";
}

TEST(Values, ViewsShareTheNumberOfTheirStorage) {
  const Trace trace =
      trace_of(cell("x = torch.arange(6).view(2, 3)\n"
                    "view = x.t()[1]\n"
                    "copy = x.clone()\n"
                    "moved = x.t().contiguous()"));
  const RecordedValue& x = value_of(trace, "x");
  EXPECT_EQ(value_of(trace, "view").storage, x.storage);
  EXPECT_EQ(value_of(trace, "view").strides, (Shape{3}));
  EXPECT_EQ(numbers_of(value_of(trace, "view")), "1 4");
  EXPECT_FALSE(value_of(trace, "view").contiguous);
  EXPECT_NE(value_of(trace, "copy").storage, x.storage);
  EXPECT_NE(value_of(trace, "moved").storage, x.storage);
  EXPECT_NE(value_of(trace, "moved").storage, value_of(trace, "copy").storage);
  EXPECT_TRUE(x.contiguous);
}

TEST(Values, WhatIsNoTensorIsKeptAsText) {
  const Trace trace = trace_of(cell("a = 3\nb = [1, 'x']\nc = nn.Linear(2, 3)\nd = c.weight\ne = (None, True)"));
  EXPECT_EQ(value_of(trace, "a").type, "int");
  EXPECT_EQ(value_of(trace, "b").text, "[1, 'x']");
  EXPECT_EQ(value_of(trace, "c").type, "Module");
  EXPECT_EQ(value_of(trace, "c").text, "Linear(in_features=2, out_features=3, bias=True)");
  EXPECT_EQ(value_of(trace, "d").type, "Parameter");
  EXPECT_TRUE(value_of(trace, "d").requires_grad);
  EXPECT_EQ(value_of(trace, "e").text, "(None, True)");
}

TEST(Values, TextsOfALongLoopBecomeShort) {
  const Trace trace =
      trace_of(cell("x = [0] * 10000\n"
                    "for i in range(4000):\n"
                    "  y = x\n"
                    "x"));
  EXPECT_EQ(messages_of(trace), "");
  std::size_t bytes = 0;
  for (const RecordedValue& value : trace.values) bytes += value.text.size();
  EXPECT_LT(bytes, 12u << 20) << "one has 30,000";
  EXPECT_EQ(trace.values.back().text.size(), 30'000u) << "outside of loops they stay whole";
}

TEST(Values, KeepGradientsAsPyTorchSaysThem) {
  const Trace trace = trace_of(cell("layer = nn.Linear(2, 2)\ny = layer(torch.ones(1, 2))\nz = y.detach()"));
  EXPECT_EQ(value_of(trace, "y").grad_fn, "AddmmBackward0");
  EXPECT_TRUE(value_of(trace, "y").requires_grad);
  EXPECT_FALSE(value_of(trace, "z").requires_grad);
}

struct OpCase {
  const char* code;
  const char* ops;
};

TEST(Ops, RowsOfOneStatement) {
  const std::string setup =
      "x = torch.ones(2, 3)\nw = torch.ones(3, 4)\nbatch = torch.ones(5, 2, 3)\nlayer = nn.Linear(3, 4)\nalias = x";
  const OpCase cases[] = {
      {"a = x @ w", "matmul(input=x, other=w) -> [2, 4] 24 multiply-adds 32 bytes\n"},
      {"a = torch.matmul(batch, w)", "matmul(input=batch, other=w) -> [5, 2, 4] 120 multiply-adds 160 bytes\n"},
      {"a = x.t()", "t(input=x) -> [3, 2] view\n"},
      {"a = alias.t()", "t(input=alias) -> [3, 2] view\n"},
      {"a = (x + 1).sum(dim=-1)", "add(input=x, other=1) -> [2, 3] 24 bytes\nsum(input=, dim=-1) -> [2] 8 bytes\n"},
      {"a = torch.cat([x, x], dim=1)", "cat(tensors=x, tensors=x, dim=1) -> [2, 6] 48 bytes\n"},
      {"x *= 2", "mul_(input=x, other=2) -> [2, 3] in place\n"},
      {"a = x.shape[0]", ""},
  };
  for (const OpCase& c : cases) {
    const Trace trace = trace_of(cell(setup) + cell(c.code));
    EXPECT_EQ(messages_of(trace), "") << c.code;
    EXPECT_EQ(ops_of(trace, step_of(trace, c.code)), c.ops) << c.code;
  }
}

TEST(Ops, SeveralResults) {
  const Trace trace = trace_of(cell("w = torch.ones(3, 4)\na, b = w.split(2, dim=1)\nlargest, place = w.max(dim=0)"));
  EXPECT_EQ(trace.op(step_of(trace, "a, b = w.split(2, dim=1)").ops.at(0)).outputs.size(), 2u);
  EXPECT_EQ(ops_of(trace, step_of(trace, "largest, place = w.max(dim=0)")),
            "max(input=w, dim=0) -> [4] -> [4] 48 bytes\n");
}

TEST(Ops, PartsOfACompositeStandUnderIt) {
  const Trace trace = trace_of(
      cell("layer = nn.Linear(3, 4)\nx = torch.ones(2, 3)\ny = layer(x)\nnorm = nn.LayerNorm(3)\nz = norm(x)"));
  const Step& linear = step_of(trace, "y = layer(x)");
  std::int64_t multiply_adds = 0;
  for (const OpId id : linear.ops) {
    const Op& op = trace.op(id);
    multiply_adds += op.multiply_adds;
    EXPECT_TRUE(op.parent == -1 || (op.parent >= linear.ops.front() && op.parent < id));
  }
  EXPECT_EQ(multiply_adds, 2 * 3 * 4);
  EXPECT_EQ(cost_of(trace, linear).multiply_adds, 2 * 3 * 4);
  EXPECT_EQ(cost_of(trace, linear).bytes, 2 * 4 * 4);
  const Step& norm = step_of(trace, "z = norm(x)");
  ASSERT_FALSE(norm.ops.empty());
  EXPECT_EQ(trace.op(norm.ops[0]).parent, -1);
  EXPECT_EQ(trace.op(norm.ops[0]).name, "layer_norm");
}

TEST(Ops, GruHasItsStepsInside) {
  const Trace trace = trace_of(cell("gru = nn.GRU(2, 3)\nout, last = gru(torch.ones(4, 1, 2))"));
  const Step& step = step_of(trace, "out, last = gru(torch.ones(4, 1, 2))");
  int inside = 0;
  for (const OpId id : step.ops) inside += trace.op(id).parent >= 0;
  EXPECT_GT(inside, 10);
}

TEST(Ops, AFailedOneIsMarked) {
  const Trace trace = trace_of(cell("x = torch.ones(2, 3)\nx @ x"));
  EXPECT_EQ(ops_of(trace, step_of(trace, "x @ x")), "matmul(input=x, other=x) failed\n");
  EXPECT_EQ(step_of(trace, "x @ x").outcome, Outcome::Raised);
  EXPECT_EQ(step_of(trace, "x @ x").diagnostic, 0);
}

TEST(Ops, TheInnermostStepCarriesTheError) {
  const Trace trace = trace_of(cell("f = lambda x: x @ x\nfor i in range(1):\n  if i == 0:\n    f(torch.ones(2, 3))"));
  EXPECT_EQ(step_of(trace, "f(torch.ones(2, 3))").diagnostic, 0);
  for (const char* code : {"for i in range(1):", "if i == 0:"}) {
    EXPECT_EQ(step_of(trace, code).outcome, Outcome::Raised) << code;
    EXPECT_EQ(step_of(trace, code).diagnostic, -1) << code;
  }
}

TEST(Ops, AnErrorThatWasCaughtIsNotTheOneThatEndsTheCell) {
  const Trace trace =
      trace_of(cell("try:\n  int('a')\nexcept ValueError:\n  pass\ntry:\n  int('b')\nfinally:\n  x = 1"));
  EXPECT_EQ(step_of(trace, "int('a')").diagnostic, -1);
  EXPECT_EQ(step_of(trace, "int('b')").diagnostic, 0);
}

// The name of an operand is the one that the code says, of those that the tensor has at that moment.
TEST(Ops, NamesOfOperands) {
  const std::string setup = "x = torch.ones(2, 2)\nother = torch.ones(2, 2)";
  const OpCase cases[] = {
      {"y = x\nx + 0", "add(input=x, other=0)"},
      {"y = x\ny + 0", "add(input=y, other=0)"},
      {"y = x\ny = 5\nx + 0", "add(input=x, other=0)"},
      {"y = x\ny = other\nx + y", "add(input=x, other=y)"},
      {"x = other\nx + 0", "add(input=x, other=0)"},
      {"xs = [x]\nxs[0] + 0", "add(input=x, other=0)"},
      {"other = [x for x in [other]]\nx + 0", "add(input=x, other=0)"},
      {"f = lambda a: a + 0\nf(x)", "add(input=x, other=0)"},
  };
  for (const OpCase& c : cases) {
    const Trace trace = trace_of(cell(setup) + cell(c.code));
    EXPECT_EQ(messages_of(trace), "") << c.code;
    ASSERT_FALSE(trace.ops.empty());
    const Step& last = trace.step(cell_of(trace, 3).steps.back());
    ASSERT_FALSE(last.ops.empty()) << c.code;
    const std::string rows = ops_of(trace, last);
    const std::string row = rows.substr(rows.rfind('\n', rows.size() - 2) + 1);
    EXPECT_EQ(row.substr(0, row.find(" ->")), c.ops) << c.code;
  }
}

TEST(Budget, BeyondItRecordsKeepTheirShapesAlone) {
  RunOptions options;
  options.value_budget = 2000;  // a tensor may take a quarter of what is left
  const Trace trace = trace_of(
      cell("small = torch.ones(100)  # [n]\nlarge = torch.ones(200, 1)\nview = small[:3]\nlate = torch.ones(100)"),
      options);
  EXPECT_TRUE(value_of(trace, "small").kept);
  EXPECT_TRUE(value_of(trace, "view").kept) << "shares the numbers that are kept";
  const RecordedValue& large = value_of(trace, "large");
  EXPECT_FALSE(large.kept);
  EXPECT_FALSE(large.tensor.defined());
  EXPECT_EQ(large.shape, (Shape{200, 1}));
  EXPECT_EQ(large.strides, (Shape{1, 1}));
  EXPECT_TRUE(value_of(trace, "late").kept) << "there is room for it";
  EXPECT_EQ(trace.outcome, RunOutcome::Fine);
}

TEST(Budget, LargeNumbersOfHiddenCellsAreKeptForWhoAsks) {
  const std::string cells =
      cell("small = torch.ones(100)\nlarge = torch.ones(5000)", "hidden") + cell("shown = torch.ones(5000)  # [n]");
  for (const bool keeps_hidden : {true, false}) {
    RunOptions options;
    options.keeps_hidden = keeps_hidden;
    const Trace trace = trace_of(cells, options);
    EXPECT_TRUE(value_of(trace, "small").kept);
    EXPECT_EQ(value_of(trace, "large").kept, keeps_hidden);
    EXPECT_TRUE(value_of(trace, "shown").kept);
  }
}

TEST(Budget, WrongCellsAreComparedAllTheSame) {
  RunOptions options;
  options.value_budget = 0;
  const Trace trace = trace_of(cell("x = torch.ones(3)") + cell("x + torch.arange(3)", "wrong=x"), options);
  ASSERT_TRUE(cell_of(trace, 3).comparison);
  EXPECT_EQ(cell_of(trace, 3).comparison->effect, Effect::OtherNumbers);
  EXPECT_EQ(cell_of(trace, 3).comparison->difference.first, (Shape{1}));
}

}  // namespace
}  // namespace attn
