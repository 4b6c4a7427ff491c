#include "torch/axis_rules.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "run_cell.h"
#include "torch/axis_names.h"

namespace attn {
namespace {

// x has the axes [a 2, b 3, c 4], k is an index with the axis [k 5].
constexpr const char* kAxisRulesSetup =
    "x = torch.zeros(2, 3, 4)  # [a, b, c]\n"
    "y = torch.zeros(2, 4, 6)  # [a, c, d]\n"
    "k = torch.zeros(5).long()  # [k]\n"
    "hidden, T, heads, part = 12, 3, 2, 2\n";

constexpr std::pair<const char*, const char*> kCases[] = {
    // arithmetic and reductions
    {"x * 2", "a,b,c"},
    {"x + torch.zeros(4)", "a,b,c"},
    {"torch.zeros(2, 3, 4) + x", "a,b,c"},
    {"x.sum(1, keepdim=True) + x", "a,b,c"},
    {"x.masked_fill(torch.zeros(3, 1).bool(), 1.)", "a,b,c"},
    {"x.sum(1)", "a,c"},
    {"x.sum((0, -1))", "b"},
    {"x.mean()", ""},
    {"x.mean(-1, keepdim=True)", "a,b,"},
    {"x.max(dim=1).indices", "a,c"},
    {"x.softmax(-1)", "a,b,c"},
    {"torch.max(x, torch.zeros(4))", "a,b,c"},
    // products
    {"x @ y", "a,b,d"},
    {"x @ torch.zeros(4)", "a,b"},
    {"torch.zeros(3) @ x", "a,c"},
    {"x[0] @ y", "a,b,d"},
    {"F.linear(x, torch.zeros(7, 4))", "a,b,"},
    // moved axes
    {"x.permute(2, 0, -2)", "c,a,b"},
    {"x.transpose(-1, 0)", "c,b,a"},
    {"x.mT", "a,c,b"},
    {"x.T", "c,b,a"},
    {"x.unsqueeze(-1)", "a,b,c,"},
    {"x[:, :1].squeeze(1)", "a,c"},
    {"x[:1].expand(T, -1, -1)", "T,b,c"},
    {"x[0].expand(T, 3, 4)", "T,b,c"},
    {"x[0].repeat(T, 1, 2)", "T,b,"},
    {"x[:1].repeat(5, 1, 1)", "a,b,c"},
    // other shapes
    {"x.view(2, 3, 2, 2)", "a,b,,"},
    {"x.view(2, -1)", "a,b*c"},
    {"x.view(-1)", "a*b*c"},
    {"x.view(2, hidden)", "a,hidden"},
    {"x.view(2, T, heads, part)", "a,b,heads,part"},
    {"x.view(2, 3, 1, 4)", "a,b,,c"},
    {"x.view(6, 4)", "a*b,c"},
    // what a view cut through is only called so
    {"x.view(3, 2, 4)", "b?,a?,c"},
    {"x.view(4, 6)", ","},
    {"x.transpose(1, 2).reshape(2, 3, 4)", "a,,c?"},
    {"x.view(2, heads, x.size(1), part)", "a,heads,b?,part"},
    {"x.view(2, heads, -1, part)", "a,heads,b?,part"},
    {"x.view(2, heads, x.size(1), part).transpose(1, 2)", "a,b?,heads,part"},
    {"x.view(2, heads, x.size(1), part).view(2, 3, 4)", "a,b?,"},
    {"x + x.transpose(1, 2).reshape(2, 3, 4)", "a,b,c?"},
    {"x[:, :1].view(2, heads, x[:, :1].size(1), part)", "a,heads,b,part"},
    {"x.view(2, 1, x.size(1), 4)", "a,,b,c"},
    {"x.flatten(1)", "a,b*c"},
    {"x.view(2, 12).view_as(x)", "a,b,c"},
    {"x[:0].view(0, 3, 4)", "a,b,c"},
    {"x[:0].reshape(0, 12)", ","},
    // joined and divided
    {"torch.cat([x, x], dim=-1)", "a,b,"},
    {"torch.cat([x, x], dim=1)", "a,b?,c"},
    {"torch.cat([x, x[:0]])", "a,b,c"},
    {"torch.cat([x, torch.zeros(2, 3, 4)], dim=-1)", "a,b,"},
    {"torch.cat([x, torch.zeros(2, 3, 4)], dim=0)", ",b,c"},
    {"torch.cat([x[0, 0], y[0, :, 0]])", ""},
    {"torch.stack([x, x], dim=1)", "a,,b,c"},
    {"x.split(2, dim=2)[1]", "a,b,c"},
    {"x.unbind(1)[0]", "a,c"},
    // indices
    {"x[1]", "b,c"},
    {"x[..., 0]", "a,b"},
    {"x[:, None, 1:]", "a,,b,c"},
    {"x[:, k]", "a,k,c"},
    {"x[k, :, 0]", "k,b"},
    {"x[k, :, k]", "k,b"},
    {"x[:, torch.tensor([0, 1])]", "a,,c"},
    {"x[x > 0]", ""},
    {"x[:, torch.tensor([True, False, True])]", "a,,c"},
    {"F.embedding(k, x[0])", "k,c"},
    // made
    {"torch.zeros(T, 2, hidden // 2)", "T,,"},
    {"torch.arange(T)", "T"},
    {"torch.arange(1, T)", ""},
    {"torch.eye(T)", "T,"},
    {"torch.zeros_like(x)", "a,b,c"},
    {"F.one_hot(k, 7)", "k,"},
    {"x.to(torch.float64)", "a,b,c"},
};

TEST(AxisRules, NamesTravel) {
  for (const auto& [code, axes] : kCases) {
    SCOPED_TRACE(code);
    const std::string names = CellRun(std::string(kAxisRulesSetup) + code).axes();
    EXPECT_EQ(names, axes);
  }
}

TEST(AxisRules, WordsAreSlicedWithTheirAxis) {
  const auto words = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"I", "am", "here"});
  const LimitScope limits{Limits{}};
  Interpreter interpreter;
  interpreter.run(Source{"cell", "import torch\nx = torch.zeros(2, 3)\n"});
  interpreter.find("x")->as<TensorObject>()->axes[1] = {"token", words, nullptr};
  const auto words_of = [&](const char* code) {
    interpreter.run(Source{"cell", std::string("y = ") + code + "\n"});
    const Axes& axes = interpreter.find("y")->as<TensorObject>()->axes;
    return axes.back().words ? *axes.back().words : std::vector<std::string>{};
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of("x + 1"), *words);
  EXPECT_EQ(words_of("x[0]"), *words);
  EXPECT_EQ(words_of("x[:, ::2]"), (Words{"I", "here"}));
  EXPECT_EQ(words_of("x[:, -2:]"), (Words{"am", "here"}));
  EXPECT_EQ(words_of("x.split(2, dim=1)[0]"), Words{});
  EXPECT_EQ(words_of("x.view(2, 1, 3)"), *words);
  EXPECT_EQ(words_of("x.view(3, 2)"), Words{});
}

