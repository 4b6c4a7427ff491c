// What a learner reads of a number, a size and a move, word for word.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "explain/element.h"
#include "explain/move.h"
#include "explain/shape.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

class ElementText : public testing::Test {
 protected:
  LimitScope limits_{Limits{}};
};

/// "value | expression | note" of one element.
std::string told(const Trace& trace, const std::string& query) {
  const ElementQuery element = parse_element(query);
  const Explanation level = explain_element(trace, find_bound(trace, element.name), element.index);
  return level.digits + " | " + expression_text(level) + " | " + level.note;
}

struct ElementCase {
  const char* code;
  const char* query;
  const char* told;
};

constexpr ElementCase kCases[] = {
    {"a = torch.tensor([1., 2.])\nb = torch.tensor([[10.], [20.]])\nc = a + b", "c[1,0]", "21.0 | 1.0 + 20.0 | "},
    {"a = torch.tensor([1., -2.])\nc = a - a * 3", "c[-1]", "4.0 | -2.0 - (-6.0) | "},
    {"a = torch.tensor([-2.])\nc = a ** 2", "c[0]", "4.0 | (-2.0) ** 2 | "},
    {"a = torch.tensor([[1., 2.], [3., 4.]])\nc = a.sum(dim=0)", "c[1]", "6.0 | 2.0 + 4.0 | "},
    {"a = torch.tensor([[1., 2.], [3., 4.]])\nc = a.mean()", "c", "2.5 | (1.0 + 2.0 + 3.0 + 4.0) / 4 | "},
    {"a = torch.tensor([[1., 2.], [3., 4.]])\nc = a.max(dim=1)\nd = c.indices", "d[0]", "1 | [1.0, 2.0].index(2.0) | "},
    {"a = torch.tensor([[1., 2.], [3., 4.]])\nc = a @ a", "c[0,1]", "10.0 | 1.0 * 2.0 + 2.0 * 4.0 | "},
    {"a = torch.tensor([0., 1.])\nc = torch.softmax(a, dim=0)", "c[0]",
     "0.26894143 | exp(0.0 - 1.0) / (exp(0.0 - 1.0) + exp(1.0 - 1.0)) | "},
    {"mask = torch.tensor([1, 0])\na = torch.tensor([5., 6.])\nc = a.masked_fill(mask == 0, -1e10)", "c[1]",
     "-1e10 | -1e10 if True else 6.0 | replaced by -1e10, because mask[1] == 0"},
    {"mask = torch.tensor([1, 0])\na = torch.tensor([5., 6.])\nc = a.masked_fill(mask == 0, -1e10)", "c[0]",
     "5.0 | -1e10 if False else 5.0 | kept, because (mask == 0)[0] is False"},
    {"ids = torch.tensor([2, 0])\nt = torch.tensor([[0.5], [1.5], [2.5]])\nc = nn.functional.embedding(ids, t)",
     "c[0,0]", "2.5 | 2.5 | chosen by ids[0], which is 2"},
    {"a = torch.ones(1)\nb = torch.zeros(2)\nc = torch.cat([a, b])", "c[2]", "0.0 | 0.0 | from part 2 of 2"},
    {"a = torch.ones(2)\nc = nn.functional.pad(a, (1, 0))", "c[0]", "0.0 | 0.0 | written there by pad"},
    {"torch.manual_seed(5)\nc = torch.randint(3, 4, (2, 3))", "c[1,0]",
     "3 | 3 | number 4 of the 6 that randint drew after manual_seed(5)"},
    {"c = torch.zeros(3)\nc[1] = 7.0", "c[1]", "7.0 | 7.0 | written there by index_put"},
    {"a = torch.tensor([0, 0, 1])\nc = torch.zeros(2).scatter_add(0, a, torch.tensor([1., 2., 4.]))", "c[0]",
     "3.0 | 0.0 + 1.0 + 2.0 | "},
    {"a = torch.tensor([[1., 2.], [3., 4.]])\nc = torch.trace(a)", "c", "5.0 | 1.0 + 4.0 | "},
    {"a = torch.tensor([3., 1., 2.])\nc = a.sort(descending=True).values", "c[1]",
     "2.0 | sorted([3.0, 1.0, 2.0], reverse=True)[1] | "},
};

TEST_F(ElementText, OneLevel) {
  for (const ElementCase& each : kCases) {
    SCOPED_TRACE(each.code);
    const Trace trace = trace_of(cell(each.code));
    EXPECT_EQ(told(trace, each.query), each.told);
  }
}

TEST_F(ElementText, LinearIsRowTimesWeightsPlusBias) {
  const Trace trace = trace_of(cell("x = torch.ones(1, 2)\nlayer = nn.Linear(2, 3)\ny = layer(x)"));
  const Explanation sum = explain_element(trace, find_bound(trace, "y"), {0, 2});
  ASSERT_EQ(sum.operands.size(), 2u);
  EXPECT_EQ(sum.operands[1].name, "layer.bias");
  ASSERT_FALSE(sum.inner.empty());
  const Explanation& product = sum.inner[0];
  ASSERT_EQ(product.operands.size(), 4u);
  EXPECT_EQ(product.terms, 2);
  EXPECT_EQ(product.operands[0].name, "x");
  EXPECT_EQ(product.operands[3].name, "layer.weight");
  EXPECT_EQ(product.operands[3].index, (Shape{2, 1}));
}

