// Rows that answer a question about each element: comparisons and logic. They give Bool tensors and no gradients.
#include "tensor/ops/compare.h"

#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// PyTorch's steps one by one, each rounded to the tensors' type.
Value isclose_op(OpCall& call) {
  const Tensor &a = call.tensor("input"), &b = call.tensor("other");
  const double rtol = call.real("rtol"), atol = call.real("atol");
  require_comparable(a, b, rtol, atol, call.flag("equal_nan"));
  Tensor close = eq(a, b);
  if (call.flag("equal_nan")) close = logical_or(close, logical_and(isnan(a), isnan(b)));
  if (rtol == 0 && atol == 0) return make_tensor(close);
  const Tensor other = is_floating(b.dtype()) ? b : to(b, DType::Float32);
  const Tensor allowed = add(Scalar(atol), abs(mul(Scalar(rtol), other)));
  const Tensor apart = abs(sub(is_floating(a.dtype()) ? a : to(a, DType::Float32), other));
  return make_tensor(logical_or(close, logical_and(isfinite(apart), le(apart, allowed))));
}

const OpInfo kCompareOps[] = {
    OpInfo("torch.eq Tensor.eq", kOther, "True where the elements are equal; `a == b`.", "torch.arange(3) == 1",
           binary<eq>, "{input} == {other}", {.narrow = kCompares}),
    OpInfo("torch.ne torch.not_equal Tensor.ne Tensor.not_equal", kOther, "True where the elements differ; `a != b`.",
           "torch.arange(3) != 1", binary<ne>, "{input} != {other}", {.narrow = kCompares}),
    OpInfo("torch.lt torch.less Tensor.lt Tensor.less", kOther, "True where the first is smaller; `a < b`.",
           "torch.arange(3) < 1", binary<lt>, "{input} < {other}", {.narrow = kCompares}),
    OpInfo("torch.le torch.less_equal Tensor.le Tensor.less_equal", kOther,
           "True where the first is not larger; `a <= b`.", "torch.arange(3) <= 1", binary<le>, "{input} <= {other}",
           {.narrow = kCompares}),
    OpInfo("torch.gt torch.greater Tensor.gt Tensor.greater", kOther, "True where the first is larger; `a > b`.",
           "torch.arange(3) > 1", binary<gt>, "{input} > {other}", {.narrow = kCompares}),
    OpInfo("torch.ge torch.greater_equal Tensor.ge Tensor.greater_equal", kOther,
           "True where the first is not smaller; `a >= b`.", "torch.arange(3) >= 1", binary<ge>, "{input} >= {other}",
           {.narrow = kCompares}),
    OpInfo("torch.bitwise_and Tensor.bitwise_and", kTwo, "Both, of Bool tensors or bit by bit; `a & b`.",
           "torch.tensor([True, False]) & torch.tensor([True, True])", binary<bitwise_and>, "{input} & {other}",
           {.flags = kNumberFirst, .narrow = kKeepsInts},
           {"Tensor.bitwise_and_", "Both, in place; `x &= y`.",
            "x = torch.tensor([True, True])\nx &= torch.tensor([True, False])\nx"}),
    OpInfo("torch.bitwise_or Tensor.bitwise_or", kTwo, "Either, of Bool tensors or bit by bit; `a | b`.",
           "torch.tensor([True, False]) | torch.tensor([False, False])", binary<bitwise_or>, "{input} | {other}",
           {.flags = kNumberFirst, .narrow = kKeepsInts},
           {"Tensor.bitwise_or_", "Either, in place; `x |= y`.",
            "x = torch.tensor([False, True])\nx |= torch.tensor([False, False])\nx"}),
    OpInfo("torch.bitwise_xor Tensor.bitwise_xor", kTwo, "Exactly one, of Bool tensors or bit by bit; `a ^ b`.",
           "torch.tensor([True, False]) ^ torch.tensor([True, True])", binary<bitwise_xor>, "{input} ^ {other}",
           {.flags = kNumberFirst, .narrow = kKeepsInts},
           {"Tensor.bitwise_xor_", "Exactly one, in place; `x ^= y`.",
            "x = torch.tensor([True, True])\nx ^= torch.tensor([True, False])\nx"}),
    OpInfo("torch.bitwise_left_shift Tensor.bitwise_left_shift", kTwo,
           "The bits moved to the left: times 2 for each place; `a << b`.", "torch.tensor([1, 3]) << 2",
           binary<bitwise_left_shift>, "{input} << {other}", {.flags = kNumberFirst},
           {"Tensor.bitwise_left_shift_", "Moves the bits to the left in place; `x <<= y`.",
            "x = torch.tensor([1, 3])\nx <<= 2\nx"}),
    OpInfo("torch.bitwise_right_shift Tensor.bitwise_right_shift", kTwo,
           "The bits moved to the right: divided by 2 for each place, rounded down; `a >> b`.",
           "torch.tensor([9, -9]) >> 1", binary<bitwise_right_shift>, "{input} >> {other}", {.flags = kNumberFirst},
           {"Tensor.bitwise_right_shift_", "Moves the bits to the right in place; `x >>= y`.",
            "x = torch.tensor([9, 8])\nx >>= 1\nx"}),
    OpInfo("torch.bitwise_not Tensor.bitwise_not", kOne, "The opposite of a Bool, the bits turned over; `~x`.",
           "~torch.tensor([True, False])", unary<bitwise_not>, "bool: not {input} || ~{input}", {.narrow = kKeepsInts}),
    OpInfo("torch.logical_and Tensor.logical_and", kTensors, "True where both elements are not 0.",
           "torch.logical_and(torch.tensor([0, 1]), torch.tensor([2, 3]))", binary<logical_and>,
           "bool({input}) and bool({other})", {.narrow = kCompares}),
    OpInfo("torch.logical_or Tensor.logical_or", kTensors, "True where one element or both are not 0.",
           "torch.logical_or(torch.tensor([0, 1]), torch.tensor([0, 3]))", binary<logical_or>,
           "bool({input}) or bool({other})", {.narrow = kCompares}),
    OpInfo("torch.logical_xor Tensor.logical_xor", kTensors, "True where exactly one element is not 0.",
           "torch.logical_xor(torch.tensor([0, 1]), torch.tensor([2, 3]))", binary<logical_xor>,
           "bool({input}) != bool({other})", {.narrow = kCompares}),
    OpInfo("torch.logical_not Tensor.logical_not", kOne, "True where the element is 0.",
           "torch.logical_not(torch.tensor([0, 1]))", unary<logical_not>, "not {input}", {.narrow = kCompares}),
    OpInfo("torch.isclose Tensor.isclose",
           "(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False)",
           "True where the elements are equal within atol + rtol * |other|.",
           "torch.isclose(torch.tensor([1., 2.]), torch.tensor([1. + 1e-7, 2.1]))", isclose_op,
           "rtol!: {input} == {other} or abs({input} - {other}) <= {atol} + {rtol} * abs({other}) || atol!: {input} == "
           "{other} or abs({input} - {other}) <= {atol} + 1e-05 * abs({other}) || {input} == {other} or abs({input} - "
           "{other}) <= 1e-08 + 1e-05 * abs({other})"),
    OpInfo("torch.isnan Tensor.isnan", kOne, "True where the element is not a number.",
           "torch.isnan(torch.tensor([1., float('nan')]))", unary<isnan>, {.narrow = kCompares}),
    OpInfo("torch.isinf Tensor.isinf", kOne, "True where the element is infinite, with either sign.",
           "torch.isinf(torch.tensor([1., float('-inf')]))", unary<isinf>, {.narrow = kCompares}),
    OpInfo("torch.isfinite Tensor.isfinite", kOne, "True where the element is neither infinite nor nan.",
           "torch.isfinite(torch.tensor([1., float('inf')]))", unary<isfinite>, {.narrow = kCompares}),
};

}  // namespace

std::span<const OpInfo> compare_ops() { return kCompareOps; }

}  // namespace attn
