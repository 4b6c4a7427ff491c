// A lesson run again with one value changed.
#include "engine/touch.h"

#include "base/limits.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

const std::string kCells =
    cell("n = 2", "parameters") +
    cell(
        "torch.manual_seed(0)\nx = torch.zeros(2, 2)  # [n, n]\ny = x + 1\nn_list = [1, 2]\nfc = nn.Linear(2, 2)\n"
        "noise = torch.randn(1)\nx = x * 1") +
    cell("def double(a):\n    inner = a * 1\n    return inner * 2\nz = double(y)") +
    cell("def triple(a):\n    unseen = a * 1\n    return unseen * 3\ntripled = triple(y)", "hidden") +
    cell("total = torch.zeros(1)\nfor i in range(2):\n    part = torch.ones(1)\n    total = total + part");

std::string numbers_after(const std::string& change, const std::string& name) {
  const Lesson lesson = lesson_of(kCells);
  const Trace before = run_lesson(lesson);
  const Trace after = run_touched(lesson, before, change);
  EXPECT_EQ(messages_of(after), "");
  EXPECT_EQ(before.steps.size(), after.steps.size()) << change;
  for (std::size_t i = 0; i < std::min(before.steps.size(), after.steps.size()); ++i)
    EXPECT_EQ(before.steps[i].id, after.steps[i].id);
  return numbers_of(value_of(after, name));
}

TEST(Touch, ChangesWhatTheNameHoldsWhereItIsBound) {
  const char* rows[][3] = {
      {"x[0, 1] += 5", "y", "1 6 1 1"},
      {"x += 1", "y", "2 2 2 2"},
      {"x[1] = 7", "y", "1 1 8 8"},
      {"x.fill_(3)", "y", "4 4 4 4"},
      {"x.view(-1)[3] = 9", "y", "1 1 1 10"},
      {"  x[0, 1] += 5  ", "x", "0 5 0 0"},
      {"n_list[0] = 4", "n_list", "[4, 2]"},
      {"x@8[0] = 5", "x", "5 5 0 0"},
      {"x@8[0] = 5", "y", "1 1 1 1"},
      {"inner@11[0] = 5", "z", "10 10 2 2"},
      {"part@15 += 1", "total", "3"},
      {"part@17 += 1", "total", "3"},
      {"part += 1", "total", "3"},
      {"fc.weight[...] = 1", "y", "1 1 1 1"},
  };
  for (const auto& [change, name, numbers] : rows) EXPECT_EQ(numbers_after(change, name), numbers) << change;
}

TEST(Touch, LeavesTheDrawsOfTheLessonAsTheyAre) {
  const std::string noise = numbers_of(value_of(trace_of(kCells), "noise"));
  EXPECT_EQ(numbers_after("x[0] = torch.randn(2)", "noise"), noise);
}

TEST(Touch, FindsLayersByTheirNumbers) {
  const Lesson lesson =
      lesson_of(cell("net = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Linear(1, 1)))\nw = net[0].weight * 1\n"
                     "v = net[1][0].weight * 1"));
  const Trace before = run_lesson(lesson);
  for (const char* change : {"net.0.weight[0, 0] = 0.5", "net[0].weight[0, 0] = .5", "net.0.weight.fill_(.5)"})
    EXPECT_EQ(numbers_of(value_of(run_touched(lesson, before, change), "w")), "0.5") << change;
  EXPECT_EQ(numbers_of(value_of(run_touched(lesson, before, "net.1.0.weight[...] = 2"), "v")), "2");
}

