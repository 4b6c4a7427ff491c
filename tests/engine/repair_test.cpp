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
  EXPECT_EQ(fix_of("torch.einsum('ij,jk->ik', x, x)").code, "torch.einsum('ij,kj->ik', x, x)");
  EXPECT_EQ(fix_of("torch.einsum('ij,  jk ->  ik',  x,\n x)").code, "torch.einsum('ij,  kj ->  ik', x, x)");
  EXPECT_EQ(fix_of("torch.einsum('i , jk ->  ik', x, x)").code, "torch.einsum('ih , jk ->  ihk', x, x)");
  EXPECT_EQ(fix_of("torch.softmax(input=x, dim=2)").code, "torch.softmax(input=x, dim=-1)");
  EXPECT_EQ(fix_of("def f(a):\n    return a.view(-1, 4)\nf(x)").code, "a.view(2, -1)");
}

struct RepairCase {
  const char *code, *fix, *gives;
};

// In PyTorch 1.13 each of these codes fails, and each of these repairs gives what has these sizes.
TEST(Repair, OfEachRule) {
  const std::string names =
      "x = torch.arange(6.).view(2, 3)\nv = torch.arange(3.)\nc = torch.arange(24.).view(2, 3, 4)\n"
      "b = torch.tensor([True, False, True])\n";
  const RepairCase cases[] = {
      {"torch.matmul(v, x)", "torch.matmul(v, x.transpose(-2, -1))", "[2]"},
      {"torch.mm(c, c.transpose(1, 2))", "torch.matmul(c, c.transpose(1, 2))", "[2, 3, 3]"},
      {"torch.bmm(c, c)", "torch.bmm(c, c.transpose(-2, -1))", "[2, 3, 3]"},
      {"nn.Linear(3, 2)(x.t())", "nn.Linear(3, 2)(x)", "[2, 2]"},
      {"nn.Linear(12, 5)(torch.ones(2, 6, 3, 4))", "nn.Linear(12, 5)(torch.ones(2, 6, 3, 4).flatten(2))", "[2, 6, 5]"},
      {"nn.Linear(12, 5)(torch.ones(2, 3, 6, 4))",
       "nn.Linear(12, 5)(torch.ones(2, 3, 6, 4).transpose(1, 2).flatten(2))", "[2, 6, 5]"},
      {"torch.bmm(torch.ones(2, 4), torch.ones(2, 4, 5))",
       "torch.bmm(torch.ones(2, 4).unsqueeze(1), torch.ones(2, 4, 5))", "[2, 1, 5]"},
      {"x.masked_fill(torch.ones(3, 3).triu(1), 0.)[:2]", "", ""},
      {"torch.ones(3, 3).masked_fill(torch.ones(3, 3).triu(1), 0.)",
       "torch.ones(3, 3).masked_fill(torch.ones(3, 3).triu(1) == 1, 0.)", "[3, 3]"},
      {"torch.ones(2, 3).view(2, 2, 3 // 2)", "", ""},
      {"nn.LayerNorm(2)(x)", "", ""},  // turned, it would mix words
      {"x + torch.ones(2)", "x + torch.ones(2).unsqueeze(1)", "[2, 3]"},
      {"x + torch.ones(5, 3)", "x + torch.ones(5, 3)[:2]", "[2, 3]"},
      {"x.masked_fill(x.long(), 0.)", "x.masked_fill(x.long() == 0, 0.)", "[2, 3]"},
      {"torch.masked_select(x, x.long())", "torch.masked_select(x, x.long().bool())", "[5]"},
      {"torch.where(x.long(), x, x)", "torch.where(x.long().bool(), x, x)", "[2, 3]"},
      {"v.expand(2, 3).add_(1)", "v.expand(2, 3).add(1)", "[2, 3]"},
      {"v[1:].add_(v[:-1])", "v[1:].add_(v[:-1].clone())", "[2]"},
      {"torch.ones(3, requires_grad=True).mul_(2)", "torch.ones(3, requires_grad=True).mul(2)", "[3]"},
      {"1 - b", "~b", "[3]"},
      {"-b", "~b", "[3]"},
      {"b & v", "b & v.bool()", "[3]"},
      {"v | b", "v.bool() | b", "[3]"},
      {"v & (v * 2)", "v.bool() & (v * 2).bool()", "[3]"},
      {"c.transpose(0, 2).view(3, 8)", "c.transpose(0, 2).reshape(3, 8)", "[3, 8]"},
      {"c.view(3, 9)", "c.view(3, -1)", "[3, 8]"},
      {"c.view(-1, 5)", "c.view(2, -1)", "[2, 12]"},
      {"x.flatten(1, 0)", "x.flatten(0, 1)", "[6]"},
      {"c.permute(0, 1)", "c.permute(0, 1, 2)", "[2, 3, 4]"},
      {"c.t()", "c.transpose(-2, -1)", "[2, 4, 3]"},
      {"x.expand(2, 4, 3)", "x.unsqueeze(1).expand(2, 4, 3)", "[2, 4, 3]"},
      {"v.expand(3, 2)", "v.unsqueeze(1).expand(3, 2)", "[3, 2]"},
      {"x.sum(dim=2)", "x.sum(dim=-1)", "[2]"},
      {"x.sum(dim=-3)", "x.sum(dim=0)", "[3]"},
      {"c.transpose(1, 3)", "c.transpose(-2, -1)", "[2, 4, 3]"},
      {"x[5]", "x[1]", "[3]"},
      {"x[0, 1, 2]", "x[0, 1]", "[]"},
      {"x[torch.tensor([0., 1.])]", "x[torch.tensor([0., 1.]).long()]", "[2, 3]"},
      {"x[torch.tensor([0, 1]), torch.tensor([0, 1, 2])]",
       "x[torch.tensor([0, 1]).unsqueeze(1), torch.tensor([0, 1, 2])]", "[2, 3]"},
      {"x.narrow(1, 1, 3)", "x.narrow(1, 1, 2)", "[2, 2]"},
      {"torch.cat([x, torch.ones(4, 2)])", "torch.cat([x.transpose(-2, -1), torch.ones(4, 2)])", "[7, 2]"},
      {"torch.cat([x, torch.ones(2, 5)])", "torch.cat([x, torch.ones(2, 5)], dim=1)", "[2, 8]"},
      {"torch.cat([x, v])", "torch.cat([x, v.unsqueeze(0)])", "[3, 3]"},
      {"torch.stack([x, torch.ones(2, 5)])", "torch.cat([x, torch.ones(2, 5)], dim=1)", "[2, 8]"},
      {"torch.stack([x, torch.ones(5, 3)])", "torch.cat([x, torch.ones(5, 3)], dim=0)", "[7, 3]"},
      {"x.split([1, 1], dim=1)", "x.split([1, 2], dim=1)", "[2, 1], [2, 2]"},
      {"nn.Embedding(4, 2)(torch.tensor([1., 2.]))", "nn.Embedding(4, 2)(torch.tensor([1., 2.]).long())", "[2, 2]"},
      {"x[torch.full((64,), 1.).half()]", "x[torch.full((64,), 1.).half().long()]", "[64, 3]"},
      {"x.item()", "x.tolist()", ""},
      {"F.one_hot(torch.tensor([0., 1.]))", "F.one_hot(torch.tensor([0., 1.]).long())", "[2, 2]"},
      {"F.one_hot(torch.tensor([0, 4]), 3)", "F.one_hot(torch.tensor([0, 4]), 5)", "[2, 5]"},
      {"x.topk(5)", "x.topk(3)", "2 x [2, 3]"},
      {"x.kthvalue(5)", "x.kthvalue(3)", "2 x [2]"},
      {"torch.randint(9, 3, (2,))", "torch.randint(3, 9, (2,))", "[2]"},
      {"torch.tril(v)", "torch.tril(v.unsqueeze(0))", "[1, 3]"},
      {"F.conv1d(torch.ones(2, 6, 4), torch.ones(5, 4, 1))",
       "F.conv1d(torch.ones(2, 6, 4).transpose(-2, -1), torch.ones(5, 4, 1))", "[2, 5, 6]"},
      {"torch.take_along_dim(x, torch.tensor([1]), 1)", "torch.take_along_dim(x, torch.tensor([1]).unsqueeze(0), 1)",
       "[2, 1]"},
      {"torch.softmax(x, dim=4)", "torch.softmax(x, dim=-1)", "[2, 3]"},
      {"torch.arange(3) ** -1", "torch.arange(3).float() ** -1", "[3]"},
      {"torch.arange(3, dtype=torch.int32) ** -1", "torch.arange(3, dtype=torch.int32).float() ** -1", "[3]"},
      {"F.cross_entropy(x, torch.ones(3).long())", "F.cross_entropy(x.transpose(-2, -1), torch.ones(3).long())", "[]"},
      {"torch.ones(2, 3, dtype=torch.uint8).view(4, 2)", "torch.ones(2, 3, dtype=torch.uint8).view(-1, 2)", "[3, 2]"},
      {"torch.arange(6).mean()", "torch.arange(6).float().mean()", "[]"},
      {"x.squeeze(5)", "x.squeeze(-1)", "[2, 3]"},
      {"x.gather(1, torch.tensor([1, 2]))", "x.gather(1, torch.tensor([1, 2]).unsqueeze(0))", "[1, 2]"},
      {"x.index_select(1, torch.tensor([0., 2.]))", "x.index_select(1, torch.tensor([0., 2.]).long())", "[2, 2]"},
      {"x.reshape(4, 2)", "x.reshape(-1, 2)", "[3, 2]"},
      {"torch.ones(2, 3).double() @ x.t()", "torch.ones(2, 3).double().float() @ x.t()", "[2, 2]"},
  };
  for (const RepairCase& c : cases) {
    const Evaluation result = evaluate_code(names + c.code);
    ASSERT_TRUE(result.error) << c.code;
    EXPECT_EQ(result.error->tried.code, c.fix) << c.code;
    EXPECT_EQ(result.error->tried.gives, c.gives) << c.code;
  }
}

