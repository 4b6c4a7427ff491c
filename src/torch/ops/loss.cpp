// Rows of losses whose targets are numbers. All are composites of recorded steps.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"
#include "tensor/core/read.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/pointwise.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/loss_reduction.h"
#include "torch/ops/operand_checks.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

using namespace loss;

// ---- numbers ----

// input and target as PyTorch takes them: stretched to one shape, so that both types count, even of a tensor without
// axes.
std::vector<Value> stretched(OpCall& call) {
  const Shape shape = broadcast_shapes(call.tensor("input").shape(), call.tensor("target").shape());
  const bool has_types = call.tensor("input").dtype() != call.tensor("target").dtype();
  std::vector<Value> operands;
  for (const char* name : {"input", "target"}) {
    const bool is_silent = has_types && call.tensor(name).dim() == 0 && !shape.empty();
    operands.push_back(is_silent ? call.call("Tensor.expand", {call.value(name), make_size(shape)}) : call.value(name));
  }
  return operands;
}

Value as_type(OpCall& call, const Value& x, DType dtype) {
  if (x.as<TensorObject>()->tensor.dtype() == dtype) return x;
  return call.call("Tensor.to", {x, make<DTypeObject>(dtype)});
}

DType common_type(const std::vector<Value>& operands) {
  return result_type(operands[0].as<TensorObject>()->tensor, operands[1].as<TensorObject>()->tensor);
}

// input - target, where Bool counts as 0 and 1: unlike `-`, these losses take it.
Value difference_of(OpCall& call, std::vector<Value> operands) {
  for (Value& operand : operands)
    if (operand.as<TensorObject>()->tensor.dtype() == DType::Bool) operand = call.call("Tensor.float", {operand});
  return call.call("torch.sub", std::move(operands));
}

Value mse_op(OpCall& call) {
  const std::vector<Value> operands = stretched(call);
  check_reduction(call);
  require_floating(common_type(operands), "mse_cpu");
  const GradientSwitch without(call.interpreter(), false);
  return reduced(call, call.call("torch.square", {difference_of(call, operands)}));
}

Value l1_op(OpCall& call) {
  const std::vector<Value> operands = stretched(call);
  check_reduction(call);
  const Value distance = call.call("torch.sub", operands);
  return last_step(call, reduced(call, call.call("torch.abs", {distance})));
}

// Squares near 0, straight lines farther out. `bend` is where they meet, `slope` that of the lines.
Value bent_losses(OpCall& call, const Value& distance, double bend, double square_scale, double slope) {
  const Value square = call.call("torch.mul", {call.call("torch.square", {distance}), Value(square_scale)});
  const Value line = call.call("torch.mul", {call.call("torch.sub", {distance, Value(0.5 * bend)}), Value(slope)});
  return call.call("torch.where", {call.call("torch.lt", {distance, Value(bend)}), square, line});
}

Value smooth_l1_op(OpCall& call) {
  const std::vector<Value> operands = stretched(call);
  check_reduction(call);
  const double beta = call.real("beta");
  if (beta < 0)
    refuse("smooth_l1.beta", Code::Value, "RuntimeError", "smooth_l1_loss does not support negative values for beta.");
  require_floating(common_type(operands), "smooth_l1_cpu");
  const GradientSwitch without(call.interpreter(), false);
  const Value distance = call.call("torch.abs", {difference_of(call, operands)});
  return reduced(call, beta == 0 ? distance : bent_losses(call, distance, beta, 0.5 / beta, 1));
}

Value huber_op(OpCall& call) {
  const std::vector<Value> operands = stretched(call);
  check_reduction(call);
  const double delta = call.real("delta");
  if (delta <= 0)
    refuse("huber.delta", Code::Value, "RuntimeError", "huber_loss does not support non-positive values for delta.");
  const Tensor& x = call.tensor("input");
  const DType dtype = common_type(operands);
  require_floating(dtype, "huber_cpu");
  if (!is_floating(x.dtype()))  // the type in which PyTorch keeps the losses
    throw_cannot_cast(dtype, x.dtype());
  const GradientSwitch without(call.interpreter(), false);
  const Value distance = call.call("torch.abs", {difference_of(call, operands)});
  return reduced(call, as_type(call, bent_losses(call, distance, delta, 0.5, delta), x.dtype()));
}