TEST_F(ElementText, DropoutSaysWhichItKept) {
  const Trace trace = trace_of(cell("torch.manual_seed(0)\na = torch.ones(64)\nc = nn.functional.dropout(a, 0.25)"));
  int kept = 0, dropped = 0;
  for (std::int64_t k = 0; k < 64; ++k) {
    const Explanation level = explain_element(trace, find_bound(trace, "c"), {k});
    EXPECT_EQ(expression_text(level), level.number == 0 ? "1.0 * 0" : "1.0 / (1 - 0.25)");
    (level.fact == ElementFact::Kept ? kept : dropped) += 1;
  }
  EXPECT_GT(kept, dropped);
  EXPECT_GT(dropped, 0);
}

TEST_F(ElementText, WrittenInPlaceIsFoundThroughViews) {
  const Trace trace = trace_of(cell("x = torch.zeros(2, 2)\nv = x.view(4)\nx[1, 0] = 3.0\ny = v + 1"));
  EXPECT_EQ(told(trace, "y[2]"), "4.0 | 3.0 + 1 | ");
  EXPECT_EQ(told(trace, "y[1]"), "1.0 | 0.0 + 1 | ");
  EXPECT_EQ(told(trace, "x[1,0]"), "3.0 | 3.0 | written there by index_put");
}

TEST_F(ElementText, LayersByTheirNumbersAsPythonWritesThem) {
  const Trace trace =
      trace_of(cell("net = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Linear(1, 1)))\nx = torch.ones(1, 1)\n"
                    "net(x).sum().backward()"));
  EXPECT_EQ(find_bound(trace, "net[1][0].weight.grad"), find_bound(trace, "net.1.0.weight.grad"));
  EXPECT_EQ(told(trace, "net[1][0].bias.grad[0]"), told(trace, "net.1.0.bias.grad[0]"));
}

// Each op of a backward pass has the op of the forward pass that it goes through.
TEST_F(ElementText, AGradientNamesTheOpThatItComesBackThrough) {
  const Trace trace = trace_of(
      cell("q = torch.ones(2, 2, requires_grad=True)\ny = (q * 3) @ torch.ones(2, 1)\ny.tanh().sum().backward()"));
  std::vector<std::string> names;
  for (const Op& op : trace.ops)
    if (op.parent >= 0 && op.back_through >= 0) names.push_back(op.name + " of " + trace.op(op.back_through).name);
  EXPECT_EQ(names.front(), "expand of sum");
  EXPECT_EQ(names.back(), "mul of mul");
  EXPECT_NE(std::find(names.begin(), names.end(), "matmul of matmul"), names.end());
}

TEST_F(ElementText, DepthAndTermsAreLimited) {
  const Trace trace = trace_of(cell("a = torch.ones(2, 2) * 2\nb = a + 1\nc = b @ b"));
  ExplainOptions options;
  options.depth = 0;
  Explanation level = explain_element(trace, find_bound(trace, "c"), {0, 1}, options);
  EXPECT_TRUE(level.inner.empty());
  EXPECT_TRUE(level.is_cut);
  options.depth = -1;
  level = explain_element(trace, find_bound(trace, "c"), {0, 1}, options);
  EXPECT_EQ(level.inner.size(), 2u);  // of the first term
  EXPECT_TRUE(level.is_cut);
  options.terms = -1;
  level = explain_element(trace, find_bound(trace, "c"), {0, 1}, options);
  EXPECT_EQ(level.inner.size(), 3u);  // b[0, 1] stands in both terms
  EXPECT_FALSE(level.is_cut);
}

TEST_F(ElementText, MistakesSayWhatIsNeeded) {
  const Trace trace = trace_of(cell("energy = torch.zeros(2, 3)\nn = 4"));
  const auto mistake = [&](const std::string& query) -> std::string {
    try {
      told(trace, query);
    } catch (const UserError& error) {
      return std::string(error.what()) + " / " + error.hint();
    }
    return "";
  };
  EXPECT_EQ(mistake("energi[0]"), "nothing is bound to 'energi' in this lesson / did you mean energy?");
  EXPECT_EQ(mistake("energy[0]"), "energy [2, 3] needs 2 numbers between the brackets / such as energy[0, 0]");
  EXPECT_EQ(mistake("energy[0,3]"), "index 3 is outside axis 1 of energy [2, 3] / ");
  EXPECT_EQ(mistake("energy[a]"),
            "'energy[a]' is not an element: a name and its index are needed / such as energy[0, 1, 2, 3]");
  EXPECT_EQ(mistake("n"), "this is not a tensor but a value of type int: 4 / ");
}

