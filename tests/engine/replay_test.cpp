// Code at a step of a lesson, which is run again up to there.
#include "engine/replay.h"

#include <gmock/gmock.h>

#include "base/limits.h"
#include "lesson/catalogue.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

class Replayed {
 public:
  explicit Replayed(const std::string& body, bool is_gone_on_with = false)
      : lesson(std::make_shared<const Lesson>(lesson_of(body))),
        trace(std::make_shared<const Trace>(run_lesson(*lesson, options(is_gone_on_with)))),
        replays(lesson, trace) {}
  static RunOptions options(bool is_gone_on_with) {
    RunOptions options;
    options.is_gone_on_with = is_gone_on_with;
    return options;
  }

  StepId step(std::string_view code, int occurrence = 0) const {
    return static_cast<StepId>(&step_of(*trace, code, occurrence) - trace->steps.data());
  }
  std::string run(StepId at, const std::string& code, bool before = false, std::vector<std::string> typed = {}) {
    const Evaluation result = replays.run({at, before, std::move(typed)}, code);
    return result.error ? result.error->message : result.text;
  }
  std::string names(StepId at) {
    std::string out;
    for (const NameInScope& name : replays.names({at, false, {}})) out += (out.empty() ? "" : " ") + name.name;
    return out;
  }

  std::shared_ptr<const Lesson> lesson;
  std::shared_ptr<const Trace> trace;
  Replays replays;
};

TEST(Replay, SeesWhatIsBoundByThenAndNoMore) {
  Replayed r(cell("x = 1") + cell("x = x + 1\ny = 5"));
  EXPECT_EQ(r.run(r.step("x = 1"), "x"), "1\n");
  EXPECT_EQ(r.run(r.step("x = x + 1"), "x"), "2\n");
  EXPECT_EQ(r.run(r.step("x = x + 1"), "x", true), "1\n");
  EXPECT_THAT(r.run(r.step("x = x + 1"), "y"), HasSubstr("name 'y' is not defined"));
  EXPECT_EQ(r.names(r.step("y = 5")), "x y");
}

TEST(Replay, LinesSeeThoseBeforeThemAndNothingElse) {
  Replayed r(cell("x = 1") + cell("z = 3"));
  const StepId at = r.step("x = 1");
  EXPECT_EQ(r.run(at, "x = x + 10"), "");
  EXPECT_EQ(r.run(at, "x", false, {"x = x + 10"}), "11\n");
  EXPECT_EQ(r.run(at, "x", false, {"x = x + 10", "x"}), "11\n");
  EXPECT_EQ(r.run(at, "x"), "1\n");
  EXPECT_EQ(r.run(at, "x", false, {"x = 7"}), "7\n");
}

TEST(Replay, StandsInsideACallAndARound) {
  Replayed r(cell("def f(a):\n    b = a * 2\n    return b + 1") + cell("for i in range(3):\n    t = i * 10") +
             cell("y = f(4)"));
  EXPECT_EQ(r.run(r.step("b = a * 2"), "a, b"), "(4, 8)\n");
  EXPECT_THAT(r.names(r.step("b = a * 2")), ::testing::StartsWith("a b "));
  EXPECT_EQ(r.run(r.step("t = i * 10", 1), "i, t"), "(1, 10)\n");
  EXPECT_EQ(r.run(r.step("for i in range(3):"), "i"), "0\n");
  EXPECT_EQ(r.run(r.step("y = f(4)"), "y"), "9\n");
}

