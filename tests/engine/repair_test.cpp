#include "engine/repair.h"

#include <gtest/gtest.h>

#include "engine/evaluate.h"

namespace attn {
namespace {

TriedFix fix_of(const std::string& code) {
  const Evaluation result = evaluate_code("x = torch.ones(2, 3)  # (rows, columns)\n" + code);
  return result.error ? result.error->tried : TriedFix{"no error", ""};
}

TEST(Repair, IsCodeOfTheCallAndWhatItGives) {
  EXPECT_EQ(fix_of("x @ x").code, "x @ x.transpose(-2, -1)");
  EXPECT_EQ(fix_of("x @ x").gives, "[rows 2, rows 2]");
  EXPECT_EQ(fix_of("(x + 1) @ (x * 2)").code, "(x + 1) @ (x * 2).transpose(-2, -1)");
  EXPECT_EQ(fix_of("torch.matmul(\n    x,\n    x)").code, "torch.matmul(x, x.transpose(-2, -1))");
  EXPECT_EQ(fix_of("torch.matmul(x,  # (rows, columns)\n    x)").code, "torch.matmul(x, x.transpose(-2, -1))");
  EXPECT_EQ(fix_of("torch.softmax(input=x, dim=2)").code, "torch.softmax(input=x, dim=-1)");
  EXPECT_EQ(fix_of("def f(a):\n    return a.view(-1, 4)\nf(x)").code, "a.view(2, -1)");
}

TEST(Repair, IsNotOfferedWhereItCouldNotBeWrittenOrTried) {
  EXPECT_EQ(fix_of("pair = [x, x]\ntorch.matmul(*pair)").code, "");
  EXPECT_EQ(fix_of("x[0] = torch.ones(7)").code, "");
  EXPECT_EQ(fix_of("torch.ones(5000, 4000) @ torch.ones(5000, 4000)").code, "") << "too large to be tried";
  EXPECT_EQ(fix_of("raise ValueError('mine')").code, "");
  EXPECT_EQ(fix_of("try:\n    x @ x\nexcept RuntimeError:\n    raise ValueError('mine')").code, "");
}

TEST(Repair, LeavesTheOperandsAsTheyWere) {
  const Evaluation result = evaluate_code(
      "x = torch.zeros(2, 3)\ntry:\n    x.add_(torch.ones(2))\nexcept RuntimeError:\n    "
      "pass\nprint(x.sum())\nx.add_(torch.ones(2))");
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->tried.code, "x.add_(torch.ones(2).unsqueeze(1))");
  EXPECT_EQ(result.text, "tensor(0.)\n");
}

}  // namespace
}  // namespace attn
