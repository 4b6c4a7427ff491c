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

// A parameter inside of a model has its name from the model; the optimizer binds that name too late.
TEST(Foretold, OfTheParametersOfAModel) {
  const std::string code =
      "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(2, 1)\n"
      "    def forward(self, x):\n        return self.l(x)\n"
      "torch.manual_seed(0)\nnet = Net()\nseq = nn.Sequential(nn.Linear(2, 1))\n"
      "opt = torch.optim.SGD([*net.parameters(), *seq.parameters()], lr=0.1)\n"
      "for i in range(3):\n    loss = (net(torch.tensor([2., 4.])) + seq(torch.tensor([8., 1.]))).sum()\n"
      "    opt.zero_grad()\n    loss.backward()\n    opt.step()";
  const auto in_class = foretold_by(cell(code), "net.l.weight[0, 1] += 0.25");
  ASSERT_TRUE(in_class);
  EXPECT_EQ(in_class->count, 1);
  EXPECT_EQ(in_class->gradient, 4);
  EXPECT_NEAR(in_class->after - in_class->before, 1, 1e-6);
  const auto in_list = foretold_by(cell(code), "seq[0].weight[0, 0] += 0.25");
  ASSERT_TRUE(in_list);
  EXPECT_EQ(in_list->gradient, 8);
  EXPECT_EQ(in_list->before, in_class->before);  // of the first round
}

TEST(Foretold, CountsAChangeOnceWhereALaterTensorRetainsItsGradient) {
  const auto told = foretold_by(
      cell("x = torch.tensor([3.], requires_grad=True)\ny = x * 2\ny.retain_grad()\nloss = y.sum()\nloss.backward()"),
      "x += 1");
  ASSERT_TRUE(told);
  EXPECT_EQ(told->foretold, 2);
}

TEST(Foretold, NothingWhereNoLeafDiffers) {
  EXPECT_FALSE(foretold_by(kSquares, "x += 0"));
  EXPECT_FALSE(foretold_by(cell("x = torch.ones(2)\ny = x.sum()"), "x += 1"));
}

}  // namespace
}  // namespace attn
