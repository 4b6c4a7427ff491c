// Rows of products of vectors and matrices.
#include "tensor/ops/matmul.h"

#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// Which of its own ops PyTorch's matmul ends with depends on the operands' numbers of axes, and on whether
// a transposed product needs a copy.
std::string_view matmul_grad_fn(std::int64_t left, std::int64_t right, bool is_turned_back) {
  if (left == 1 && right == 1) return "DotBackward0";
  if (left == 1 && right == 2) return "SqueezeBackward3";
  if (left == 2 && right == 1) return "MvBackward0";
  if (left == 2 && right == 2) return "MmBackward0";
  if (left == 2) return is_turned_back ? "TransposeBackward0" : "CloneBackward0";
  return "UnsafeViewBackward0";
}

using Product = Tensor (*)(const Tensor&, const Tensor&);

Value matmul_op(OpCall& call) {
  const Tensor &a = call.tensor("input"), &b = call.tensor("other");
  Tensor product = matmul(a, b);
  call.set_grad_fn(matmul_grad_fn(a.dim(), b.dim(), a.dim() == 2 && (a.size(0) == 1 || product.shape().back() == 1)));
  return make_tensor(std::move(product));
}

template <Product kProduct>
Value plain_product_op(OpCall& call) {
  return make_tensor(kProduct(call.tensor("input"), call.tensor(call.parameters()[1].name)));
}

std::int64_t matmul_multiply_adds(const OpCall& call, const Tensor& output) {
  const Tensor& left = call.inputs()[0]->tensor;
  return left.dim() == 0 ? 0 : output.numel() * left.size(left.dim() - 1);
}

const OpInfo kMatmulOps[] = {
    OpInfo("torch.matmul Tensor.matmul", "(input: Tensor, other: Tensor)",
           "Matrix products over the last two axes, leading axes broadcast; `a @ b`.",
           "torch.ones(2, 3, 4) @ torch.ones(4, 5)", matmul_op,
           {.axes = axis_rule::matmul,
            .element = kContract,
            .grad_fn = "UnsafeViewBackward0",
            .cost = matmul_multiply_adds,
            .narrow = kMultiplies}),
    OpInfo("torch.mm Tensor.mm", "(input: Tensor, mat2: Tensor)", "The product of two matrices, without broadcasting.",
           "torch.mm(torch.ones(2, 3), torch.ones(3, 4))", plain_product_op<mm>,
           {.axes = axis_rule::matmul,
            .element = kContract,
            .grad_fn = "MmBackward0",
            .cost = matmul_multiply_adds,
            .narrow = kMultiplies}),
    OpInfo("torch.bmm Tensor.bmm", "(input: Tensor, mat2: Tensor)",
           "Products of two stacks of equally many matrices, without broadcasting.",
           "torch.bmm(torch.ones(2, 3, 4), torch.ones(2, 4, 5))", plain_product_op<bmm>,
           {.axes = axis_rule::matmul,
            .element = kContract,
            .grad_fn = "BmmBackward0",
            .cost = matmul_multiply_adds,
            .narrow = kMultiplies}),
    OpInfo("torch.dot Tensor.dot", "(input: Tensor, tensor: Tensor)",
           "The sum of the products of two vectors of equal length.",
           "torch.dot(torch.tensor([1., 2.]), torch.tensor([3., 4.]))", plain_product_op<dot>,
           {.axes = axis_rule::none,
            .element = kContract,
            .grad_fn = "DotBackward0",
            .cost = matmul_multiply_adds,
            .narrow = kMultiplies}),
};

}  // namespace

std::span<const OpInfo> matmul_ops() { return kMatmulOps; }

}  // namespace attn
