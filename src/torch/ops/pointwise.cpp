// Rows of arithmetic and of functions that treat every element by itself.
#include "tensor/ops/pointwise.h"

#include <cmath>

#include "tensor/core/error.h"
#include "tensor/ops/create.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/operand_checks.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// With alpha= PyTorch multiplies and adds float32 at once and rounds the sum alone. A product of two float32 is exact
// in double.
template <Tensor (*F)(const Operand&, const Operand&)>
Value with_alpha(OpCall& call) {
  const Operand a = first_operand(call), b = scaled_other(call);
  const bool is_fused = b.tensor() && to_double(call.number("alpha")) != 1 && result_type(a, b) == DType::Float32;
  if (!is_fused) return make_tensor(F(a, b));
  const Tensor product = mul(to(call.tensor("other"), DType::Float64),
                             to(as_tensor(call.number("alpha"), DType::Float32), DType::Float64));
  return make_tensor(to(F(to(as_tensor(a, DType::Float32), DType::Float64), product), DType::Float32));
}

Value add_op(OpCall& call) { return with_alpha<add>(call); }

Value sub_op(OpCall& call) {
  // 1 - x: Python calls Tensor.__rsub__, whose gradient has another name.
  if (is_number(call, "input")) call.set_grad_fn("RsubBackward1");
  check_subtraction(call.operand("input"), call.operand("other"));
  return with_alpha<sub>(call);
}

// Towards zero, for rounding_mode='trunc'.
Tensor truncated_quotient(const Operand& a, const Operand& b) {
  const DType dtype = result_type(a, b);
  if (!is_floating(dtype)) {
    const Tensor floor = floor_divide(a, b);
    const Tensor is_off = logical_and(ne(remainder(a, b), Scalar(std::int64_t{0})), lt(floor, Scalar(std::int64_t{0})));
    return add(floor, is_off);
  }
  Tensor quotient = div(a, b);
  dispatch(quotient.dtype(), [&]<class T>(T) {
    T* data = quotient.mutable_data<T>();
    for (std::int64_t i = 0; i < quotient.numel(); ++i)
      data[i] = static_cast<T>(std::trunc(static_cast<double>(data[i])));
  });
  return quotient;
}

Value div_op(OpCall& call) {
  const Operand a = first_operand(call), b = call.operand("other");
  if (!call.has("rounding_mode")) return make_tensor(div(a, b));
  call.set_grad_fn("DivBackward2");
  const std::string& mode = call.value("rounding_mode").as<Str>()->text;
  if (mode == "floor") return make_tensor(floor_divide(a, b));
  if (mode == "trunc") return make_tensor(truncated_quotient(a, b));
  throw TensorError("div.rounding_mode", Code::Value, "RuntimeError",
                    "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" + mode + "'");
}

Value remainder_op(OpCall& call) {
  if (is_number(call, "input")) call.set_grad_fn("NotImplemented");
  if (!is_number(call, "other") && !is_number(call, "input")) call.set_grad_fn("RemainderBackward1");
  return binary<remainder>(call);
}

Value pow_op(OpCall& call) {
  if (!is_number(call, "exponent")) call.set_grad_fn("PowBackward1");
  return make_tensor(pow(call.operand("input"), call.operand("exponent")));
}

Value square_op(OpCall& call) { return make_tensor(pow(call.tensor("input"), Scalar(std::int64_t{2}))); }

Value clamp_op(OpCall& call) {
  const auto bound = [&](const char* name) { return call.has(name) ? std::optional(call.number(name)) : std::nullopt; };
  const auto is_tensor = [&](const char* name) { return call.value(name).as<TensorObject>() != nullptr; };
  if (!is_tensor("min") && !is_tensor("max"))
    return make_tensor(clamp(call.tensor("input"), bound("min"), bound("max")));
  call.set_grad_fn("ClampBackward0");
  Tensor result = call.tensor("input");
  if (is_tensor("min")) result = maximum(result, call.tensor("min"));
  if (is_tensor("max")) result = minimum(result, call.tensor("max"));
  return make_tensor(result);
}

Value masked_fill_op(OpCall& call) {
  broadcast_shapes(call.tensor("mask").shape(), call.tensor("input").shape());
  const Operand value = call.operand("value");
  if (value.tensor()) call.set_grad_fn("MaskedFillBackward1");
  return make_tensor(masked_fill(call.tensor("input"), call.tensor("mask"), value));
}

