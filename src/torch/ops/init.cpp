// Rows of torch.nn.init: they fill a parameter in place, outside of any gradient's history.
#include "nn/init.h"

#include <cmath>

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/ops/create.h"
#include "tensor/ops/random.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Tensor& target_of(OpCall& call) { return call.handle("tensor").tensor; }

Value fill_normal(OpCall& call, double mean, double std) {
  normal_(target_of(call), mean, std, call.interpreter().generator());
  return call.value("tensor");
}

Value fill_uniform(OpCall& call, double from, double to) {
  uniform_(target_of(call), from, to, call.interpreter().generator());
  return call.value("tensor");
}

Value fill_with(OpCall& call, const Scalar& value) {
  assign(target_of(call), full({}, value, target_of(call).dtype()));
  return call.value("tensor");
}

Value init_normal(OpCall& call) { return fill_normal(call, call.real("mean"), call.real("std")); }
Value init_uniform(OpCall& call) { return fill_uniform(call, call.real("a"), call.real("b")); }
Value constant_op(OpCall& call) { return fill_with(call, call.number("val")); }
Value init_zeros(OpCall& call) { return fill_with(call, Scalar(0.0)); }
Value init_ones(OpCall& call) { return fill_with(call, Scalar(1.0)); }

Value xavier_normal_op(OpCall& call) {
  require_floating(target_of(call).dtype(), "normal_kernel_cpu");
  xavier_normal_(target_of(call), call.interpreter().generator(), call.real("gain"));
  return call.value("tensor");
}
Value xavier_uniform_op(OpCall& call) {
  require_floating(target_of(call).dtype(), "check_uniform_bounds");
  xavier_uniform_(target_of(call), call.interpreter().generator(), call.real("gain"));
  return call.value("tensor");
}

double kaiming_std(OpCall& call) {
  const std::string &mode = call.value("mode").as<Str>()->text, &after = call.value("nonlinearity").as<Str>()->text;
  const Fans fans = fans_of(target_of(call));
  if (mode != "fan_in" && mode != "fan_out") {
    throw TensorError("mode", Code::Value, "ValueError",
                      "Mode " + mode + " not supported, please use one of ['fan_in', 'fan_out']");
  }
  const double gain = gain_of(after, call.real("a"));
  return gain / std::sqrt(mode == "fan_in" ? fans.in : fans.out);
}
Value kaiming_normal_op(OpCall& call) { return fill_normal(call, 0, kaiming_std(call)); }
Value kaiming_uniform_op(OpCall& call) {
  const double bound = std::sqrt(3.0) * kaiming_std(call);
  return fill_uniform(call, -bound, bound);
}

Value trunc_normal_op(OpCall& call) {
  require_floating(target_of(call).dtype(), "check_uniform_bounds");
  trunc_normal_(target_of(call), call.real("mean"), call.real("std"), call.real("a"), call.real("b"),
                call.interpreter().generator());
  return call.value("tensor");
}

Value orthogonal_op(OpCall& call) {
  Tensor& target = target_of(call);
  require_floating(target.dtype(), "normal_kernel_cpu");
  if (target.dim() < 2)
    throw TensorError("orthogonal.dims", Code::Value, "ValueError",
                      "Only tensors with 2 or more dimensions are supported");
  if (target.numel() > 0) orthogonal_(target, call.real("gain"), call.interpreter().generator());
  return call.value("tensor");
}

Value init_eye(OpCall& call) {
  Tensor& target = target_of(call);
  if (target.dim() != 2)
    throw TensorError("eye.dims", Code::Value, "ValueError", "Only tensors with 2 dimensions are supported");
  assign(target, zeros({}, target.dtype()));
  assign_where(target, eye(target.size(0), target.size(1), DType::Bool), ones(target.shape(), target.dtype()));
  return call.value("tensor");
}

Value gain_op(OpCall& call) {
  const std::string& name = call.value("nonlinearity").as<Str>()->text;
  const double gain = gain_of(name, call.has("param") ? call.real("param") : 0.01);
  return gain == 1 ? Value(std::int64_t{1}) : Value(gain);
}

constexpr const char* kGain = "(tensor: Tensor, gain: float = 1.0)";
constexpr const char* kKaiming =
    "(tensor: Tensor, a: float = 0, mode: str = 'fan_in', nonlinearity: str = 'leaky_relu')";

