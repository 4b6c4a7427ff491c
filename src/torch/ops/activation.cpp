// Rows of the nonlinear functions of torch.nn.functional.

#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/words.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/activations.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Tensor contiguous_log_sigmoid(const Tensor& x) { return log_sigmoid(contiguous(x)); }

constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;

// The op on a copy, so that the gradient has what was there before.
Value on_copy(OpCall& call) {
  std::vector<Value> values;
  for (const OpParameter& parameter : call.parameters())
    values.push_back(parameter.name == "inplace" ? Value(false) : call.value(parameter.name));
  values.front() = call.call("torch.clone", {values.front()});
  return call.call(first_word(call.info().spellings), std::move(values));
}

// With inplace=True the result is written into x, which comes back.
Value activated(OpCall& call, const Tensor& result) {
  if (!call.flag("inplace")) return make_tensor(result);
  const bool wants_grad = call.handle("input").requires_grad && call.interpreter().grad_enabled();
  Value out = call.call("Tensor.copy_", {call.value("input"), wants_grad ? on_copy(call) : make_tensor(result)});
  TensorObject& x = call.handle("input");
  if (x.grad_fn != "CopyBackwards") return out;
  x.grad_fn = call.grad_fn();
  if (has_word("EluBackward0 LeakyReluBackward0 CeluBackward0 ThresholdBackward0", x.grad_fn)) x.grad_fn.back() = '1';
  return out;
}

template <Tensor (*F)(const Tensor&)>
Value activation(OpCall& call) {
  return activated(call, F(call.tensor("input")));
}

Value gelu_op(OpCall& call) {
  const std::string& kind = call.value("approximate").as<Str>()->text;
  if (kind == "none") return make_tensor(gelu(call.tensor("input")));
  if (kind == "tanh") return make_tensor(gelu_tanh(call.tensor("input")));
  throw TensorError("gelu.approximate", Code::Value, "RuntimeError",
                    "approximate argument must be either none or tanh.");
}

Value softplus_op(OpCall& call) {
  return make_tensor(softplus(call.tensor("input"), call.real("beta"), call.real("threshold")));
}
Value elu_op(OpCall& call) { return activated(call, elu(call.tensor("input"), call.real("alpha"))); }
Value selu_op(OpCall& call) { return activated(call, elu(call.tensor("input"), kSeluAlpha, kSeluScale)); }
Value leaky_relu_op(OpCall& call) {
  return activated(call, leaky_relu(call.tensor("input"), call.real("negative_slope")));
}

Value celu_op(OpCall& call) {
  const double alpha = call.real("alpha");
  if (alpha == 0)
    throw TensorError("celu.alpha", Code::Value, "RuntimeError", "ZeroDivisionError: alpha cannot be 0 for CELU");
  return activated(call, elu(call.tensor("input"), alpha, 1, 1 / alpha));
}

// The numbers are of the tensor's type: 7.5 counts as 7 beside whole numbers.
Value threshold_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (x.dtype() == DType::Bool) throw_not_implemented("threshold_cpu", x.dtype());
  const bool is_whole = !is_floating(x.dtype());
  if (is_whole) check_fits(call.number("threshold"), x.dtype());
  const Value limit = is_whole ? Value(to_int(call.number("threshold"))) : call.value("threshold");
  const Value is_below = call.call("torch.le", {call.value("input"), limit});
  return activated(call, where(is_below.as<TensorObject>()->tensor, full({}, call.number("value"), x.dtype()), x));
}

Value hardshrink_op(OpCall& call) { return make_tensor(hardshrink(call.tensor("input"), call.real("lambd"))); }
Value softshrink_op(OpCall& call) {
  if (call.real("lambd") < 0)
    throw TensorError("softshrink.lambd", Code::Value, "RuntimeError",
                      "lambda must be greater or equal to 0, but found to be " + repr(call.value("lambd")) + ".");
  return make_tensor(softshrink(call.tensor("input"), call.real("lambd")));
}

void require_numbers(const OpCall& call) {
  if (call.tensor("input").dtype() == DType::Bool)
    throw TensorError("hardtanh.dtype", Code::Type, "RuntimeError", "Bool inputs not supported for hardtanh");
}

Value hardtanh_op(OpCall& call) {
  require_numbers(call);
  const Tensor& x = call.tensor("input");
  const auto bound = [&](const char* name) {  // of the tensor's type: 2.5 counts as 2 beside whole numbers
    const Scalar number = call.number(name);
    if (is_floating(x.dtype())) return number;
    check_fits(number, DType::Int64);
    return Scalar(to_int(number));
  };
  return activated(call, clamp(x, bound("min_val"), bound("max_val")));
}
Value relu6_op(OpCall& call) {
  require_numbers(call);
  const Scalar low = std::int64_t{0}, high = std::int64_t{6};
  const Tensor& x = call.tensor("input");
  return activated(call, clamp(x, low, high));
}

