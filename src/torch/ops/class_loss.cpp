// Rows of losses whose targets are classes: cross_entropy and nll_loss. Both are composites of recorded steps.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
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

// ---- class numbers ----

// Class scores lie along the second axis; of a single example along the only one.
std::int64_t class_axis(const Tensor& x) { return x.dim() == 1 ? 0 : 1; }

// PyTorch has two kernels: for one or two axes, and for images, as which it sees all other numbers of axes.
bool is_image(const Tensor& x) { return x.dim() > 2; }

void check_matrix(const Tensor& x, const Tensor& target) {
  if (target.dim() > 1)
    refuse("nll.target", Code::Shape, "RuntimeError", "0D or 1D target tensor expected, multi-target not supported");
  if ((x.dim() == 1 && target.dim() == 0) || x.size(0) == target.size(0)) return;
  refuse("nll.size", Code::Shape, "RuntimeError",
         fmt::format("size mismatch (got input: {}, target: {})", shape_text(x.shape()), shape_text(target.shape())));
}

void check_image_target(const Tensor& x, const Tensor& target) {
  if (x.dim() == 4 && target.dim() != 3)
    refuse("nll.target", Code::Shape, "RuntimeError",
           fmt::format("only batches of spatial targets supported (3D tensors) but got targets of dimension: {}",
                       target.dim()));
  Shape expected = x.shape();
  expected.erase(expected.begin() + 1);
  if (x.dim() != 4 && target.shape() != expected)
    refuse("nll.target", Code::Shape, "RuntimeError",
           fmt::format("Expected target size {}, got {}", shape_text(expected), shape_text(target.shape())));
  if (x.dim() != 4 && x.numel() == 0 && target.numel() > 0)  // no classes
    refuse("nll.size", Code::Shape, "RuntimeError",
           fmt::format("size mismatch (got input: {} , target: {}", shape_text({x.size(0), 0, 0, 0}),
                       shape_text({x.size(0), 1, target.numel() / x.size(0)})));
}

void check_image_size(const Tensor& x, const Tensor& target) {
  const Shape &seen = x.shape(), &target_seen = target.shape();
  if (x.dim() != 4 || (seen[0] == target_seen[0] && seen[2] == target_seen[1] && seen[3] == target_seen[2])) return;
  refuse("nll.size", Code::Shape, "RuntimeError",
         fmt::format("size mismatch (got input: {} , target: {}", shape_text(seen), shape_text(target_seen)));
}

void check_class_weight(const Tensor& x, const Tensor& weight, std::string_view prefix = "") {
  const std::int64_t classes = x.size(class_axis(x));
  if (weight.dim() == 1 && weight.size(0) == classes) return;
  refuse("nll.weight", Code::Shape, "RuntimeError",
         fmt::format("{}weight tensor should be defined either for all {} classes or no classes but got weight tensor "
                     "of shape: {}",
                     prefix, classes, shape_text(weight.shape())));
}

void check_image_weight(const Tensor& x, const Tensor& weight) {
  if (weight.numel() == x.size(1)) return;
  refuse("nll.weight", Code::Shape, "RuntimeError", "weight tensor should be defined either for all or no classes");
}

void check_batch_sizes(const Tensor& x, const Tensor& target) {
  if (x.dim() == 0) refuse("nll.dims", Code::Shape, "ValueError", "Expected 1 or more dimensions (got 0)");
  const std::int64_t batch_size = target.dim() ? target.size(0) : 0;
  if (x.dim() == 1 || (target.dim() > 0 && x.size(0) == batch_size)) return;
  refuse("nll.batch", Code::Shape, "ValueError",
         fmt::format("Expected input batch_size ({}) to match target batch_size ({}).", x.size(0), batch_size),
         {{"input", x.size(0)}, {"target", batch_size}});
}

void require_scalar_type(const Tensor& x, DType wanted) {
  if (x.dtype() == wanted) return;
  refuse("nll.type", Code::Type, "RuntimeError",
         fmt::format("expected scalar type {} but found {}", scalar_type_name(wanted), scalar_type_name(x.dtype())));
}