// ---- sizes ----

std::string births(const Trace& trace, const std::string& name) {
  std::string out;
  for (const AxisBirth& axis : explain_shape(trace, find_bound(trace, name)).axes) {
    out += (out.empty() ? "" : "; ") + axis.name + " " + std::to_string(axis.size);
    for (const std::string& text : axis.equals) out += " = " + text;
    if (axis.span) out += ", " + code_of(trace, *axis.span);
  }
  return out;
}

TEST_F(ElementText, SizesAreFollowedToTheirAssignment) {
  const Trace trace =
      trace_of(cell("hidden_dim = 8\nn_heads = 2\nhead_dim = hidden_dim // n_heads\nx = torch.zeros(3, hidden_dim)\n"
                    "y = x.view(3, n_heads, head_dim)\nz = y.transpose(0, 1)"));
  EXPECT_EQ(births(trace, "z"),
            "n_heads 2 = n_heads, n_heads = 2; "
            " 3 = a size of torch.zeros(3, hidden_dim), torch.zeros(3, hidden_dim); "
            "head_dim 4 = head_dim = hidden_dim // n_heads = 8 // 2, head_dim = hidden_dim // n_heads");
}

TEST_F(ElementText, SizesWithTheNameOfAVariableAreThatVariables) {
  const Trace trace =
      trace_of(cell("rows = 1 + 1\ncolumns = 7\nx = torch.zeros(2, 3)  # [rows, columns_of_x]\n"
                    "a, b = 2, 3\nwidth = (a + b) * 2\nwide = torch.zeros(width)"));
  EXPECT_EQ(births(trace, "x"),
            "rows 2 = rows = 1 + 1, rows; columns_of_x 3 = a size of torch.zeros(2, 3), torch.zeros(2, 3)");
  EXPECT_EQ(births(trace, "wide"), "width 10 = width = (a + b) * 2 = 5 * 2, width = (a + b) * 2");
}

// An axis without a name that two axes could be is none of them.
TEST_F(ElementText, SizesAreNotGuessed) {
  const Trace trace =
      trace_of(cell("x = torch.zeros(2, 3)\ny = x @ torch.ones(3, 2) + torch.ones(2)\nz = x.exp()\nw = x.sum(dim=0)"));
  EXPECT_EQ(births(trace, "y"),
            " 2 = a size of x @ torch.ones(3, 2), x @ torch.ones(3, 2); "
            " 2 = a size of x @ torch.ones(3, 2), x @ torch.ones(3, 2)");
  EXPECT_EQ(births(trace, "z"),
            " 2 = a size of torch.zeros(2, 3), torch.zeros(2, 3);  3 = a size of torch.zeros(2, 3), torch.zeros(2, 3)");
  EXPECT_EQ(births(trace, "w"), " 3 = a size of torch.zeros(2, 3), torch.zeros(2, 3)");
}

// ---- moves ----

TEST_F(ElementText, AMoveFollowsTheElementThroughStorage) {
  const Trace trace = trace_of(cell("x = torch.arange(6).view(2, 3)\ny = x.t()\nz = y.contiguous()\nw = z.view(6)"));
  const MoveExplanation move = explain_move(trace, find_bound(trace, "z"), {2, 0});
  ASSERT_GE(move.way.size(), 3u);
  const MovedPlace &z = move.way.back(), &y = move.way[move.way.size() - 2], &x = move.way[move.way.size() - 3];
  EXPECT_EQ(x.index, (Shape{0, 2}));
  EXPECT_EQ(y.index, (Shape{2, 0}));
  EXPECT_TRUE(y.is_view);
  EXPECT_FALSE(z.is_view);
  EXPECT_EQ(y.address, 2);
  EXPECT_EQ(y.number, 4);
  EXPECT_EQ(z.address, 4);
  ASSERT_EQ(move.onward.size(), 1u);
  EXPECT_EQ(move.onward[0].name, "w");
  EXPECT_EQ(move.onward[0].index, (Shape{4}));
}

TEST_F(ElementText, AViewIsImpossibleBecauseOfTwoAxes) {
  // PyTorch: torch.zeros(3, 2, 5, 4).permute(0, 2, 1, 3).view(3, 5, 8) works; .transpose(1, 2).view(3, 10, 4) does not.
  EXPECT_FALSE(view_obstacle({3, 5, 2, 4}, {40, 8, 4, 1}, {3, 5, 8}));
  const auto obstacle = view_obstacle({3, 5, 2, 4}, {40, 4, 20, 1}, {3, 5, 8});
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->axis, 2u);
  EXPECT_EQ(obstacle->wanted, 4);
  EXPECT_FALSE(view_obstacle({2, 1, 3}, {3, 99, 1}, {6}));
  EXPECT_FALSE(view_obstacle({2, 3}, {1, 2}, {2, 3, 1}));
}

}  // namespace
}  // namespace attn