TEST(Repair, IsNotOfferedWhereItCouldNotBeWrittenOrTried) {
  EXPECT_EQ(fix_of("torch.ones(3, 2) @ torch.ones(3, 4)").code,
            "torch.ones(3, 2).transpose(-2, -1) @ torch.ones(3, 4)");
  EXPECT_EQ(fix_of("torch.ones(3, 2).softmax(-1) @ torch.ones(3, 4)").code, "") << "rows of weights are not turned";
  for (const char* narrow : {"nn.Linear(8, 5)(x)", "nn.LayerNorm(5)(x)", "nn.Embedding(4, 2)(torch.tensor([1, 6]))"})
    EXPECT_EQ(fix_of(narrow).code, "") << "no layer is invented";
  EXPECT_EQ(fix_of("pair = [x, x]\ntorch.matmul(*pair)").code, "");
  EXPECT_EQ(fix_of("x[0] = torch.ones(7)").code, "");
  EXPECT_EQ(fix_of("torch.ones(1, 4, 3) + torch.ones(2, 3)").code, "") << "a text longer than its table";
  EXPECT_EQ(fix_of("torch.ones(5000, 4000) @ torch.ones(5000, 4000)").code, "") << "too large to be tried";
  EXPECT_EQ(fix_of("torch.ones(2).view(*[2] * 100000)").code, "") << "one text for a hundred thousand sizes";
  EXPECT_EQ(fix_of("raise ValueError('mine')").code, "");
  EXPECT_EQ(fix_of("try:\n    x @ x\nexcept RuntimeError:\n    raise ValueError('mine')").code, "");
}