constexpr OpInfo drawing_row(std::string_view spelling, std::string_view signature, std::string_view doc,
                             std::string_view example, OpFunction function, std::string_view asks) {
  return {spelling, signature, doc, example, function, {.element = kRandom, .flags = kDrawsInPlace, .asks = asks}};
}
constexpr OpInfo filling_row(std::string_view spelling, std::string_view signature, std::string_view doc,
                             std::string_view example, OpFunction function, std::string_view asks) {
  return OpInfo(spelling, signature, doc, example, function,
                {.element = kSource, .flags = kInPlace, .narrow = kMoves, .asks = asks});
}

const OpInfo kInitOps[] = {
    drawing_row("torch.nn.init.normal_ torch.nn.init.normal", "(tensor: Tensor, mean: float = 0.0, std: float = 1.0)",
                "Fills a parameter with normal draws.",
                "torch.manual_seed(0)\nnn.init.normal_(torch.empty(2, 3), std=0.02)", init_normal, "normal_"),
    drawing_row("torch.nn.init.uniform_ torch.nn.init.uniform", "(tensor: Tensor, a: float = 0.0, b: float = 1.0)",
                "Fills a parameter with uniform draws from a to b.",
                "torch.manual_seed(0)\nnn.init.uniform_(torch.empty(2, 3), -1, 1)", init_uniform, "uniform_"),
    OpInfo("torch.nn.init.constant_ torch.nn.init.constant", "(tensor: Tensor, val: Number)",
           "Fills a parameter with one number.", "nn.init.constant_(torch.empty(2), 0.5)", constant_op,
           {.element = kSource, .flags = kInPlace, .asks = "fill_"}),
    filling_row("torch.nn.init.zeros_", "(tensor: Tensor)", "Fills a parameter with zeros.",
                "nn.init.zeros_(torch.empty(2))", init_zeros, "zero_"),
    filling_row("torch.nn.init.ones_", "(tensor: Tensor)", "Fills a parameter with ones.",
                "nn.init.ones_(torch.empty(2))", init_ones, "fill_"),
    OpInfo("torch.nn.init.eye_ torch.nn.init.eye", "(tensor: Tensor)",
           "Fills a parameter with ones on its diagonal, else zeros.", "nn.init.eye_(torch.empty(2, 3))", init_eye,
           "1 if {i0} == {i1} else 0", {.element = kSource, .flags = kInPlace, .narrow = kMoves, .asks = "ndimension"}),
    drawing_row("torch.nn.init.trunc_normal_",
                "(tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0)",
                "Fills a parameter with normal draws, none outside of a to b.",
                "torch.manual_seed(0)\nnn.init.trunc_normal_(torch.empty(2, 3), std=0.02)", trunc_normal_op,
                "uniform_"),
    drawing_row("torch.nn.init.orthogonal_ torch.nn.init.orthogonal", "(tensor: Tensor, gain: Number = 1)",
                "Fills a matrix with rows (or columns, of which there are fewer) at right angles.",
                "torch.manual_seed(0)\nnn.init.orthogonal_(torch.empty(2, 3))", orthogonal_op, "ndimension"),
    OpInfo("torch.nn.init.calculate_gain", "(nonlinearity: str, param: float? = None)",
           "The factor by which initial weights make up for an activation.", "nn.init.calculate_gain('relu')", gain_op,
           {.axes = axis_rule::none, .element = kQuery}),
    drawing_row("torch.nn.init.xavier_uniform_ torch.nn.init.xavier_uniform", kGain,
                "Uniform draws whose variance is 2 / (inputs + outputs).",
                "torch.manual_seed(0)\nnn.init.xavier_uniform_(torch.empty(2, 3))", xavier_uniform_op, "dim"),
    drawing_row("torch.nn.init.xavier_normal_ torch.nn.init.xavier_normal", kGain,
                "Normal draws whose variance is 2 / (inputs + outputs).",
                "torch.manual_seed(0)\nnn.init.xavier_normal_(torch.empty(2, 3))", xavier_normal_op, "dim"),
    drawing_row("torch.nn.init.kaiming_uniform_ torch.nn.init.kaiming_uniform", kKaiming,
                "Uniform draws whose variance is 2 / inputs (for relu).",
                "torch.manual_seed(0)\nnn.init.kaiming_uniform_(torch.empty(2, 3))", kaiming_uniform_op, "shape"),
    drawing_row("torch.nn.init.kaiming_normal_ torch.nn.init.kaiming_normal", kKaiming,
                "Normal draws whose variance is 2 / inputs (for relu).",
                "torch.manual_seed(0)\nnn.init.kaiming_normal_(torch.empty(2, 3), nonlinearity='relu')",
                kaiming_normal_op, "shape"),
};

}  // namespace

std::span<const OpInfo> init_ops() { return kInitOps; }

}  // namespace attn