// Without dim= PyTorch picks one (and warns), as softmax does.
Value softmin_op(OpCall& call) {
  const Value negated = call.call("torch.neg", {call.value("input")});
  std::vector<std::pair<std::string, Value>> keywords;
  if (call.has("dim")) keywords.emplace_back("dim", call.value("dim"));
  if (call.has("dtype")) keywords.emplace_back("dtype", call.value("dtype"));
  return composite(call, call.call("torch.nn.functional.softmax", {negated}, std::move(keywords)), "SoftmaxBackward0");
}

Value glu_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (x.dim() == 0)
    throw TensorError("glu.dims", Code::Shape, "RuntimeError",
                      "glu does not support scalars because halving size must be even");
  const std::int64_t axis = wrap_dim(call.integer("dim"), x.dim());
  if (x.size(axis) % 2 != 0) {
    throw TensorError("glu.size", Code::Shape, "RuntimeError",
                      "Halving dimension must be even, but dimension " + std::to_string(axis) + " is size " +
                          std::to_string(x.size(axis)),
                      {{"axis", axis}, {"size", x.size(axis)}});
  }
  require_floating(x.dtype(), "glu_cpu");
  const Value halves = call.call("torch.chunk", {call.value("input"), int_value(2)}, {{"dim", call.value("dim")}});
  const Value gate = call.call("torch.sigmoid", {halves.as<Tuple>()->items[1]});
  return composite(call, call.call("torch.mul", {halves.as<Tuple>()->items[0], gate}), "GluBackward0");
}

Axes glu_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return axis_rule::split(call, output, number);
}

Value tanhshrink_op(OpCall& call) {
  const Value bent = call.call("torch.tanh", {call.value("input")});
  return composite(call, call.call("torch.sub", {call.value("input"), bent}), "SubBackward0");
}

Value softsign_op(OpCall& call) {
  const Value size = call.call("torch.add", {call.call("torch.abs", {call.value("input")}), int_value(1)});
  return composite(call, call.call("torch.div", {call.value("input"), size}), "DivBackward0");
}

constexpr const char* kActivation = "(input: Tensor, inplace: bool = False)";