// Everything of nll_loss but the class numbers, in PyTorch's order.
void check_class_operands(const OpCall& call) {
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  if (is_image(x)) {
    check_image_target(x, target);
    if (call.has("weight")) check_image_weight(x, call.tensor("weight"));
    check_image_size(x, target);
  } else {
    check_matrix(x, target);
    if (call.has("weight")) check_class_weight(x, call.tensor("weight"));
  }
  require_floating(x.dtype(), is_image(x) ? "nll_loss2d_forward_out_frame" : "nll_loss_out_frame");
  if (call.has("weight")) require_scalar_type(call.tensor("weight"), x.dtype());
  const bool gives_tensor = reduction_of(call) == "none" && x.dim() > 1;
  if (target.numel() > 0 || gives_tensor) require_scalar_type(target, DType::Int64);
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
// Those to be ignored are marked (None: there are none).
struct ClassLosses {
  Value losses, counts, ignored;
};

// Where there are no classes, or no examples, nothing is looked up: every target is to be ignored.
ClassLosses no_losses(OpCall& call, const Value& target, DType dtype) {
  const Value zeros = call.call("torch.zeros_like", {target}, {{"dtype", make<DTypeObject>(dtype)}});
  return {zeros, zeros, Value()};
}

ClassLosses class_losses(OpCall& call, const Value& scores, const Value& target, const Value& weight,
                         bool any_ignored) {
  const Tensor& x = scores.as<TensorObject>()->tensor;
  if (x.numel() == 0) return no_losses(call, target, x.dtype());
  const Value axis = int_value(class_axis(x));
  const Value ignored = any_ignored ? call.call("torch.eq", {target, call.value("ignore_index")}) : Value();
  const Value classes = any_ignored ? call.call("torch.masked_fill", {target, ignored, int_value(0)}) : target;
  const Value places = call.call("torch.unsqueeze", {classes, axis});
  const Value picked = call.call("torch.squeeze", {call.call("torch.gather", {scores, axis, places}), axis});
  ClassLosses result{call.call("torch.neg", {picked}), Value(), ignored};
  if (!weight.is_none()) {
    result.counts = call.call("torch.take", {weight, classes});
    result.losses = call.call("torch.mul", {result.losses, result.counts});
  }
  if (!any_ignored) return result;
  if (result.counts.is_none()) result.counts = call.call("torch.ones_like", {result.losses});
  result.counts = call.call("torch.masked_fill", {result.counts, ignored, Value(0.0)});
  result.losses = call.call("torch.masked_fill", {result.losses, ignored, Value(0.0)});
  return result;
}

Value sum_of(OpCall& call, const Value& numbers, const Value& ignored) {
  return call.call("op.loss_sum", {numbers, ignored});
}

Value mean_of(OpCall& call, const ClassLosses& losses) {
  if (losses.counts.is_none()) return call.call("op.loss_mean", {losses.losses});
  return call.call("torch.div",
                   {sum_of(call, losses.losses, losses.ignored), sum_of(call, losses.counts, losses.ignored)});
}

// PyTorch gives the losses of what it saw as an image their own shape again.
std::string_view gradient_of_nll(const Tensor& x, std::string_view how) {
  if (!is_image(x)) return "NllLossBackward0";
  return how == "none" && x.dim() != 4 ? "ViewBackward0" : "NllLoss2DBackward0";
}

Value nll_op(OpCall& call) {
  check_reduction(call);
  check_batch_sizes(call.tensor("input"), call.tensor("target"));
  require_no_gradient(call, "weight", is_image(call.tensor("input")) ? "nll_loss2d_forward" : "nll_loss_forward");
  check_class_operands(call);
  const Tensor& x = call.tensor("input");
  const std::string how = reduction_of(call);
  Value target = call.value("target");
  if (x.dim() == 1 && x.numel() > 0 && call.tensor("target").dim() == 1)  // of a single example the first alone counts
    target = call.call("torch.select", {target, int_value(0), int_value(0)});
  const Tensor& numbers = target.as<TensorObject>()->tensor;
  const bool any_ignored = numbers.numel() > 0 && check_classes(x, numbers, call.integer("ignore_index"));
  const ClassLosses losses = class_losses(call, call.value("input"), target, call.value("weight"), any_ignored);
  const bool is_kept = how == "none" && x.dim() != 1;
  const Value result = how == "mean" ? mean_of(call, losses)
                       : is_kept     ? losses.losses
                                     : sum_of(call, losses.losses, losses.ignored);
  return composite(call, result, gradient_of_nll(x, how));
}

// ---- cross_entropy ----

Value call_nll(OpCall& call, const Value& scores) {
  return call.call("torch.nn.functional.nll_loss", {scores, call.value("target")},
                   {{"weight", call.value("weight")},
                    {"ignore_index", call.value("ignore_index")},
                    {"reduction", make_str(reduction_of(call))}});
}

// Weights of the classes, laid along the class axis.
Value laid_out_weight(OpCall& call, const Tensor& x) {
  const Tensor& weight = call.tensor("weight");
  Shape shape(static_cast<std::size_t>(x.dim()), 1);
  shape[static_cast<std::size_t>(class_axis(x))] = weight.dim() > 0 ? weight.size(0) : 1;
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
    target = call.call("torch.add", {call.call("torch.mul", {target, Value(1 - smoothing)}),
                                     Value(smoothing / static_cast<double>(x.size(axis)))});
  }
  Value products = call.call("torch.mul", {scores, target});
  if (call.has("weight")) products = call.call("torch.mul", {products, laid_out_weight(call, x)});
  const std::string how = reduction_of(call);
  if (how == "none")
    return composite(call, call.call("torch.neg", {call.call("torch.sum", {products, int_value(axis)})}),
                     "NegBackward0");
  const Value total = call.call("torch.neg", {call.call("torch.sum", {products})});
  if (how == "sum") return composite(call, total, "NegBackward0");
  const std::int64_t examples = x.numel() / std::max<std::int64_t>(x.size(axis), 1);
  return composite(call, call.call("torch.div", {total, int_value(examples)}), "DivBackward1");
}

