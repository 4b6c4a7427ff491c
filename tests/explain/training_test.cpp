// What gradients say of a change, beside what it did.
#include "explain/training.h"

#include "engine/touch.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

// 2 * 3 is the first gradient of x; the other backward() comes too late for x, which was changed before.
const std::string kSquares = cell(
    "ready = torch.ones(1, requires_grad=True)\nwarm = ready.sum()\nwarm.backward()\n"
    "x = torch.tensor([3., 5.], requires_grad=True)\nloss = (x * x).sum()\nloss.backward()\n"
    "again = (x * 2).sum()\nagain.backward()");

std::optional<Foretold> foretold_by(const std::string& cells, const std::string& change) {
  const Lesson lesson = lesson_of(cells);
  const Trace before = run_lesson(lesson);
  return foretold_change(before, run_touched(lesson, before, change));
}

TEST(Foretold, IsGradientTimesChange) {
  const auto one = foretold_by(kSquares, "x[0] += 0.5");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->loss, "loss");
  EXPECT_EQ(one->count, 1);
  EXPECT_EQ(one->gradient, 6);
  EXPECT_EQ(one->change, 0.5);
  EXPECT_EQ(one->foretold, 3);
  EXPECT_EQ(one->after - one->before, 3.25);  // 3.5 * 3.5 - 9

  const auto both = foretold_by(kSquares, "x += 0.5");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->count, 2);
  EXPECT_EQ(both->foretold, 8);
}

TEST(Foretold, OfTheParametersOfALayer) {
  const auto told = foretold_by(cell("fc = nn.Linear(2, 1)\nloss = fc(torch.tensor([2., 4.])).sum()\nloss.backward()"),
                                "fc.weight[0, 1] -= 0.25");
  ASSERT_TRUE(told);
  EXPECT_EQ(told->gradient, 4);
  EXPECT_NEAR(told->after - told->before, told->foretold, 1e-6);
}

TEST(Foretold, NothingWhereNoLeafDiffers) {
  EXPECT_FALSE(foretold_by(kSquares, "x += 0"));
  EXPECT_FALSE(foretold_by(cell("x = torch.ones(2)\ny = x.sum()"), "x += 1"));
}

}  // namespace
}  // namespace attn