const OpInfo kActivationOps[] = {
    OpInfo("torch.nn.functional.gelu", "(input: Tensor, *, approximate: str = 'none')",
           "x times the probability that a standard normal number is below x; approximate='tanh' uses tanh for erf.",
           "F.gelu(torch.tensor([-1., 0., 1.]))", gelu_op,
           "approximate='tanh': {input} / 2 * (1 + tanh(0.7978845608028654 * ({input} + 0.044715 * {input} ** 3))) || "
           "{input} * (1 + erf({input} / sqrt(2))) / 2",
           {.grad_fn = "GeluBackward0", .flags = kNative}),
    OpInfo("op.gelu_slope", kOne, "How steep gelu is at x, on its way back.", "F.gelu(torch.tensor([-1., 0., 1.]))",
           unary<gelu_slope>,
           "(1 + erf({input} / sqrt(2))) / 2 + {input} * exp({input} * {input} / -2) * 0.3989422804014327"),
    OpInfo("torch.nn.functional.silu", kActivation, "x * sigmoid(x).", "F.silu(torch.tensor([-1., 0., 1.]))",
           activation<silu>, "{input} / (1 + exp(-{input}))", {.grad_fn = "SiluBackward0"}),
    OpInfo("torch.nn.functional.mish", kActivation, "x * tanh(softplus(x)).", "F.mish(torch.tensor([-1., 0., 1.]))",
           activation<mish>, "{input} * tanh(log(1 + exp({input})))", {.grad_fn = "MishBackward0"}),
    OpInfo("torch.nn.functional.logsigmoid", kOne, "The logarithm of sigmoid, computed without overflow.",
           "F.logsigmoid(torch.tensor([-1., 0., 1.]))", unary<contiguous_log_sigmoid>, "-log(1 + exp(-{input}))",
           {.grad_fn = "LogSigmoidBackward0", .flags = kNative}),
    OpInfo("torch.nn.functional.softplus", "(input: Tensor, beta: float = 1, threshold: float = 20)",
           "log(1 + exp(x)): relu without the corner.", "F.softplus(torch.tensor([-1., 0., 1.]))", softplus_op,
           "{input} if {input} * {beta} > {threshold} else log(1 + exp({beta} * {input})) / {beta}",
           {.grad_fn = "SoftplusBackward0", .flags = kNative}),
    OpInfo("torch.nn.functional.elu", "(input: Tensor, alpha: float = 1.0, inplace: bool = False)",
           "The element where it is positive, else alpha * (exp(x) - 1).", "F.elu(torch.tensor([-1., 1.]))", elu_op,
           "{input} if {input} > 0 else {alpha} * (exp({input}) - 1)", {.grad_fn = "EluBackward0"}),
    OpInfo(
        "torch.nn.functional.selu torch.selu", kActivation, "elu with the alpha and scale that keep mean and variance.",
        "F.selu(torch.tensor([-1., 1.]))", selu_op,
        "1.0507009873554805 * {input} if {input} > 0 else 1.0507009873554805 * 1.6732632423543772 * (exp({input}) - 1)",
        {.grad_fn = "EluBackward0"}),
    OpInfo("torch.nn.functional.leaky_relu", "(input: Tensor, negative_slope: float = 0.01, inplace: bool = False)",
           "The element where it is positive, else a small part of it.", "F.leaky_relu(torch.tensor([-1., 1.]), 0.2)",
           leaky_relu_op, "{input} if {input} > 0 else {negative_slope} * {input}", {.grad_fn = "LeakyReluBackward0"}),
    OpInfo("torch.nn.functional.celu torch.celu", "(input: Tensor, alpha: float = 1.0, inplace: bool = False)",
           "The element where it is positive, else alpha * (exp(x / alpha) - 1).", "F.celu(torch.tensor([-1., 1.]))",
           celu_op, "{input} if {input} > 0 else {alpha} * (exp({input} / {alpha}) - 1)", {.grad_fn = "CeluBackward0"}),
    OpInfo("torch.nn.functional.hardsigmoid", kActivation, "A line from 0 at -3 to 1 at 3, in the place of sigmoid.",
           "F.hardsigmoid(torch.tensor([-4., 0., 1.]))", activation<hardsigmoid>, "min(max({input} + 3, 0), 6) / 6",
           {.grad_fn = "HardsigmoidBackward0"}),
    OpInfo("torch.nn.functional.hardswish", kActivation, "x * hardsigmoid(x).",
           "F.hardswish(torch.tensor([-4., 0., 1.]))", activation<hardswish>,
           "{input} * min(max({input} + 3, 0), 6) / 6", {.grad_fn = "HardswishBackward0"}),
    OpInfo("torch.nn.functional.threshold torch.threshold",
           "(input: Tensor, threshold: Number, value: Number, inplace: bool = False)",
           "The element where it is above a threshold, else a fixed value.",
           "F.threshold(torch.tensor([-1., 2.]), 0, 20)", threshold_op,
           "whole: int({value}) if {input} <= int({threshold}) else {input} || "
           "{value} if {input} <= {threshold} else {input}",
           {.grad_fn = "ThresholdBackward0"}),
    OpInfo("torch.nn.functional.hardshrink torch.hardshrink Tensor.hardshrink", "(input: Tensor, lambd: float = 0.5)",
           "0 where the element is between -lambd and lambd.", "F.hardshrink(torch.tensor([-0.2, 1.]))", hardshrink_op,
           "0 if abs({input}) <= {lambd} else {input}", {.grad_fn = "HardshrinkBackward0", .flags = kNative}),
    OpInfo("torch.nn.functional.softshrink", "(input: Tensor, lambd: float = 0.5)",
           "The element, closer to 0 by lambd; 0 where it is between -lambd and lambd.",
           "F.softshrink(torch.tensor([-0.2, 1.]))", softshrink_op,
           "{input} - {lambd} if {input} > {lambd} else {input} + {lambd} if {input} < -{lambd} else 0",
           {.grad_fn = "SoftshrinkBackward0", .flags = kNative}),
    OpInfo("torch.nn.functional.relu6", kActivation, "The element kept between 0 and 6.",
           "F.relu6(torch.tensor([-1., 7.]))", relu6_op, "min(max(0, {input}), 6)", {.grad_fn = "HardtanhBackward0"}),
    OpInfo("torch.nn.functional.hardtanh",
           "(input: Tensor, min_val: Number = -1.0, max_val: Number = 1.0, inplace: bool = False)",
           "The element kept between -1 and 1.", "F.hardtanh(torch.tensor([-3., 0.5]))", hardtanh_op,
           "min(max({input}, {min_val}), {max_val})", {.grad_fn = "HardtanhBackward0"}),
    OpInfo("torch.nn.functional.tanhshrink", kOne, "x - tanh(x).", "F.tanhshrink(torch.tensor([-1., 1.]))",
           tanhshrink_op, {.element = kComposite, .grad_fn = "SubBackward0"}),
    OpInfo("torch.nn.functional.softsign", kOne, "x / (1 + |x|).", "F.softsign(torch.tensor([-1., 1.]))", softsign_op,
           {.element = kComposite, .grad_fn = "DivBackward0"}),
    OpInfo("torch.nn.functional.softmin",
           "(input: Tensor, dim: int? = None, _stacklevel: int = 3, dtype: dtype? = None)",
           "softmax of -x: the smallest element gets the largest weight.", "F.softmin(torch.tensor([1., 2.]), dim=0)",
           softmin_op, {.element = kComposite, .grad_fn = "SoftmaxBackward0"}),
    OpInfo("torch.nn.functional.glu", "(input: Tensor, dim: int = -1)",
           "The first half of an axis times the sigmoid of the second half.", "F.glu(torch.tensor([1., 2., 3., 4.]))",
           glu_op, {.axes = glu_axes, .element = kComposite, .grad_fn = "GluBackward0"}),
};

}  // namespace

std::span<const OpInfo> activation_ops() { return kActivationOps; }

}  // namespace attn