// Each sentence of a batch has words of its own.
TEST(AxisRules, WordsInRowsBelongToTheIndexOfAnotherAxis) {
  const std::string setup =
      "rows = [['a', 'b', 'c'], ['d', 'e', 'f']]\n"
      "# axis s, w: rows\n"
      "x = torch.arange(12).view(2, 3, 2)  # [s, w, d]\n"
      "order = torch.tensor([1, 0])\n";
  /// "a b c" or "by s: a b c d e f" of the axis called w.
  const auto words_of = [&](const std::string& code) -> std::string {
    const CellRun run(setup + code);
    for (const Axis& axis : run.tensor().axes) {
      if (axis.name != "w" || !axis.words) continue;
      return (axis.by.empty() ? "" : "by " + axis.by + ": ") + join(*axis.words, " ");
    }
    return "none";
  };
  const std::pair<const char*, const char*> rows[] = {
      {"x", "by s: a b c d e f"},
      {"x * 2", "by s: a b c d e f"},
      {"x.transpose(0, 2)", "by s: a b c d e f"},
      {"x.float() @ torch.zeros(2, 5)", "by s: a b c d e f"},
      {"x[1]", "d e f"},
      {"x[-2]", "a b c"},
      {"x[0, 1:]", "b c"},
      {"x[:, ::2]", "by s: a c d f"},
      {"x[..., 0]", "by s: a b c d e f"},
      {"x[:1]", "none"},
      {"x[order]", "none"},
      {"x[order == 1]", "none"},
      {"x.sum(0)", "none"},
      {"x.flip(0)", "none"},
      {"x.sort(dim=0).values", "none"},
      {"x.index_select(0, order)", "none"},
      {"torch.stack([x[0], x[1]])", "none"},
      {"torch.stack([x[0], x[0] + 1])", "a b c"},
      {"torch.cat([x, x])", "none"},
      {"y = x[0]\n# y: [u, d]\n# y: [w, d]\ny", "a b c"},
      {"y = x + 0  # [t, w, d]\ny", "by t: a b c d e f"},
      {"y = torch.zeros(2, 3)  # [s, w]\ny", "by s: a b c d e f"},
      {"y = torch.zeros(3)  # [w]\ny", "none"},
  };
  for (const auto& [code, words] : rows) EXPECT_EQ(words_of(code), words) << code;
}

TEST(AxisRules, WordsInRowsHaveToFit) {
  EXPECT_EQ(failure_of("rows = [['a'], ['b', 'c']]\n# axis s, w: rows\nx = 1"),
            "RuntimeError: the lists in rows are not equally long");
  EXPECT_EQ(failure_of("rows = ['a']\n# axis s, w: rows\nx = 1"),
            "RuntimeError: rows must hold a list of words for each s");
  EXPECT_EQ(failure_of("rows = [['a']]\n# axis w: rows\nx = 1"), "RuntimeError: rows holds lists of words");
}

TEST(AxisRules, SizesRememberTheirAxis) {
  const CellRun run(std::string(kAxisRulesSetup) + "x.view(x.size(0), x.shape[1], -1, 2)");
  EXPECT_EQ(run.axes(), "a,b,,");
  const CellRun made(std::string(kAxisRulesSetup) + "torch.zeros(x.size(0), x.shape[1])");
  EXPECT_EQ(made.axes(), "a,b");
}

TEST(AxisRules, RegroupedFollowsTheOrderOfElements) {
  const Axes axes{{"a", nullptr, nullptr}, {"b", nullptr, nullptr}};
  const auto names = [&](const Shape& from, const Shape& to) {
    std::string text;
    for (const Axis& axis : regrouped(from, axes, to)) text += axis.name + ",";
    return text;
  };
  EXPECT_EQ(names({1, 5}, {5}), "b,");
  EXPECT_EQ(names({5, 1}, {5}), "a,");
  EXPECT_EQ(names({5, 1}, {1, 5}), ",a,");
  EXPECT_EQ(names({2, 3}, {3, 2}), ",,");
  EXPECT_EQ(names({4, 3}, {2, 2, 3}), ",,b,");
}

}  // namespace
}  // namespace attn
