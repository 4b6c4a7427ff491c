// Rows that write into their first tensor, and so into everything that shares its storage.
#include <fmt/format.h>

#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/read.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "torch/ops/families.h"
#include "torch/ops/operand_checks.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

template <Tensor (*F)(const Tensor&, std::int64_t)>
Value triangle_in_place(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const std::int64_t diagonal = call.integer("diagonal");
  return write_back_where(call, eq(F(ones(x.shape(), DType::Bool), diagonal), Scalar(false)), F(x, diagonal));
}

template <Tensor (*F)(const Operand&, const Operand&)>
Value binary_in_place(OpCall& call) {
  return write_back(call, F(call.tensor("input"), call.operand("other")));
}

template <Tensor (*F)(const Operand&, const Operand&)>
Value scaled_in_place(OpCall& call) {
  if (F == &sub) check_subtraction(call.tensor("input"), call.operand("other"));
  return write_back(call, F(call.tensor("input"), scaled_other(call)));
}

Value pow_in_place(OpCall& call) {
  if (!is_number(call, "exponent")) call.set_grad_fn("PowBackward1");
  return write_back(call, pow(call.tensor("input"), call.operand("exponent")));
}

Value remainder_in_place(OpCall& call) {
  if (!is_number(call, "other")) call.set_grad_fn("RemainderBackward1");
  return binary_in_place<remainder>(call);
}

Value clamp_in_place(OpCall& call) {
  const auto bound = [&](const char* name) { return call.has(name) ? std::optional(call.number(name)) : std::nullopt; };
  return write_back(call, clamp(call.tensor("input"), bound("min"), bound("max")));
}

Value masked_fill_in_place(OpCall& call) {
  const Operand value = call.operand("value");
  if (value.tensor()) call.set_grad_fn("MaskedFillBackward1");
  return write_back_where(call, call.tensor("mask"), masked_fill(call.tensor("input"), call.tensor("mask"), value));
}

Value fill_in_place(OpCall& call) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  const Operand value = call.operand("value");
  if (const Tensor* tensor = value.tensor()) {
    if (tensor->dim() > 0) {
      throw TensorError("fill.dims", Code::Shape, "RuntimeError",
                        fmt::format("fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
                                    tensor->dim()));
    }
    assign(target, full({}, item(*tensor), target.dtype()));
  } else {
    assign(target, full({}, *value.scalar(), target.dtype()));
  }
  return call.value("input");
}

Value zero_in_place(OpCall& call) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  assign(target, zeros({}, target.dtype()));
  return call.value("input");
}

// A number as PyTorch makes a tensor of it where it wants one: what does not fit its target then wraps around.
Tensor number_tensor(const Scalar& number) {
  return full({}, number,
              std::holds_alternative<bool>(number) ? DType::Bool
              : is_float(number)                   ? DType::Float64
                                                   : DType::Int64);
}

Value copy_in_place(OpCall& call) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  const Operand source = call.operand("other");
  if (call.value("other").object() == call.value("input").object()) return call.value("input");
  require_no_internal_overlap(target);
  if (source.tensor()) require_no_partial_overlap(target, *source.tensor());
  assign(target, source.tensor() ? *source.tensor() : number_tensor(*source.scalar()));
  return call.value("input");
}

constexpr const char* kScaledInPlace = "(input: Tensor, other: Operand, *, alpha: Number = 1)";