TEST(Repair, CutsAndTurnsNoText) {
  const std::string text = "fc = nn.Linear(4, 4)\ny = fc(torch.ones(2, 7, 4))\n";
  const auto fix = [&](const std::string& code) { return fix_of(text + code).code; };
  EXPECT_EQ(fix("y + nn.Parameter(torch.ones(1, 6, 4))"), "") << "the table is too short";
  EXPECT_EQ(fix("p = nn.Parameter(torch.ones(1, 9, 4))\ny + p"), "y + p[:, :7]");
  EXPECT_EQ(fix("p = nn.Parameter(torch.ones(1, 9, 4))\ny[:1] + p"), "y[:1] + p[:, :7]");
  EXPECT_EQ(fix("torch.ones(2, 9, 4) + y"), "") << "another text";
  EXPECT_EQ(fix("y + fc(torch.ones(1, 9, 4))"), "") << "computed";
  EXPECT_EQ(fix("x = y.transpose(1, 2)\np = nn.Parameter(torch.ones(1, 7, 4))\nx + p"), "x.transpose(-2, -1) + p");
  EXPECT_EQ(fix("m = torch.full((7, 4), -1e9)\ny.transpose(1, 2) + m"), "y.transpose(1, 2) + m.transpose(-2, -1)");
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