Value masked_fill_in_place(OpCall& call) {
  require_writable(call);
  broadcast_shapes(call.tensor("input").shape(), call.tensor("mask").shape());
  return write_back_where(call, call.tensor("mask"), pure_result(call));
}

Value where_op(OpCall& call) {
  if (!call.takes("input")) return call.call("op.where_places", {call.value("condition")});
  return make_tensor(where(call.tensor("condition"), call.operand("input"), call.operand("other")));
}

constexpr const char* kScaled = "(input: Operand, other: Operand, *, alpha: Number = 1)";

const OpInfo kPointwiseOps[] = {
    OpInfo("torch.add Tensor.add", kScaled, "The sum, element by element; `a + b`.",
           "torch.tensor([1, 2]) + torch.tensor([10, 20])", add_op,
           "bool: {input} or {other} || alpha!: {input} + {alpha} * {other} || {input} + {other}",
           {.grad_fn = "AddBackward0", .narrow = kKeeps},
           {"Tensor.add_", "Adds in place; `x += y`.", "x = torch.zeros(2)\nx += 1\nx"}),
    OpInfo("torch.sub torch.subtract Tensor.sub Tensor.subtract", kScaled,
           "The difference, element by element; `a - b`.", "torch.tensor([3, 2]) - 1", sub_op,
           "alpha!: {input} - {alpha} * {other} || {input} - {other}", {.grad_fn = "SubBackward0", .narrow = kKeeps},
           {"Tensor.sub_", "Subtracts in place; `x -= y`.", "x = torch.zeros(2)\nx -= 1\nx"}),
    OpInfo("torch.mul torch.multiply Tensor.mul Tensor.multiply", kTwo,
           "The product, element by element; `a * b`. For matrix products see matmul.",
           "torch.tensor([1, 2]) * torch.tensor([[10], [20]])", binary<mul>, "{input} * {other}",
           {.grad_fn = "MulBackward0", .narrow = kKeeps},
           {"Tensor.mul_", "Multiplies in place; `x *= y`.", "x = torch.ones(2)\nx *= 3\nx"}),
    OpInfo("torch.div torch.divide Tensor.div Tensor.divide",
           "(input: Operand, other: Operand, *, rounding_mode: str? = None)",
           "The quotient, element by element, always a float; `a / b`. rounding_mode 'floor' or 'trunc' rounds it.",
           "torch.tensor([1, 2]) / 4", div_op,
           "rounding_mode='floor': {input} // {other} || rounding_mode='trunc': trunc({input} / {other}) || {input} / "
           "{other}",
           {.grad_fn = "DivBackward0", .narrow = {Narrow::KeptIfRounded, Narrow::Kept}},
           {"Tensor.div_", "Divides in place; `x /= y`.", "x = torch.ones(2)\nx /= 4\nx"}),
    OpInfo("torch.true_divide Tensor.true_divide", kTwo, "The quotient, element by element, always a float; `a / b`.",
           "torch.true_divide(torch.tensor([1, 2]), 4)", binary<div>, "{input} / {other}",
           {.grad_fn = "DivBackward0", .narrow = {Narrow::Wide, Narrow::Kept}}),
    OpInfo("torch.floor_divide Tensor.floor_divide", kTwo, "The quotient rounded down; `a // b`.",
           "torch.tensor([7, -7]) // 2", binary<floor_divide>, "{input} // {other}",
           {.grad_fn = "NotImplemented", .narrow = kKeepsInts},
           {"Tensor.floor_divide_", "Divides in place and rounds down; `x //= y`.",
            "x = torch.tensor([7, 8])\nx //= 2\nx"}),
    OpInfo("torch.remainder Tensor.remainder", kTwo,
           "What is left after division, with the sign of the divisor; `a % b`.", "torch.tensor([7, -7]) % 3",
           remainder_op, "{input} % {other}",
           {.grad_fn = "RemainderBackward0", .flags = kNumberFirst, .narrow = kKeepsInts},
           {"Tensor.remainder_", "The remainder of a division, in place; `x %= y`.",
            "x = torch.tensor([7, 8])\nx %= 3\nx"}),
    OpInfo("torch.pow Tensor.pow", "(input: Operand, exponent: Operand)", "The power, element by element; `a ** b`.",
           "torch.tensor([1., 2., 3.]) ** 2", pow_op, "{input} ** {exponent}",
           {.grad_fn = "PowBackward0", .flags = kNumberFirst, .narrow = kKeepsInts},
           {"Tensor.pow_", "Raises to a power in place; `x **= y`.", "x = torch.tensor([2., 3.])\nx **= 2\nx"}),
    OpInfo("torch.maximum Tensor.maximum", "(input: Tensor, other: Tensor)",
           "The larger of two elements at each place.", "torch.maximum(torch.tensor([1, 5]), torch.tensor([3, 2]))",
           binary<maximum>, "max({input}, {other})", {.grad_fn = "MaximumBackward0", .narrow = kKeeps}),
    OpInfo("torch.minimum Tensor.minimum", "(input: Tensor, other: Tensor)",
           "The smaller of two elements at each place.", "torch.minimum(torch.tensor([1, 5]), torch.tensor([3, 2]))",
           binary<minimum>, "min({input}, {other})", {.grad_fn = "MinimumBackward0", .narrow = kKeeps}),
    OpInfo("torch.neg torch.negative Tensor.neg Tensor.negative", kOne, "The sign changed; `-x`.",
           "-torch.tensor([1, -2])", unary<neg>, "-{input}", {.grad_fn = "NegBackward0", .narrow = kKeeps},
           {"Tensor.neg_", "Changes the sign in place.", "torch.ones(2).neg_()"}),
    OpInfo("torch.abs torch.absolute Tensor.abs Tensor.absolute", kOne, "The value without its sign.",
           "torch.abs(torch.tensor([1., -2.]))", unary<abs>, "abs({input})",
           {.grad_fn = "AbsBackward0", .narrow = kKeeps},
           {"Tensor.abs_", "Drops the sign in place.", "torch.tensor([-1., 2.]).abs_()"}),
    OpInfo("torch.exp Tensor.exp", kOne, "e to the power of each element.", "torch.exp(torch.tensor([0., 1.]))",
           unary<exp>, {.grad_fn = "ExpBackward0", .narrow = kWidensInts},
           {"Tensor.exp_", "e to the power of each element, in place.", "torch.zeros(2).exp_()"}),
    OpInfo("torch.log Tensor.log", kOne, "The natural logarithm; -inf at 0, nan below it.",
           "torch.log(torch.tensor([1., math.e]))", unary<log>, {.grad_fn = "LogBackward0", .narrow = kWidensInts},
           {"Tensor.log_", "The natural logarithm, in place.", "torch.ones(2).log_()"}),
    OpInfo("torch.sqrt Tensor.sqrt", kOne, "The square root; nan below 0.", "torch.sqrt(torch.tensor([4., 9.]))",
           unary<sqrt>, {.grad_fn = "SqrtBackward0", .narrow = kWidensInts},
           {"Tensor.sqrt_", "The square root, in place.", "torch.tensor([4., 9.]).sqrt_()"}),
    OpInfo("torch.rsqrt Tensor.rsqrt", kOne, "1 divided by the square root.", "torch.rsqrt(torch.tensor([4., 16.]))",
           unary<rsqrt>, "1 / sqrt({input})", {.grad_fn = "RsqrtBackward0", .narrow = kWidensInts},
           {"Tensor.rsqrt_ torch.rsqrt_", "1 / sqrt(x), in place.", "torch.tensor([4.]).rsqrt_()"}),
    OpInfo("torch.square Tensor.square", kOne, "Each element times itself.", "torch.square(torch.tensor([2., -3.]))",
           square_op, "{input} ** 2", {.grad_fn = "PowBackward0", .narrow = kKeepsInts},
           {"Tensor.square_ torch.square_", "Squares in place.", "torch.tensor([3.]).square_()"}),
    OpInfo("torch.reciprocal Tensor.reciprocal", kOne, "1 divided by each element.",
           "torch.reciprocal(torch.tensor([2., 4.]))", unary<reciprocal>, "1 / {input}",
           {.grad_fn = "ReciprocalBackward0", .narrow = kWidensInts},
           {"Tensor.reciprocal_ torch.reciprocal_", "Divides 1 by each element, in place.",
            "torch.tensor([4.]).reciprocal_()"}),
    OpInfo("torch.sin Tensor.sin", kOne, "The sine of an angle in radians.", "torch.sin(torch.arange(4.))", unary<sin>,
           {.grad_fn = "SinBackward0", .narrow = kWidensInts},
           {"Tensor.sin_ torch.sin_", "The sine, in place.", "torch.zeros(1).sin_()"}),
    OpInfo("torch.cos Tensor.cos", kOne, "The cosine of an angle in radians.", "torch.cos(torch.arange(4.))",
           unary<cos>, {.grad_fn = "CosBackward0", .narrow = kWidensInts},
           {"Tensor.cos_ torch.cos_", "The cosine, in place.", "torch.zeros(1).cos_()"}),
    OpInfo("torch.tanh torch.nn.functional.tanh Tensor.tanh", kOne, "The hyperbolic tangent, between -1 and 1.",
           "torch.tanh(torch.tensor([-1., 0., 1.]))", unary<tanh>, {.grad_fn = "TanhBackward0", .narrow = kWidensInts},
           {"Tensor.tanh_", "The hyperbolic tangent, in place.", "torch.ones(2).tanh_()"}),
    OpInfo("torch.sigmoid torch.nn.functional.sigmoid Tensor.sigmoid", kOne, "1 / (1 + exp(-x)), between 0 and 1.",
           "torch.sigmoid(torch.tensor([-1., 0., 1.]))", unary<sigmoid>, "1 / (1 + exp(-{input}))",
           {.grad_fn = "SigmoidBackward0", .narrow = kWidensInts},
           {"Tensor.sigmoid_", "1 / (1 + exp(-x)), in place.", "torch.zeros(2).sigmoid_()"}),
    OpInfo("torch.relu Tensor.relu", kOne, "The element where it is positive, else 0.",
           "torch.relu(torch.tensor([-1., 2.]))", unary<relu>, "max(0, {input})", {.grad_fn = "ReluBackward0"},
           {"Tensor.relu_ torch.relu_", "Puts 0 where the element is negative, in place.",
            "torch.tensor([-1., 2.]).relu_()"}),
    OpInfo("torch.clamp torch.clip Tensor.clamp Tensor.clip",
           "(input: Tensor, min: Number? = None, max: Number? = None) | (input: Tensor, min: Tensor? = None, max: "
           "Tensor? = "
           "None)",
           "Each element kept between min and max.", "torch.arange(6).clamp(1, 4)", clamp_op,
           "min(max({input}, {min}), {max}) || max({input}, {min}) || min({input}, {max})",
           {.grad_fn = "ClampBackward1"},
           {"Tensor.clamp_ Tensor.clip_", "Keeps each element between min and max, in place.",
            "torch.arange(6).clamp_(1, 4)"}),
    OpInfo("torch.masked_fill Tensor.masked_fill", "(input: Tensor, mask: Tensor, value: Operand)",
           "`value` where the mask is True, the element where it is False. The mask broadcasts.",
           "torch.zeros(2, 3).masked_fill(torch.tensor([True, False, True]), -1e9)", masked_fill_op,
           "{value} if {mask} else {input}", {.grad_fn = "MaskedFillBackward0", .narrow = kMoves},
           {"Tensor.masked_fill_", "Writes `value` where the mask is True.",
            "torch.zeros(2).masked_fill_(torch.tensor([True, False]), -1e9)", masked_fill_in_place}),
    OpInfo("torch.where", "(condition: Tensor, input: Operand, other: Operand) | (condition: Tensor)",
           "`input` where the condition is True, `other` where it is False; alone: where it is True.",
           "x = torch.tensor([-1., 2.])\ntorch.where(x > 0, x, torch.zeros(2))", where_op,
           "{input} if {condition} else {other}",
           {.grad_fn = "WhereBackward0", .flags = kNumberFirst, .narrow = kMoves}),
    OpInfo("Tensor.where", "(input: Tensor, condition: Tensor, other: Tensor)",
           "The tensor's element where the condition is True, `other` where it is False.",
           "x = torch.tensor([-1., 2.])\nx.where(x > 0, torch.zeros(2))", where_op,
           "{input} if {condition} else {other}",
           {.grad_fn = "WhereBackward0", .flags = kNumberFirst, .narrow = kMoves}),
};

}  // namespace

std::span<const OpInfo> pointwise_ops() { return kPointwiseOps; }

}  // namespace attn