TEST(Replay, FindsARoundBehindThoseThatAreNotRecorded) {
  Replayed r(cell("for i in range(30000):\n    t = i * 10") + cell("after = t"));
  const auto last_round = static_cast<StepId>(r.trace->steps.size()) - 2;
  EXPECT_LT(last_round, 11'000);
  EXPECT_EQ(r.run(last_round, "i, t"), "(29999, 299990)\n");
  EXPECT_EQ(r.run(last_round, "i, t", true), "(29999, 299980)\n");
  EXPECT_EQ(r.run(r.step("after = t"), "after"), "299990\n");
}

TEST(Replay, DrawsWhatTheLessonDrew) {
  Replayed r(cell("_ = torch.manual_seed(3)\nx = torch.randn(2)\ny = torch.randn(2)"));
  EXPECT_EQ(r.run(r.step("x = torch.randn(2)"), "torch.randn(2).tolist()"),
            r.run(r.step("y = torch.randn(2)"), "y.tolist()"));
}

TEST(Replay, AWrongCellIsLeftAgainAndMayBePlayedIn) {
  Replayed r(cell("x = torch.ones(2)") + cell("x = x * 2\nx", "wrong=x") + cell("z = x + 1"));
  EXPECT_EQ(r.run(r.step("x = x * 2"), "x.tolist()"), "[2.0, 2.0]\n");
  EXPECT_THAT(r.run(r.step("x = x * 2"), "torch.rand(1).shape"), HasSubstr("torch.Size([1])"));
  EXPECT_EQ(r.run(r.step("z = x + 1"), "x.tolist()"), "[1.0, 1.0]\n");
}

TEST(Replay, ALineIsTriedForAName) {
  Replayed r(cell("x = torch.ones(2)"));
  const auto attempt = r.replays.run_for({r.step("x = torch.ones(2)"), false, {}}, "y = x + 1", "y");
  ASSERT_TRUE(attempt.value);
  EXPECT_EQ(numbers_of(*attempt.value), "2 2");
  EXPECT_FALSE(r.replays.run_for({r.step("x = torch.ones(2)"), false, {}}, "x = 1", "y").value);
}

TEST(Replay, AnInterruptedLineLeavesNothingBehind) {
  Replayed r(cell("x = 1"));
  const StepId at = r.step("x = 1");
  EXPECT_EQ(r.run(at, "x"), "1\n");
  request_interrupt();
  const Evaluation stopped = r.replays.run({at, false, {"x"}}, "x = 2");
  clear_interrupt();
  ASSERT_TRUE(stopped.error);
  EXPECT_EQ(stopped.error->code, Code::Interrupt);
  EXPECT_EQ(r.run(at, "x"), "1\n");
}

TEST(Replay, MembersOfWhatIsBound) {
  Replayed r(cell("x = torch.ones(2)\na = x.numpy()\nfc = nn.Linear(2, 3)"));
  const Point point{r.step("fc = nn.Linear(2, 3)"), false, {}};
  using ::testing::AllOf, ::testing::Contains;
  EXPECT_THAT(r.replays.members(point, "x"), Contains("softmax"));
  EXPECT_THAT(r.replays.members(point, "fc"), Contains("weight"));
  EXPECT_THAT(r.replays.members(point, "torch"), Contains("matmul"));
  EXPECT_THAT(r.replays.members(point, "torch.optim"), Contains("AdamW")) << "written in Python";
  EXPECT_THAT(r.replays.members(point, "a"), AllOf(Contains("shape"), Contains("sum"), Contains("tofile")));
  EXPECT_TRUE(r.replays.members(point, "f()").empty());
}

// ---- checkpoints ----

std::string training(int rounds) {
  return cell(R"(
torch.manual_seed(0)
inputs = torch.randn(64, 32)
model = nn.Sequential(nn.Linear(32, 32), nn.Dropout(0.1), nn.Linear(32, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
losses = []
for number in range()" +
              std::to_string(rounds) + R"():
    loss = ((model(inputs) - inputs[:, :1]) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item()))") +
         cell("after = losses[-1]");
}

TEST(Replay, OfAThousandRoundsNeedsThirtyTwo) {
  const LimitScope scope({});
  const std::int64_t begin = work_done();
  Replayed r(training(1000), true);
  const std::int64_t whole = work_done() - begin;
  const auto work_of = [&](StepId at) {
    const std::int64_t before = work_done();
    EXPECT_EQ(r.run(at, "len(losses)"), "1000\n");
    return work_done() - before;
  };
  const auto last_append = static_cast<StepId>(r.trace->steps.size()) - 2;
  EXPECT_LT(work_of(last_append), whole * 33 / 1000);
  EXPECT_LT(work_of(r.step("after = losses[-1]")), whole * 33 / 1000);
}

// Whatever a round may change: what follows a checkpoint is what followed the first time.
TEST(Replay, FromACheckpointIsTheRunItself) {
  const std::string code = cell(R"(
import random
import numpy as np
torch.manual_seed(1)
random.seed(2)
np.random.seed(3)
own = torch.Generator().manual_seed(4)
other = np.random.RandomState(5)
inputs = torch.randn(40, 24)
order = list(range(40))
class Counter:
    total = 0
    def __init__(self):
        self.seen = {}
    def add(self, key):
        self.seen[key] = self.seen.get(key, 0) + 1
        Counter.total += 1
counter, kinds, history, text = Counter(), set(), [], "a"
third = random.Random(6)
fourth = np.random.default_rng(7)
def remembering():
    count = 0
    def add(by):
        nonlocal count
        count += by
        return count
    return add
add = remembering()
model = nn.Sequential(nn.Linear(24, 24), nn.BatchNorm1d(24), nn.Dropout(0.2), nn.Linear(24, 1))
average = torch.zeros(24, 24)
row = average[3]
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2)
for epoch in range(6):
    random.shuffle(order)
    place = 0
    while place < 40:
        batch = inputs[order[place:place + 10]] + 0.01 * torch.randn(10, 24, generator=own)
        place += 10
        if random.random() < 0.1:
            continue
        loss = ((model(batch) - batch[:, :1]) ** 2).mean() + float(np.random.rand()) + float(other.rand())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.mul_(0.9).add_(0.1 * model[0].weight.detach())
        row[0] += 1
        text += str(third.randint(0, 9)) + str(fourth.integers(10))
        counter.add(len(batch) + epoch)
        kinds.add(place * 100 + epoch)
        history.append((epoch, place, add(place), loss.item()))
    schedule.step()
    model.train(epoch % 2 == 0))") +
                           cell("done = True");
  Replayed with(code, true), without(code);
  ASSERT_TRUE(with.trace->checkpoints);
  const std::string all =
      "history, text, third.random(), fourth.random(), counter.seen, Counter.total, sorted(kinds), add(0), "
      "average.sum().item(), row[:2].tolist(), order, "
      "optimizer.state_dict(), model.state_dict(), model.training, optimizer.param_groups[0]['lr'], random.random(), "
      "torch.rand(1), torch.rand(1, generator=own), np.random.rand(), other.rand(), model[0].weight.grad";
  const auto last = static_cast<StepId>(with.trace->steps.size()) - 1;
  for (StepId at = last; at > last - 300; at -= 23) EXPECT_EQ(with.run(at, all), without.run(at, all)) << at;
  EXPECT_EQ(with.run(last, all), without.run(last, all));
}

TEST(Replay, WhatIsTypedIsGoneAtTheNextPoint) {
  Replayed r(training(50), true);
  const auto last = static_cast<StepId>(r.trace->steps.size()) - 2;
  const std::string mean = r.run(last, "model[0].weight.mean().item()");
  EXPECT_EQ(r.run(last, "with torch.no_grad(): model[0].weight.zero_()"), "");
  EXPECT_EQ(r.run(last - 1, "losses.clear()"), "");
  EXPECT_EQ(r.run(last, "model[0].weight.mean().item(), len(losses)", false, {"number += 1"}).substr(1, 8),
            mean.substr(0, 8));
}

// A loop that cannot begin anew is run again from its start.
TEST(Replay, WhatGoesThroughAnIteratorHasNoCheckpoint) {
  Replayed r(cell("total = 0\nfor i, x in enumerate(torch.ones(50, 2000)):\n    total += (x * i).sum().item()"), true);
  EXPECT_FALSE(r.trace->checkpoints);
  EXPECT_EQ(r.run(r.step("total += (x * i).sum().item()", 49), "total"), "2450000.0\n");
}

TEST(Replay, EveryNameOfALessonHoldsWhatTheRecordSays) {
  const Catalogue catalogue = Catalogue::built_in();
  LoadFindings findings;
  const auto lesson = std::make_shared<const Lesson>(catalogue.open("3", findings));
  const auto trace = std::make_shared<const Trace>(run_lesson(*lesson));
  Replays replays(lesson, trace);
  for (std::size_t id = 0; id < trace->steps.size(); id += 7) {
    for (const Binding& binding : trace->steps[id].bindings) {
      const RecordedValue& recorded = trace->value(binding.value);
      if (!recorded.is_tensor || binding.target.find('[') != std::string::npos) continue;
      const auto attempt = replays.run_for({static_cast<StepId>(id), false, {}}, "pass", binding.target);
      ASSERT_TRUE(attempt.value) << binding.target;
      EXPECT_TRUE(equal(attempt.value->tensor, recorded.tensor)) << binding.target;
    }
  }
}

}  // namespace
}  // namespace attn
