#include "torch/op.h"

#include <gtest/gtest.h>

#include <set>

#include "op_names.h"
#include "run_cell.h"
#include "torch/signature.h"

namespace attn {
namespace {

TEST(Ops, EveryExampleRuns) {
  for (const OpInfo* op : all_ops()) {
    SCOPED_TRACE(std::string(op->spellings));
    EXPECT_EQ(failure_of(std::string(op->example)), "");
  }
}

TEST(Ops, EveryRowIsComplete) {
  for (const OpInfo* op : all_ops()) {
    SCOPED_TRACE(std::string(op->spellings));
    EXPECT_FALSE(op->doc.empty());
    EXPECT_TRUE(op->doc.ends_with('.') || op->doc.ends_with('?'));
    EXPECT_NE(op->function, nullptr);
    EXPECT_NE(op->axes, nullptr);
    EXPECT_FALSE(overloads_of(op->signature).empty());
    std::string_view first = op->spellings.substr(0, op->spellings.find(' '));
    EXPECT_EQ(find_op(first), op);
    EXPECT_TRUE(first.ends_with(op->name)) << first;
  }
}

TEST(Ops, ThatWriteInPlaceFollowFromTheRowWithoutUnderscore) {
  EXPECT_EQ(find_op("Tensor.mul_")->pure, find_op("torch.mul"));
  EXPECT_EQ(find_op("Tensor.fill_")->pure, nullptr);
  for (const OpInfo* op : all_ops()) {
    if (!op->pure) continue;
    SCOPED_TRACE(std::string(op->spellings));
    EXPECT_EQ(op->name, std::string(op->pure->name) + "_");
    EXPECT_EQ(parameters_of(*op).front().type, "Tensor");
    EXPECT_EQ(op->formula, op->pure->formula);
    EXPECT_TRUE(op->flags & kInPlace);
  }
}

TEST(Ops, AreFoundByEverySpelling) {
  EXPECT_EQ(find_op("torch.matmul"), find_op("Tensor.matmul"));
  EXPECT_EQ(find_op("torch.concat"), find_op("torch.cat"));
  EXPECT_NE(find_op("torch.softmax"), find_op("torch.nn.functional.softmax"));
  EXPECT_EQ(find_op("torch.view"), nullptr);
  EXPECT_EQ(find_op("matmul"), nullptr);
  EXPECT_NE(find_op("op.index"), nullptr);
}

TEST(Ops, NamesUnderAPrefixStopAtTheNextDot) {
  const auto names = names_under("torch.");
  const std::set<std::string> known(names.begin(), names.end());
  EXPECT_TRUE(known.contains("matmul"));
  EXPECT_FALSE(known.contains("nn.functional.softmax"));
  EXPECT_FALSE(known.contains("view"));
  EXPECT_TRUE(names_under("nothing.").empty());
}

// Names of gradients as PyTorch 1.13.1 prints them.
struct GradCase {
  const char* code;
  const char* grad_fn;
};
constexpr GradCase kGradients[] = {
    {"r(3) + r(3)", "AddBackward0"},
    {"1 - r(3)", "RsubBackward1"},
    {"2 / r(3)", "MulBackward0"},
    {"r(3) % 2", "RemainderBackward0"},
    {"r(3) % r(3)", "RemainderBackward1"},
    {"r(3) // 2", "NotImplemented"},
    {"r(3) ** 2", "PowBackward0"},
    {"2 ** r(3)", "PowBackward1"},
    {"r(3).sum()", "SumBackward0"},
    {"r(3, 4).sum(1)", "SumBackward1"},
    {"r(3, 4).sum(dim=None)", "SumBackward1"},
    {"r(3, 4).mean(1)", "MeanBackward1"},
    {"r(3).max()", "MaxBackward1"},
    {"r(3, 4).max(1)[0]", "MaxBackward0"},
    {"torch.max(r(3), r(3))", "MaximumBackward0"},
    {"r(3) @ r(3)", "DotBackward0"},
    {"r(3) @ r(3, 4)", "SqueezeBackward3"},
    {"r(2, 3) @ r(3)", "MvBackward0"},
    {"r(2, 3) @ r(3, 4)", "MmBackward0"},
    {"r(5, 2, 3) @ r(3, 4)", "UnsafeViewBackward0"},
    {"r(2, 3) @ r(5, 3, 4)", "CloneBackward0"},
    {"r(5, 2, 3) @ r(5, 3, 4)", "UnsafeViewBackward0"},
    {"F.linear(r(3), r(4, 3), r(4))", "AddBackward0"},
    {"F.linear(r(2, 3), r(4, 3), r(4))", "AddmmBackward0"},
    {"F.linear(r(5, 2, 3), r(4, 3), r(4))", "ViewBackward0"},
    {"F.linear(r(2, 5, 3).transpose(0, 1), r(4, 3), r(4))", "AddBackward0"},
    {"F.linear(r(5, 2, 3), r(4, 3))", "UnsafeViewBackward0"},
    {"r(3, 4).reshape(12)", "ReshapeAliasBackward0"},
    {"r(3, 4).t().reshape(12)", "UnsafeViewBackward0"},
    {"r(3, 4).t().contiguous()", "CloneBackward0"},
    {"r(3, 4).t().contiguous().contiguous()", "CloneBackward0"},
    {"r(3, 1).squeeze(1)", "SqueezeBackward1"},
    {"r(4).split([1, 3])[0]", "SplitWithSizesBackward0"},
    {"r(3, 4)[:, 1]", "SelectBackward0"},
    {"r(3, 4)[0, :, None]", "UnsqueezeBackward0"},
    {"r(3, 4)[:, None, :]", "SliceBackward0"},
    {"r(3, 4)[0:3, 0:4]", "AliasBackward0"},
    {"r(3, 4)[0:3]", "SliceBackward0"},
    {"r(3, 4)[...]", "AliasBackward0"},
    {"r(3, 4)[0, torch.tensor([0, 1])]", "IndexBackward0"},
    {"r(3, 4)[torch.tensor(1)]", "SelectBackward0"},
    {"F.layer_norm(r(3, 4), (4,), r(4), r(4))", "NativeLayerNormBackward0"},
    {"F.dropout(r(3), 0.5)", "MulBackward0"},
    {"r(3).double()", "ToCopyBackward0"},
    {"F.relu(r(3).clone(), inplace=True)", "ReluBackward0"},
    {"x = r(3, 4).clone()\nx[0] = 1.\nx", "CopySlices"},
    {"x = r(3, 4).clone()\nx[torch.tensor([0])] = 1.\nx", "IndexPutBackward0"},
    {"r(3).detach()", ""},
    {"r(3).long()", ""},
    {"r(3).flatten()", ""},
    {"F.dropout(r(3), training=False)", ""},
};

TEST(Ops, GradientNames) {
  for (const auto& [code, grad_fn] : kGradients) {
    SCOPED_TRACE(code);
    const CellRun run(std::string("r = lambda *s: torch.randn(*s, requires_grad=True)\n") + code);
    EXPECT_EQ(run.tensor().grad_fn, grad_fn);
  }
}

// What PyTorch 1.13.1 prints for the last expression.
constexpr std::pair<const char*, const char*> kValues[] = {
    {"torch.div(torch.tensor([7, -7]), 2, rounding_mode='trunc')", "tensor([ 3, -3])"},
    {"torch.div(torch.tensor([7., -7.]), 2, rounding_mode='floor')", "tensor([ 3., -4.])"},
    {"torch.div(torch.tensor([1., -1.]), 0, rounding_mode='trunc')", "tensor([inf, -inf])"},
    {"torch.add(torch.ones(2), torch.ones(2), alpha=2)", "tensor([3., 3.])"},
    {"torch.sub(torch.tensor([5]), 2, alpha=2)", "tensor([1])"},
    {"torch.tensor([True, 2])", "tensor([1, 2])"},
    {"torch.tensor([1, torch.tensor(2.5)])", "tensor([1.0000, 2.5000])"},
    {"torch.tensor([[], []])", "tensor([], size=(2, 0))"},
    {"torch.tensor([1.5, -1.5], dtype=torch.long)", "tensor([ 1, -1])"},
    {"torch.tensor(range(3))", "tensor([0, 1, 2])"},
    {"torch.arange(1, step=2, end=9)", "tensor([1, 3, 5, 7])"},
    {"torch.full((2,), True)", "tensor([True, True])"},
    {"torch.zeros(2, dtype=int)", "tensor([0, 0])"},
    {"torch.zeros(2, requires_grad=True)", "tensor([0., 0.], requires_grad=True)"},
    {"torch.LongTensor([1.5])", "tensor([1])"},
    {"torch.LongTensor(2, 1).shape", "torch.Size([2, 1])"},
    {"torch.zeros(2, 3).max(dim=1)", "torch.return_types.max(\nvalues=tensor([0., 0.]),\nindices=tensor([0, 0]))"},
    {"torch.max(torch.ones(2), other=torch.zeros(2))", "tensor([1., 1.])"},
    {"torch.tensor([1., 3.]).var(unbiased=False)", "tensor(1.)"},
    {"torch.ones(2, 3).sum(axis=1, keepdims=True)", "tensor([[3.],\n        [3.]])"},
    {"torch.arange(6).view(2, 3)[[0, 1], [0, 2]]", "tensor([0, 5])"},
    {"torch.arange(6).view(2, 3)[[[0, 1], [0, 2]]]", "tensor([0, 5])"},
    {"torch.arange(6).view(2, 3)[range(1)]", "tensor([[0, 1, 2]])"},
    {"x = torch.zeros(2, 2)\nx[0] += 1\nx", "tensor([[1., 1.],\n        [0., 0.]])"},
    {"x = torch.zeros(2)\ny = x.view(2, 1)\nx.fill_(3)\ny", "tensor([[3.],\n        [3.]])"},
    {"x = torch.ones(2, 3)\nx.contiguous() is x, x.float() is x, x.flatten(1) is x, x.clone() is x",
     "(True, True, True, False)"},
    {"F.one_hot(torch.tensor([1, 0]))", "tensor([[0, 1],\n        [1, 0]])"},
    {"F.softmax(torch.zeros(2))", "tensor([0.5000, 0.5000])"},
    {"torch.ones(2, 3).to(torch.tensor(1))", "tensor([[1, 1, 1],\n        [1, 1, 1]])"},
    {"torch.zeros(2, 3).stride()", "(3, 1)"},
    {"torch.swapaxes(torch.zeros(2, 3), axis0=0, axis1=1).shape", "torch.Size([3, 2])"},
};

TEST(Ops, ResultsAsPyTorchPrintsThem) {
  for (const auto& [code, text] : kValues) {
    SCOPED_TRACE(code);
    EXPECT_EQ(repr(CellRun(code).last()), text);
  }
}

constexpr std::pair<const char*, const char*> kFailures[] = {
    {"torch.tensor([[1, 2], [3, 4, 5]])", "ValueError: expected sequence of length 2 at dim 1 (got 3)"},
    {"torch.tensor([[1, 2], 3])", "TypeError: not a sequence"},
    {"torch.tensor([1, [2]])", "TypeError: 'list' object cannot be interpreted as an integer"},
    {"torch.tensor(None)", "RuntimeError: Could not infer dtype of NoneType"},
    {"torch.tensor([1], requires_grad=True)",
     "RuntimeError: Only Tensors of floating point and complex dtype can require gradients"},
    {"torch.ones(3).long().div_(2)", "RuntimeError: result type Float can't be cast to the desired output type Long"},
    {"torch.ones(3).add_(torch.ones(2, 3))",
     "RuntimeError: output with shape [3] doesn't match the broadcast shape [2, 3]"},
    {"torch.ones(2, requires_grad=True).zero_()",
     "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."},
    {"torch.randn(2, dtype=torch.long)", "RuntimeError: \"normal_kernel_cpu\" not implemented for 'Long'"},
    {"F.dropout(torch.ones(2), 1.5)", "ValueError: dropout probability has to be between 0 and 1, but got 1.5"},
    {"F.linear(torch.ones(5, 2, 3), torch.ones(4, 2))",
     "RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x3 and 2x4)"},
    {"torch.ones(2, 3)[1.0]",
     "IndexError: only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
     "(got "
     "float)"},
    {"torch.ones(2)[torch.tensor([1.])]", "IndexError: tensors used as indices must be long, byte or bool tensors"},
    {"torch.zeros(2, device='cuda')", "NotImplementedError: only the device 'cpu' is supported"},
    {"torch.zeros(2, out=torch.zeros(3))", "NotImplementedError: zeros(out=...) is not supported"},
    {"torch.exp(torch.ones(2, requires_grad=True), out=torch.zeros(2))",
     "RuntimeError: exp(): functions with out=... arguments don't support automatic differentiation, but one of the "
     "arguments requires grad."},
};

TEST(Ops, FailuresInPyTorchsWords) {
  for (const auto& [code, message] : kFailures) {
    SCOPED_TRACE(code);
    EXPECT_EQ(failure_of(code), message);
  }
}

TEST(Ops, CompositesAreRecordedStepByStep) {
  EXPECT_EQ(ops_of("x = torch.ones(2, 3)", "y = F.linear(x, x, x[0, :2])"), "index\nlinear\n  t\n  matmul\n  add\n");
}

TEST(Ops, MatmulCountsItsMultiplyAdds) {
  struct Costs : Observer {
    std::int64_t total = 0;
    void op_ends(const OpCall& call, const Value& result) override {
      if (call.info().cost) total += call.info().cost(call, result.as<TensorObject>()->tensor);
    }
  } costs;
  const LimitScope limits{Limits{}};
  Interpreter interpreter(&costs);
  interpreter.run(Source{"cell", "import torch\ny = torch.ones(5, 2, 3) @ torch.ones(3, 4)\n"});
  EXPECT_EQ(costs.total, 5 * 2 * 3 * 4);
}

}  // namespace
}  // namespace attn