// What PyTorch writes into the losses in place may not make more of them.
void require_fitting(const OpCall& call, const char* name) {
  if (!call.has(name)) return;
  const Shape& shape = call.tensor("input").shape();
  const Shape wanted = broadcast_shapes(shape, call.tensor(name).shape());
  if (wanted == shape) return;
  refuse(
      "inplace.shape", Code::Shape, "RuntimeError",
      fmt::format("output with shape {} doesn't match the broadcast shape {}", shape_text(shape), shape_text(wanted)));
}

// weight= of each element, where it was given. The losses keep their type.
Value weighed(OpCall& call, Value losses) {
  require_fitting(call, "weight");
  const DType dtype = losses.as<TensorObject>()->tensor.dtype();
  if (call.has("weight")) losses = as_type(call, call.call("torch.mul", {losses, call.value("weight")}), dtype);
  return reduced(call, losses);
}

// -(t log x + (1 - t) log(1 - x)), the logarithms at least -100.
Value likelihoods(OpCall& call, const Value& p, const Value& t) {
  const auto bounded_log = [&](const Value& v) {
    return call.call("torch.clamp", {call.call("torch.log", {v}), Value(-100.0)});
  };
  const Value off = call.call("torch.sub", {int_value(1), p});
  const Value yes = call.call("torch.mul", {t, bounded_log(p)});
  const Value no = call.call("torch.mul", {call.call("torch.sub", {int_value(1), t}), bounded_log(off)});
  return call.call("torch.neg", {call.call("torch.add", {yes, no})});
}

Value bce_op(OpCall& call) {
  check_reduction(call);
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  if (x.shape() != target.shape())
    refuse("bce.size", Code::Shape, "ValueError",
           fmt::format("Using a target size ({}) that is different to the input size ({}) is deprecated. Please ensure "
                       "they have the same size.",
                       size_text(target.shape()), size_text(x.shape())));
  if (x.dtype() != target.dtype())
    refuse(
        "bce.type", Code::Type, "RuntimeError",
        fmt::format("Found dtype {} but expected {}", scalar_type_name(target.dtype()), scalar_type_name(x.dtype())));
  require_no_gradient(call, "weight", "binary_cross_entropy");
  require_floating(x.dtype(), "binary_cross_entropy");
  for (const double p : to_doubles(x)) {
    look();
    if (!(p >= 0 && p <= 1))
      refuse("bce.range", Code::Value, "RuntimeError", "all elements of input should be between 0 and 1");
  }
  const GradientSwitch without(call.interpreter(), false);
  return weighed(call, likelihoods(call, call.value("input"), call.value("target")));
}

// The same of x = logit(p): (1 - t) x - log(sigmoid(x)), the second part times 1 + (pos_weight - 1) t. The exponents of
// the logarithm are at most 0: log(1 + e^-x) is high + log(e^-high + e^(-x - high)).
Value bce_logits_op(OpCall& call) {
  check_reduction(call);
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  if (x.shape() != target.shape())
    refuse("bce.size", Code::Shape, "ValueError",
           fmt::format("Target size ({}) must be the same as input size ({})", size_text(target.shape()),
                       size_text(x.shape())));
  for (const char* name : {"weight", "pos_weight"}) require_no_gradient(call, name, "binary_cross_entropy_with_logits");
  require_fitting(call, "pos_weight");
  const GradientSwitch without(call.interpreter(), false);
  const auto exp = [&](const Value& v) { return call.call("torch.exp", {v}); };
  const Value t = call.value("target"), negative = call.call("torch.neg", {call.value("input")});
  const Value high = call.call("torch.clamp_min", {negative, int_value(0)});
  const Value parts =
      call.call("torch.add", {exp(call.call("torch.neg", {high})), exp(call.call("torch.sub", {negative, high}))});
  const Value log = call.call("torch.log", {parts});
  const Value off = call.call("torch.mul", {call.call("torch.sub", {int_value(1), t}), call.value("input")});
  Value losses;
  if (call.has("pos_weight")) {
    const Value more = call.call("torch.sub", {call.value("pos_weight"), int_value(1)});
    const Value factor = call.call("torch.add", {call.call("torch.mul", {more, t}), int_value(1)});
    losses = call.call("torch.add", {off, call.call("torch.mul", {factor, call.call("torch.add", {log, high})})});
  } else {
    losses = call.call("torch.add", {call.call("torch.add", {off, high}), log});
  }
  if (!is_floating(target.dtype()))  // the type in which PyTorch keeps the losses
    throw_cannot_cast(is_floating(x.dtype()) ? x.dtype() : DType::Float32, target.dtype());
  return weighed(call, as_type(call, losses, target.dtype()));
}