// Ctrl-C ended the run that is shown.
TEST(Touch, EndsWhereTheRunBeforeWasStopped) {
  RunOptions options;
  options.on_round = [](const RoundPlace& place) {
    if (place.round == 5) request_interrupt();
  };
  const Lesson lesson = lesson_of(cell("x = torch.ones(1)\nfor i in range(1000):\n    y = x * i"));
  Trace before = run_lesson(lesson, options);
  clear_interrupt();
  ASSERT_EQ(before.outcome, RunOutcome::Interrupted);
  before.options.on_round = nullptr;
  const Trace after = run_touched(lesson, before, "x += 1");
  EXPECT_EQ(after.outcome, RunOutcome::Interrupted);
  EXPECT_LE(after.steps.size(), before.steps.size());
  EXPECT_GE(after.steps.size() + 1, before.steps.size());
  EXPECT_EQ(numbers_of(value_of(after, "y")), "8");
}

TEST(Touch, TheBindingShowsTheChangedNumbers) {
  const Lesson lesson = lesson_of(kCells);
  const Trace after = run_touched(lesson, run_lesson(lesson), "x[0, 0] = 4");
  const Step& step = step_of(after, "x = torch.zeros(2, 2)");
  ASSERT_EQ(step.bindings.size(), 1u);
  EXPECT_EQ(numbers_of(after.value(step.bindings[0].value)), "4 0 0 0");
  EXPECT_EQ(axes_text(after.value(step.bindings[0].value)), "[n 2, n 2]");
  EXPECT_EQ(after.options.touch->code, "x[0, 0] = 4");
}

TEST(Touch, AnErrorThatItCausesIsOneOfTheLesson) {
  const Lesson lesson = lesson_of(cell("x = torch.zeros(2)\nassert x.sum().item() == 0"));
  const Trace after = run_touched(lesson, run_lesson(lesson), "x[0] = 1");
  EXPECT_EQ(after.outcome, RunOutcome::CellFailed);
  ASSERT_FALSE(after.diagnostics.empty());
  EXPECT_EQ(after.diagnostics.back().hint, "this must hold: x.sum().item() == 0, but x.sum().item() is 1.0");
}

std::string error_of(const std::string& change) {
  const Lesson lesson = lesson_of(kCells);
  const Trace before = run_lesson(lesson);
  try {
    run_touched(lesson, before, change);
    return "no error";
  } catch (const UserError& error) {
    return error.what() + (error.hint().empty() ? "" : " | " + error.hint());
  }
}

TEST(Touch, SaysWhatCannotBeDone) {
  const std::string in_place = "one statement that writes to it: x[0] += 1, x *= 2, x.zero_()";
  const std::pair<const char*, std::string> rows[] = {
      {"", "a change begins with the name that it changes | such as query[0, 1] += 1"},
      {"= 3", "a change begins with the name that it changes | such as query[0, 1] += 1"},
      {"3 + x", "a change begins with the name that it changes | such as query[0, 1] += 1"},
      {"noize += 1", "no step binds noize | did you mean noise?"},
      {"quite_another += 1", "no step binds quite_another"},
      {"x = 3", "this does not change what x holds in place | " + in_place},
      {"x + 3", "this does not change what x holds in place | " + in_place},
      {"x.mul(2)", "this does not change what x holds in place | " + in_place},
      {"x[0] = 1; y[0] = 1", "this does not change what x holds in place | " + in_place},
      {"x[0] = y[0] = 1", "this does not change what x holds in place | " + in_place},
      {"x[0", "'[' was never closed"},
      {"n += 1",
       "n is of type int: there is nothing in it to change | a parameter of the lesson gets another value by --set "
       "n=..."},
      {"inner += 1", "inner is bound inside a function only, at: 11 | say at which step: inner@11"},
      {"unseen += 1", "unseen is bound only inside functions of cells that are not shown"},
      {"x@1[0] = 1", "step 1 does not bind x | it is bound at: 3, 8"},
      {"x@99[0] = 1", "there is no step 99 | the steps are 1 to 18"},
      {"x@0[0] = 1", "there is no step 0 | the steps are 1 to 18"},
      {"x[5] = 1", "index 5 is out of bounds for dimension 0 with size 2"},
      {"x[0] = nothing", "name 'nothing' is not defined"},
  };
  for (const auto& [change, text] : rows) EXPECT_EQ(error_of(change), text) << change;
}

}  // namespace
}  // namespace attn