// What cross_entropy adds for label_smoothing: the mean loss over all classes.
Value smoothed(OpCall& call, const Value& scores) {
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  const std::int64_t axis = class_axis(x);
  Value weighted = scores;
  if (call.has("weight")) weighted = call.call("torch.mul", {scores, laid_out_weight(call, x)});
  ClassLosses losses{call.call("torch.neg", {call.call("torch.sum", {weighted, int_value(axis)})}), Value(), Value()};
  const bool any_ignored = target.numel() > 0 && check_classes(x, target, call.integer("ignore_index"));
  if (call.has("weight") && call.tensor("weight").dim() > 1 && reduction_of(call) == "mean")
    refuse("nll.weight", Code::Shape, "RuntimeError",
           "Index tensor must have the same number of dimensions as input tensor");
  if (call.has("weight") || any_ignored) {
    const Value ignored = call.call("torch.eq", {call.value("target"), call.value("ignore_index")});
    losses.losses = call.call("torch.masked_fill", {losses.losses, ignored, Value(0.0)});
    const Value classes = call.call("torch.masked_fill", {call.value("target"), ignored, int_value(0)});
    const Value counts = call.has("weight") ? call.call("torch.take", {call.value("weight"), classes})
                                            : call.call("torch.ones_like", {losses.losses});
    losses.counts = call.call("torch.masked_fill", {counts, ignored, Value(0.0)});
  }
  return reduction_of(call) == "mean" ? mean_of(call, losses) : reduced(call, losses.losses);
}

void check_probabilities(const OpCall& call) {
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  if (!is_floating(target.dtype()))
    refuse("cross_entropy.target", Code::Type, "RuntimeError",
           "Expected floating point type for target with class probabilities, got " + scalar_type_name(target.dtype()));
  if (call.integer("ignore_index") >= 0)
    refuse("cross_entropy.ignore", Code::Value, "RuntimeError",
           "ignore_index is not supported for floating point target");
  axis_of(class_axis(x), x.dim());
  if (call.has("weight")) check_class_weight(x, call.tensor("weight"), "cross_entropy: ");
}

Value cross_entropy_op(OpCall& call) {
  check_reduction(call);
  const Tensor &x = call.tensor("input"), &target = call.tensor("target");
  const bool has_probabilities = x.shape() == target.shape();
  const double smoothing = call.real("label_smoothing");
  if (has_probabilities) check_probabilities(call);
  if (smoothing > 1)
    refuse("cross_entropy.smoothing", Code::Value, "RuntimeError",
           fmt::format("label_smoothing must be between 0.0 and 1.0. Got: {}", smoothing));
  const Value scores = call.call("torch.log_softmax", {call.value("input")}, {{"dim", int_value(class_axis(x))}});
  if (has_probabilities) return cross_entropy_of_probabilities(call, scores);
  const Value loss = call_nll(call, scores);
  if (!(smoothing > 0)) return last_step(call, loss);
  const double classes = static_cast<double>(x.size(class_axis(x)));
  const Value part = call.call("torch.mul", {loss, Value(1 - smoothing)});
  const Value other = call.call("torch.mul", {smoothed(call, scores), Value(smoothing / classes)});
  return composite(call, call.call("torch.add", {part, other}), "AddBackward0");
}

// Without the class axis where nothing is folded.
Axes class_loss_axes(const OpCall& call, const Tensor& output, std::size_t) {
  if (output.dim() == 0) return {};
  const Axes& axes = call.handle("target").axes;
  return axes.size() == static_cast<std::size_t>(output.dim()) ? axes : Axes(static_cast<std::size_t>(output.dim()));
}
#define ATTN_CLASSES                                                                                               \
  "(input: Tensor, target: Tensor, weight: Tensor? = None, size_average: bool? = None, ignore_index: int = -100, " \
  "reduce: bool? = None, reduction: str = 'mean'"

const OpInfo kClassLossOps[] = {
    OpInfo("torch.nn.functional.nll_loss", ATTN_CLASSES ")",
           "The mean of minus the score (a logarithm of a probability) of each right class.",
           "F.nll_loss(torch.log_softmax(torch.zeros(2, 3), dim=-1), torch.tensor([0, 2]))", nll_op,
           {.axes = class_loss_axes, .element = kComposite, .grad_fn = "NllLossBackward0"}),
    OpInfo("torch.nn.functional.cross_entropy", ATTN_CLASSES ", label_smoothing: float = 0.0)",
           "log_softmax, then the mean of minus the score of each right class.",
           "F.cross_entropy(torch.tensor([[2., 0., 0.], [0., 0., 1.]]), torch.tensor([0, 2]))", cross_entropy_op,
           {.axes = class_loss_axes, .element = kComposite, .grad_fn = "NllLossBackward0"}),
};

#undef ATTN_CLASSES

}  // namespace

std::span<const OpInfo> class_loss_ops() { return kClassLossOps; }

}  // namespace attn