// t log t - t x, where x holds logarithms of probabilities; t log t is 0 where t is 0.
Value kl_div_op(OpCall& call) {
  const std::string how = reduction_of(call);
  if (how != "mean" && how != "sum" && how != "none" && how != "batchmean")
    refuse("loss.reduction", Code::Value, "ValueError", how + " is not a valid value for reduction");
  const Value x = call.value("input"), t = call.value("target");
  for (const char* name : {"input", "target"})
    if (!is_floating(call.tensor(name).dtype()))
      refuse("kl_div.type", Code::Type, "RuntimeError", "kl_div: Integral inputs not supported.");
  Value losses;
  if (call.flag("log_target")) {
    losses = call.call("torch.mul", {call.call("torch.exp", {t}), call.call("torch.sub", {t, x})});
  } else {
    const Value product = call.call("torch.mul", {t, call.call("torch.log", {t})});
    const Value own = call.call(
        "torch.where", {call.call("torch.eq", {t, int_value(0)}), call.call("torch.zeros_like", {t}), product});
    losses = call.call("torch.sub", {own, call.call("torch.mul", {t, x})});
  }
  if (how == "none") return last_step(call, losses);
  if (how == "mean") return last_step(call, call.call("torch.mean", {losses}));
  const Value total = call.call("torch.sum", {losses});
  if (how == "sum") return last_step(call, total);
  const Tensor& input = call.tensor("input");
  return last_step(call, call.call("torch.div", {total, int_value(input.dim() ? input.size(0) : 1)}));
}

Axes loss_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return output.dim() == 0 ? Axes() : axis_rule::broadcast(call, output, number);
}

#define ATTN_TWO \
  "(input: Tensor, target: Tensor, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'"
constexpr const char* kLoss = ATTN_TWO ")";

const OpInfo kLossOps[] = {
    OpInfo("torch.nn.functional.mse_loss", kLoss, "The mean squared difference.",
           "F.mse_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))", mse_op,
           {.axes = loss_axes, .element = kComposite, .grad_fn = "MseLossBackward0"}),
    OpInfo("torch.nn.functional.l1_loss", kLoss, "The mean size of the difference.",
           "F.l1_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))", l1_op,
           {.axes = loss_axes, .element = kComposite, .grad_fn = "MeanBackward0"}),
    OpInfo("torch.nn.functional.smooth_l1_loss", ATTN_TWO ", beta: float = 1.0)",
           "Half the squared difference near 0, its size farther out.",
           "F.smooth_l1_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))", smooth_l1_op,
           {.axes = loss_axes, .element = kComposite, .grad_fn = "SmoothL1LossBackward0"}),
    OpInfo("torch.nn.functional.huber_loss",
           "(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0)",
           "Half the squared difference near 0, delta times its size farther out.",
           "F.huber_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))", huber_op,
           {.axes = loss_axes, .element = kComposite, .grad_fn = "HuberLossBackward0"}),
    OpInfo("torch.nn.functional.binary_cross_entropy",
           "(input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, reduce: bool? = None, "
           "reduction: str = 'mean')",
           "The mean of -log of the probability that was given to what came true.",
           "F.binary_cross_entropy(torch.tensor([0.1, 0.9]), torch.tensor([0., 1.]))", bce_op,
           {.axes = loss_axes, .element = kComposite, .grad_fn = "BinaryCrossEntropyBackward0"}),
    OpInfo("torch.nn.functional.binary_cross_entropy_with_logits",
           "(input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, reduce: bool? = None, "
           "reduction: str = 'mean', pos_weight: Tensor? = None)",
           "binary_cross_entropy of sigmoid(x), computed without overflow.",
           "F.binary_cross_entropy_with_logits(torch.tensor([-2., 2.]), torch.tensor([0., 1.]))", bce_logits_op,
           {.axes = loss_axes, .element = kComposite, .grad_fn = "BinaryCrossEntropyWithLogitsBackward0"}),
    OpInfo("torch.nn.functional.kl_div", ATTN_TWO ", log_target: bool = False)",
           "How far the distribution `target` is from exp(input): the mean of target * (log(target) - input).",
           "F.kl_div(torch.tensor([0.5, 0.5]).log(), torch.tensor([0.25, 0.75]), reduction='sum')", kl_div_op,
           {.axes = loss_axes, .element = kComposite, .grad_fn = "MeanBackward0"}),
};

#undef ATTN_TWO

}  // namespace

std::span<const OpInfo> loss_ops() { return kLossOps; }

}  // namespace attn