const OpInfo kInplaceOps[] = {
    in_place_row("Tensor.add_", kScaledInPlace, "Adds in place; `x += y`.", "x = torch.zeros(2)\nx += 1\nx",
                 scaled_in_place<add>, "AddBackward0"),
    in_place_row("Tensor.sub_", kScaledInPlace, "Subtracts in place; `x -= y`.", "x = torch.zeros(2)\nx -= 1\nx",
                 scaled_in_place<sub>, "SubBackward0"),
    in_place_row("Tensor.mul_", kOther, "Multiplies in place; `x *= y`.", "x = torch.ones(2)\nx *= 3\nx",
                 binary_in_place<mul>, "MulBackward0"),
    in_place_row("Tensor.div_", kOther, "Divides in place; `x /= y`.", "x = torch.ones(2)\nx /= 4\nx",
                 binary_in_place<div>, "DivBackward0"),
    in_place_row("Tensor.floor_divide_", kOther, "Divides in place and rounds down; `x //= y`.",
                 "x = torch.tensor([7, 8])\nx //= 2\nx", binary_in_place<floor_divide>, "NotImplemented"),
    in_place_row("Tensor.remainder_", kOther, "The remainder of a division, in place; `x %= y`.",
                 "x = torch.tensor([7, 8])\nx %= 3\nx", remainder_in_place, "RemainderBackward0"),
    in_place_row("Tensor.pow_", "(input: Tensor, exponent: Operand)", "Raises to a power in place; `x **= y`.",
                 "x = torch.tensor([2., 3.])\nx **= 2\nx", pow_in_place, "PowBackward0"),
    in_place_row("Tensor.bitwise_and_", kOther, "Both, in place; `x &= y`.",
                 "x = torch.tensor([True, True])\nx &= torch.tensor([True, False])\nx", binary_in_place<bitwise_and>,
                 ""),
    in_place_row("Tensor.bitwise_or_", kOther, "Either, in place; `x |= y`.",
                 "x = torch.tensor([False, True])\nx |= torch.tensor([False, False])\nx", binary_in_place<bitwise_or>,
                 ""),
    in_place_row("Tensor.bitwise_xor_", kOther, "Exactly one, in place; `x ^= y`.",
                 "x = torch.tensor([True, True])\nx ^= torch.tensor([True, False])\nx", binary_in_place<bitwise_xor>,
                 ""),
    in_place_row("Tensor.bitwise_left_shift_", kOther, "Moves the bits to the left in place; `x <<= y`.",
                 "x = torch.tensor([1, 3])\nx <<= 2\nx", binary_in_place<bitwise_left_shift>, ""),
    in_place_row("Tensor.bitwise_right_shift_", kOther, "Moves the bits to the right in place; `x >>= y`.",
                 "x = torch.tensor([9, 8])\nx >>= 1\nx", binary_in_place<bitwise_right_shift>, ""),
    in_place_row("Tensor.tril_", kDiagonal, "Zeros above the diagonal, in place.", "torch.ones(3, 3).tril_()",
                 triangle_in_place<tril>, "TrilBackward0"),
    in_place_row("Tensor.triu_", kDiagonal, "Zeros below the diagonal, in place.", "torch.ones(3, 3).triu_(1)",
                 triangle_in_place<triu>, "TriuBackward0"),
    in_place_row("Tensor.neg_", kOne, "Changes the sign in place.", "torch.ones(2).neg_()", unary_in_place<neg>,
                 "NegBackward0"),
    in_place_row("Tensor.abs_", kOne, "Drops the sign in place.", "torch.tensor([-1., 2.]).abs_()", unary_in_place<abs>,
                 "AbsBackward0"),
    in_place_row("Tensor.exp_", kOne, "e to the power of each element, in place.", "torch.zeros(2).exp_()",
                 unary_in_place<exp>, "ExpBackward0"),
    in_place_row("Tensor.log_", kOne, "The natural logarithm, in place.", "torch.ones(2).log_()", unary_in_place<log>,
                 "LogBackward0"),
    in_place_row("Tensor.sqrt_", kOne, "The square root, in place.", "torch.tensor([4., 9.]).sqrt_()",
                 unary_in_place<sqrt>, "SqrtBackward0"),
    in_place_row("Tensor.tanh_", kOne, "The hyperbolic tangent, in place.", "torch.ones(2).tanh_()",
                 unary_in_place<tanh>, "TanhBackward0"),
    in_place_row("Tensor.sigmoid_", kOne, "1 / (1 + exp(-x)), in place.", "torch.zeros(2).sigmoid_()",
                 unary_in_place<sigmoid>, "SigmoidBackward0"),
    in_place_row("Tensor.relu_ torch.relu_", kOne, "Puts 0 where the element is negative, in place.",
                 "torch.tensor([-1., 2.]).relu_()", unary_in_place<relu>, "ReluBackward0"),
    in_place_row("Tensor.clamp_ Tensor.clip_", "(input: Tensor, min: Number? = None, max: Number? = None)",
                 "Keeps each element between min and max, in place.", "torch.arange(6).clamp_(1, 4)", clamp_in_place,
                 "ClampBackward1"),
    in_place_row("Tensor.masked_fill_", "(input: Tensor, mask: Tensor, value: Operand)",
                 "Writes `value` where the mask is True.",
                 "torch.zeros(2).masked_fill_(torch.tensor([True, False]), -1e9)", masked_fill_in_place,
                 "MaskedFillBackward0"),
    in_place_row("Tensor.fill_", "(input: Tensor, value: Operand)", "Writes one value everywhere.",
                 "torch.zeros(2).fill_(7)", fill_in_place, "FillBackward2"),
    in_place_row("Tensor.zero_", kOne, "Writes 0 everywhere.", "torch.ones(2).zero_()", zero_in_place, "ZeroBackward0"),
    in_place_row("Tensor.copy_", kOther, "Writes the elements of another tensor, broadcast and converted.",
                 "torch.zeros(2, 2).copy_(torch.arange(2))", copy_in_place, "CopyBackwards"),
};

}  // namespace

std::span<const OpInfo> inplace_ops() { return kInplaceOps; }

}  // namespace attn
