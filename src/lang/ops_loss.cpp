// Rows of losses: how far a prediction is from its target. All are composites of recorded steps.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "lang/axis_rules.h"
#include "lang/op_families.h"
#include "lang/op_functions.h"
#include "lang/op_pieces.h"
#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/pointwise.h"
#include "tensor/read.h"
#include "tensor/reduce.h"
#include "tensor/scalar_type.h"

namespace attn {
namespace {

[[noreturn]] void refuse(std::string rule, Code code, std::string type, std::string text,
                         std::vector<Fact> facts = {}) {
  throw TensorError(std::move(rule), code, std::move(type), std::move(text), std::move(facts));
}

const std::string& text_of(const OpCall& call, std::string_view name) { return call.value(name).as<Str>()->text; }

std::string size_text(const Tensor& x) { return "torch.Size(" + shape_text(x.shape()) + ")"; }

// size_average= and reduce= are PyTorch's old words for reduction=.
void check_reduction(const OpCall& call) {
  for (const char* name : {"size_average", "reduce"}) {
    if (!call.has(name)) continue;
    throw CellError(Code::Unsupported, call.span(), fmt::format("{}({}=...) is not supported", call.info().name, name),
                    "say reduction='mean', 'sum' or 'none'");
  }
  const std::string& how = text_of(call, "reduction");
  if (how == "mean" || how == "sum" || how == "none") return;
  refuse("loss.reduction", Code::Value, "ValueError", how + " is not a valid value for reduction");
}

Value step(OpCall& call, std::string_view op, std::vector<Value> arguments) {
  return call.call(op, std::move(arguments));
}

// The losses of all elements as the call wants them.
Value reduced(OpCall& call, const Value& losses) {
  const std::string& how = text_of(call, "reduction");
  if (how == "none") return losses;
  return step(call, how == "mean" ? "torch.mean" : "torch.sum", {losses});
}

// ---- class numbers ----

// Class scores lie along the second axis; of a single example along the only one.
std::int64_t class_axis(const Tensor& x) { return x.dim() == 1 ? 0 : 1; }

void check_class_shapes(const Tensor& x, const Tensor& target) {
  if (x.dim() == 0) refuse("nll.dims", Code::Shape, "ValueError", "Expected 1 or more dimensions (got 0)");
  if (x.dim() == 1 && (target.dim() > 1 || (target.dim() == 1 && target.numel() != 1)))
    refuse("nll.size", Code::Shape, "RuntimeError",
           fmt::format("size mismatch (got input: {}, target: {})", shape_text(x.shape()), shape_text(target.shape())));
  if (x.dim() == 1 && target.dim() == 1)
    refuse("nll.size", Code::Shape, "RuntimeError",
           fmt::format("size mismatch (got input: {}, target: {})", shape_text(x.shape()), shape_text(target.shape())));
  if (x.dim() == 1) return;
  if (target.dim() == 0 || x.size(0) != target.size(0))
    refuse("nll.batch", Code::Shape, "ValueError",
           fmt::format("Expected input batch_size ({}) to match target batch_size ({}).", x.size(0),
                       target.dim() ? target.size(0) : 0),
           {{"input", x.size(0)}, {"target", target.dim() ? target.size(0) : 0}});
  Shape expected = x.shape();
  expected.erase(expected.begin() + 1);
  if (target.shape() == expected) return;
  if (x.dim() == 2)
    refuse("nll.target", Code::Shape, "RuntimeError", "0D or 1D target tensor expected, multi-target not supported");
  refuse("nll.target", Code::Shape, "RuntimeError",
         fmt::format("Expected target size {}, got {}", shape_text(expected), shape_text(target.shape())));
}

void check_class_weight(const Tensor& x, const Tensor& weight) {
  const std::int64_t classes = x.size(class_axis(x));
  if (weight.dim() == 1 && weight.size(0) == classes) return;
  refuse("nll.weight", Code::Shape, "RuntimeError",
         fmt::format("weight tensor should be defined either for all {} classes or no classes but got weight tensor of "
                     "shape: {}",
                     classes, shape_text(weight.shape())));
}

// Whether some target is to be ignored; all others must be classes.
bool check_classes(const Tensor& x, const Tensor& target, std::int64_t ignored) {
  const std::int64_t classes = x.size(class_axis(x));
  bool any_ignored = false;
  for_each_offset(target.shape(), target.strides(), [&](std::int64_t at) {
    const std::int64_t number = target.data<std::int64_t>()[at];
    any_ignored |= number == ignored;
    if (number == ignored || (number >= 0 && number < classes)) return;
    refuse("nll.class", Code::Index, "IndexError", fmt::format("Target {} is out of bounds.", number),
           {{"index", number}, {"size", classes}});
  });
  return any_ignored;
}

// What nll_loss needs of each example: minus the score of its class, and how much it counts (None: all alike).
struct ClassLosses {
  Value losses, counts;
};

ClassLosses class_losses(OpCall& call, const Value& scores, const Value& target, const Value& weight,
                         bool any_ignored) {
  const Value axis = int_value(class_axis(scores.as<TensorObject>()->tensor));
  const Value ignored = any_ignored ? step(call, "torch.eq", {target, call.value("ignore_index")}) : Value();
  const Value classes = any_ignored ? step(call, "torch.masked_fill", {target, ignored, int_value(0)}) : target;
  const Value places = step(call, "torch.unsqueeze", {classes, axis});
  const Value picked = step(call, "torch.squeeze", {step(call, "torch.gather", {scores, axis, places}), axis});
  ClassLosses result{step(call, "torch.neg", {picked}), Value()};
  if (!weight.is_none()) {
    result.counts = step(call, "torch.take", {weight, classes});
    result.losses = step(call, "torch.mul", {result.losses, result.counts});
  }
  if (!any_ignored) return result;
  if (result.counts.is_none()) result.counts = step(call, "torch.ones_like", {result.losses});
  result.counts = step(call, "torch.masked_fill", {result.counts, ignored, Value(0.0)});
  result.losses = step(call, "torch.masked_fill", {result.losses, ignored, Value(0.0)});
  return result;
}

Value mean_of(OpCall& call, const ClassLosses& losses) {
  if (losses.counts.is_none()) return step(call, "torch.mean", {losses.losses});
  return step(call, "torch.div", {step(call, "torch.sum", {losses.losses}), step(call, "torch.sum", {losses.counts})});
}

Value nll_op(OpCall& call) {
  check_reduction(call);
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  check_class_shapes(x, target);
  if (target.dtype() != DType::Int64)
    refuse("nll.type", Code::Type, "RuntimeError",
           "expected scalar type Long but found " + scalar_type_name(target.dtype()));
  require_floating(x.dtype(), "nll_loss_out_frame");
  if (call.has("weight")) check_class_weight(x, call.tensor("weight"));
  const bool any_ignored = check_classes(x, target, call.integer("ignore_index"));
  const ClassLosses losses =
      class_losses(call, call.value("input"), call.value("target"), call.value("weight"), any_ignored);
  const bool is_mean = text_of(call, "reduction") == "mean";
  return composite(call, is_mean ? mean_of(call, losses) : reduced(call, losses.losses),
                   x.dim() < 3 || x.dim() > 4 ? "NllLossBackward0" : "NllLoss2DBackward0");
}

// ---- cross_entropy ----

Value call_nll(OpCall& call, const Value& scores) {
  return call.call("torch.nn.functional.nll_loss", {scores, call.value("target")},
                   {{"weight", call.value("weight")},
                    {"ignore_index", call.value("ignore_index")},
                    {"reduction", call.value("reduction")}});
}

// Weights of the classes, laid along the class axis.
Value laid_out_weight(OpCall& call, const Tensor& x) {
  Shape shape(static_cast<std::size_t>(x.dim()), 1);
  shape[static_cast<std::size_t>(class_axis(x))] = -1;
  std::vector<Value> sizes;
  for (const std::int64_t size : shape) sizes.push_back(int_value(size));
  return call.call("Tensor.view", {call.value("weight"), make_tuple(std::move(sizes))});
}

// The target says how likely each class is.
Value cross_entropy_of_probabilities(OpCall& call, const Value& scores) {
  const Tensor& x = call.tensor("input");
  const std::int64_t axis = class_axis(x);
  const double smoothing = call.real("label_smoothing");
  Value target = call.value("target");
  if (smoothing > 0) {
    target = step(call, "torch.add",
                  {step(call, "torch.mul", {target, Value(1 - smoothing)}),
                   Value(smoothing / static_cast<double>(x.size(axis)))});
  }
  Value products = step(call, "torch.mul", {scores, target});
  if (call.has("weight")) products = step(call, "torch.mul", {products, laid_out_weight(call, x)});
  const std::string& how = text_of(call, "reduction");
  if (how == "none")
    return composite(call, step(call, "torch.neg", {step(call, "torch.sum", {products, int_value(axis)})}),
                     "NegBackward0");
  const Value total = step(call, "torch.neg", {step(call, "torch.sum", {products})});
  if (how == "sum") return composite(call, total, "NegBackward0");
  const std::int64_t examples = x.numel() / std::max<std::int64_t>(x.size(axis), 1);
  return composite(call, step(call, "torch.div", {total, int_value(examples)}), "DivBackward1");
}

// What cross_entropy adds for label_smoothing: the mean loss over all classes.
Value smoothed(OpCall& call, const Value& scores) {
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  const std::int64_t axis = class_axis(x);
  Value weighted = scores;
  if (call.has("weight")) weighted = step(call, "torch.mul", {scores, laid_out_weight(call, x)});
  const bool any_ignored = check_classes(x, target, call.integer("ignore_index"));
  ClassLosses losses{step(call, "torch.neg", {step(call, "torch.sum", {weighted, int_value(axis)})}), Value()};
  if (call.has("weight") || any_ignored) {
    const Value ignored = step(call, "torch.eq", {call.value("target"), call.value("ignore_index")});
    losses.losses = step(call, "torch.masked_fill", {losses.losses, ignored, Value(0.0)});
    const Value classes = step(call, "torch.masked_fill", {call.value("target"), ignored, int_value(0)});
    const Value counts = call.has("weight") ? step(call, "torch.take", {call.value("weight"), classes})
                                            : step(call, "torch.ones_like", {losses.losses});
    losses.counts = step(call, "torch.masked_fill", {counts, ignored, Value(0.0)});
  }
  return text_of(call, "reduction") == "mean" ? mean_of(call, losses) : reduced(call, losses.losses);
}

Value cross_entropy_op(OpCall& call) {
  check_reduction(call);
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  if (x.dim() == 0) refuse("nll.dims", Code::Shape, "ValueError", "Expected 1 or more dimensions (got 0)");
  const bool has_probabilities = x.shape() == target.shape();
  const double smoothing = call.real("label_smoothing");
  if (has_probabilities && !is_floating(target.dtype()))
    refuse("cross_entropy.target", Code::Type, "RuntimeError",
           "Expected floating point type for target with class probabilities, got " + scalar_type_name(target.dtype()));
  if (!(smoothing >= 0 && smoothing <= 1))
    refuse("cross_entropy.smoothing", Code::Value, "RuntimeError",
           fmt::format("label_smoothing must be between 0.0 and 1.0. Got: {}", smoothing));
  const Value scores = call.call("torch.log_softmax", {call.value("input")}, {{"dim", int_value(class_axis(x))}});
  if (has_probabilities) return cross_entropy_of_probabilities(call, scores);
  const Value loss = call_nll(call, scores);
  if (smoothing == 0) return last_step(call, loss);
  const double classes = static_cast<double>(x.size(class_axis(x)));
  const Value part = step(call, "torch.mul", {loss, Value(1 - smoothing)});
  const Value other = step(call, "torch.mul", {smoothed(call, scores), Value(smoothing / classes)});
  return composite(call, step(call, "torch.add", {part, other}), "AddBackward0");
}

// ---- numbers ----

Value mse_op(OpCall& call) {
  check_reduction(call);
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  broadcast_shapes(x.shape(), target.shape());
  require_floating(result_type(x, target), "mse_cpu");
  const Value distance = step(call, "torch.sub", {call.value("input"), call.value("target")});
  return composite(call, reduced(call, step(call, "torch.square", {distance})), "MseLossBackward0");
}

Value l1_op(OpCall& call) {
  check_reduction(call);
  const Value distance = step(call, "torch.sub", {call.value("input"), call.value("target")});
  return last_step(call, reduced(call, step(call, "torch.abs", {distance})));
}

// Squares near 0, straight lines farther out. `bend` is where they meet, `slope` that of the lines.
Value bent_loss(OpCall& call, double bend, double square_scale, double slope, std::string_view grad_fn) {
  const Value distance =
      step(call, "torch.abs", {step(call, "torch.sub", {call.value("input"), call.value("target")})});
  const Value square = step(call, "torch.mul", {step(call, "torch.square", {distance}), Value(square_scale)});
  const Value line = step(call, "torch.mul", {step(call, "torch.sub", {distance, Value(0.5 * bend)}), Value(slope)});
  const Value is_near = step(call, "torch.lt", {distance, Value(bend)});
  return composite(call, reduced(call, step(call, "torch.where", {is_near, square, line})), grad_fn);
}

Value smooth_l1_op(OpCall& call) {
  check_reduction(call);
  const double beta = call.real("beta");
  if (beta == 0) return l1_op(call);
  if (beta < 0)
    refuse("smooth_l1.beta", Code::Value, "RuntimeError", "smooth_l1_loss does not support negative values for beta.");
  return bent_loss(call, beta, 0.5 / beta, 1, "SmoothL1LossBackward0");
}

Value huber_op(OpCall& call) {
  check_reduction(call);
  const double delta = call.real("delta");
  if (delta <= 0)
    refuse("huber.delta", Code::Value, "RuntimeError", "huber_loss does not support non-positive values for delta.");
  return bent_loss(call, delta, 0.5, delta, "HuberLossBackward0");
}

// weight= of each element, where it was given.
Value weighed(OpCall& call, Value losses) {
  if (call.has("weight")) losses = step(call, "torch.mul", {losses, call.value("weight")});
  return reduced(call, losses);
}

// -(t log x + (1 - t) log(1 - x)), the logarithms at least -100.
Value bce_op(OpCall& call) {
  check_reduction(call);
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  if (x.shape() != target.shape())
    refuse("bce.size", Code::Shape, "ValueError",
           fmt::format("Using a target size ({}) that is different to the input size ({}) is deprecated. Please ensure "
                       "they have the same size.",
                       size_text(target), size_text(x)));
  if (x.dtype() != target.dtype())
    refuse(
        "bce.type", Code::Type, "RuntimeError",
        fmt::format("Found dtype {} but expected {}", scalar_type_name(target.dtype()), scalar_type_name(x.dtype())));
  for (const double p : to_doubles(x))
    if (!(p >= 0 && p <= 1))
      refuse("bce.range", Code::Value, "RuntimeError", "all elements of input should be between 0 and 1");
  const Value p = call.value("input"), t = call.value("target");
  const auto bounded_log = [&](const Value& v) {
    return step(call, "torch.clamp", {step(call, "torch.log", {v}), Value(-100.0)});
  };
  const Value off = step(call, "torch.sub", {int_value(1), p});
  const Value yes = step(call, "torch.mul", {t, bounded_log(p)});
  const Value no = step(call, "torch.mul", {step(call, "torch.sub", {int_value(1), t}), bounded_log(off)});
  const Value losses = step(call, "torch.neg", {step(call, "torch.add", {yes, no})});
  return composite(call, weighed(call, losses), "BinaryCrossEntropyBackward0");
}

// The same of x = logit(p): (1 - t) x - log(sigmoid(x)), the second part times pos_weight.
Value bce_logits_op(OpCall& call) {
  check_reduction(call);
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  if (x.shape() != target.shape())
    refuse("bce.size", Code::Shape, "ValueError",
           fmt::format("Target size ({}) must be the same as input size ({})", size_text(target), size_text(x)));
  const Value t = call.value("target");
  Value log_part = step(call, "torch.nn.functional.logsigmoid", {call.value("input")});
  if (call.has("pos_weight")) {
    const Value more = step(call, "torch.sub", {call.value("pos_weight"), int_value(1)});
    log_part = step(call, "torch.mul",
                    {log_part, step(call, "torch.add", {step(call, "torch.mul", {more, t}), int_value(1)})});
  }
  const Value off = step(call, "torch.mul", {step(call, "torch.sub", {int_value(1), t}), call.value("input")});
  return composite(call, weighed(call, step(call, "torch.sub", {off, log_part})),
                   "BinaryCrossEntropyWithLogitsBackward0");
}

// t (log t - x), where x holds logarithms of probabilities; 0 where t is 0.
Value kl_div_op(OpCall& call) {
  const std::string how = text_of(call, "reduction");
  if (how != "mean" && how != "sum" && how != "none" && how != "batchmean")
    refuse("loss.reduction", Code::Value, "ValueError", how + " is not a valid value for reduction");
  const Value x = call.value("input"), t = call.value("target");
  Value losses;
  if (call.flag("log_target")) {
    losses = step(call, "torch.mul", {step(call, "torch.exp", {t}), step(call, "torch.sub", {t, x})});
  } else {
    const Value product = step(call, "torch.mul", {t, step(call, "torch.sub", {step(call, "torch.log", {t}), x})});
    losses = step(call, "torch.where",
                  {step(call, "torch.gt", {t, int_value(0)}), product, step(call, "torch.zeros_like", {product})});
  }
  if (how == "none") return last_step(call, losses);
  if (how == "mean") return last_step(call, step(call, "torch.mean", {losses}));
  const Value total = step(call, "torch.sum", {losses});
  if (how == "sum") return last_step(call, total);
  const Tensor& input = call.tensor("input");
  return last_step(call, step(call, "torch.div", {total, int_value(input.dim() ? input.size(0) : 1)}));
}

// Without the class axis where nothing is folded.
Axes class_loss_axes(const OpCall& call, const Tensor& output, std::size_t) {
  if (output.dim() == 0) return {};
  const Axes& axes = call.handle("target").axes;
  return axes.size() == static_cast<std::size_t>(output.dim()) ? axes : Axes(static_cast<std::size_t>(output.dim()));
}
Axes loss_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return output.dim() == 0 ? Axes() : axis_rule::broadcast(call, output, number);
}

#define ATTN_TWO \
  "(input: Tensor, target: Tensor, size_average: bool? = None, reduce: bool? = None, reduction: str = 'mean'"
#define ATTN_CLASSES                                                                                               \
  "(input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, ignore_index: int = -100, " \
  "reduce: bool? = None, reduction: str = 'mean'"
constexpr const char* kTwo = ATTN_TWO ")";
constexpr auto kComposite = ElementRule::Composite;

const OpInfo kRows[] = {
    {"nll_loss", "torch.nn.functional.nll_loss", ATTN_CLASSES ")",
     "The mean of minus the score (a logarithm of a probability) of each right class.",
     "F.nll_loss(torch.log_softmax(torch.zeros(2, 3), dim=-1), torch.tensor([0, 2]))", nll_op, class_loss_axes,
     kComposite, "NllLossBackward0"},
    {"cross_entropy", "torch.nn.functional.cross_entropy", ATTN_CLASSES ", label_smoothing: float = 0.0)",
     "log_softmax, then the mean of minus the score of each right class.",
     "F.cross_entropy(torch.tensor([[2., 0., 0.], [0., 0., 1.]]), torch.tensor([0, 2]))", cross_entropy_op,
     class_loss_axes, kComposite, "NllLossBackward0"},
    {"mse_loss", "torch.nn.functional.mse_loss", kTwo, "The mean squared difference.",
     "F.mse_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))", mse_op, loss_axes, kComposite, "MseLossBackward0"},
    {"l1_loss", "torch.nn.functional.l1_loss", kTwo, "The mean size of the difference.",
     "F.l1_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))", l1_op, loss_axes, kComposite, "MeanBackward0"},
    {"smooth_l1_loss", "torch.nn.functional.smooth_l1_loss", ATTN_TWO ", beta: float = 1.0)",
     "Half the squared difference near 0, its size farther out.",
     "F.smooth_l1_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))", smooth_l1_op, loss_axes, kComposite,
     "SmoothL1LossBackward0"},
    {"huber_loss", "torch.nn.functional.huber_loss",
     "(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0)",
     "Half the squared difference near 0, delta times its size farther out.",
     "F.huber_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))", huber_op, loss_axes, kComposite,
     "HuberLossBackward0"},
    {"binary_cross_entropy", "torch.nn.functional.binary_cross_entropy",
     "(input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, reduce: bool? = None, "
     "reduction: str = 'mean')",
     "The mean of -log of the probability that was given to what came true.",
     "F.binary_cross_entropy(torch.tensor([0.1, 0.9]), torch.tensor([0., 1.]))", bce_op, loss_axes, kComposite,
     "BinaryCrossEntropyBackward0"},
    {"binary_cross_entropy_with_logits", "torch.nn.functional.binary_cross_entropy_with_logits",
     "(input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, reduce: bool? = None, "
     "reduction: str = 'mean', pos_weight: Tensor? = None)",
     "binary_cross_entropy of sigmoid(x), computed without overflow.",
     "F.binary_cross_entropy_with_logits(torch.tensor([-2., 2.]), torch.tensor([0., 1.]))", bce_logits_op, loss_axes,
     kComposite, "BinaryCrossEntropyWithLogitsBackward0"},
    {"kl_div", "torch.nn.functional.kl_div", ATTN_TWO ", log_target: bool = False)",
     "How far the distribution `target` is from exp(input): the mean of target * (log(target) - input).",
     "F.kl_div(torch.tensor([0.5, 0.5]).log(), torch.tensor([0.25, 0.75]), reduction='sum')", kl_div_op, loss_axes,
     kComposite, "MeanBackward0"},
};

#undef ATTN_TWO
#undef ATTN_CLASSES

}  // namespace

std::span<const OpInfo> loss_ops() { return kRows; }

}  // namespace attn
