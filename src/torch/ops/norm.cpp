// The row of batch normalization: a composite that also moves the running statistics while training.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/operand_checks.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

void check_features(const OpCall& call, std::string_view name) {
  if (!call.has(name)) return;
  const std::int64_t features = call.tensor("input").dim() > 1 ? call.tensor("input").size(1) : 0;
  if (call.tensor(name).numel() == features) return;
  throw TensorError("batch_norm.features", Code::Shape, "RuntimeError",
                    fmt::format("{} should contain {} elements not {}", name, features, call.tensor(name).numel()),
                    {{"input", features}, {std::string(name), call.tensor(name).numel()}});
}

void check_values_per_channel(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (!call.flag("training")) return;
  std::int64_t values = 1;  // of each feature
  for (std::int64_t axis = 0; axis < x.dim(); ++axis)
    if (axis != 1) values *= x.size(axis);
  if (values != 1) return;
  throw TensorError("batch_norm.batch", Code::Value, "ValueError",
                    "Expected more than 1 value per channel when training, got input size " + size_text(x.shape()));
}

// (C) as (1, C, 1, 1), next to an input of that many axes
Value along_features(OpCall& call, const Value& features) {
  Shape shape(static_cast<std::size_t>(call.tensor("input").dim()), 1);
  shape[1] = call.tensor("input").size(1);
  return call.call("torch.reshape", {features, make_size(shape)});
}

// running = momentum * now + (1 - momentum) * running
void move_running(OpCall& call, std::string_view name, const Tensor& now) {
  if (!call.has(name)) return;
  call.interpreter().require_effects("wrong_cell.write", call.span());
  const double momentum = call.real("momentum");
  Tensor& running = call.handle(name).tensor;
  const Tensor flat = reshape(now, running.shape());
  assign(running, add(mul(flat, Scalar(momentum)), mul(running, Scalar(1 - momentum))));
}

void check_batch_norm(OpCall& call) {
  const Tensor& input = call.tensor("input");
  if (input.dim() == 0 && call.flag("training"))
    throw TensorError("batch_norm.dims", Code::Index, "IndexError", "tuple index out of range");
  check_values_per_channel(call);
  if (input.numel() == 0) return;
  for (const std::string_view name : {"running_mean", "running_var", "weight", "bias"}) {
    const bool is_needed = name.starts_with("running") && !call.flag("training");
    if (is_needed && !call.has(name))
      throw TensorError("batch_norm.features", Code::Value, "RuntimeError",
                        fmt::format("{} must be defined in evaluation mode", name));
    check_features(call, name);
  }
  for (const char* name : {"running_mean", "running_var"}) require_no_gradient(call, name, "native_batch_norm");
  require_floating(input.dtype(), "batch_norm");
  if (input.dim() < 2) {
    throw TensorError("batch_norm.dims", Code::Index, "IndexError",
                      "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
  }
  for (const std::string_view name : {"running_mean", "running_var", "weight", "bias"}) {
    if (!call.has(name) || call.tensor(name).dtype() == input.dtype()) continue;
    throw TensorError("batch_norm.dtype", Code::Type, "RuntimeError",
                      "mixed dtype (CPU): expect parameter to have scalar type of " + scalar_type_name(input.dtype()));
  }
  for (const char* name : {"running_mean", "running_var"}) {
    if (!call.has(name) || call.tensor(name).dim() == 1) continue;
    throw TensorError("batch_norm.features", Code::Shape, "RuntimeError",
                      fmt::format("TensorAccessor expected 1 dims but tensor has {}", call.tensor(name).dim()));
  }
}

// Of an input without elements PyTorch does the multiplication and the addition alone.
std::string_view gradient_name(const OpCall& call) {
  if (call.tensor("input").numel() > 0) return "NativeBatchNormBackward0";
  return call.has("bias") ? "AddBackward0" : call.has("weight") ? "MulBackward0" : "CloneBackward0";
}

Value empty_batch_norm(OpCall& call) {
  Value result = call.call("torch.clone", {call.value("input")});
  const auto first = [&](const char* name) {
    return call.call("torch.select", {call.value(name), int_value(0), int_value(0)});
  };
  if (call.has("weight")) result = call.call("torch.mul", {result, first("weight")});
  if (call.has("bias")) result = call.call("torch.add", {result, first("bias")});
  return composite(call, result, gradient_name(call));
}

Value batch_norm_op(OpCall& call) {
  check_batch_norm(call);
  const Tensor& input = call.tensor("input");
  if (input.numel() == 0) return empty_batch_norm(call);
  Value x = call.value("input"), mean, variance;
  if (call.flag("training")) {
    std::vector<Value> others = {int_value(0)};
    for (std::int64_t i = 2; i < input.dim(); ++i) others.push_back(int_value(i));
    const Value dims = make_tuple(others);
    mean = call.call("op.double_mean", {x, dims, Value(true)});
    variance = call.call("torch.var", {x, dims, Value(false), Value(true)});
    const std::int64_t per_channel = input.numel() / std::max<std::int64_t>(input.size(1), 1);
    const auto count = static_cast<double>(per_channel);
    move_running(call, "running_mean", mean.as<TensorObject>()->tensor);
    move_running(call, "running_var", mul(variance.as<TensorObject>()->tensor, Scalar(count / (count - 1))));
  } else {
    mean = along_features(call, call.value("running_mean"));
    variance = along_features(call, call.value("running_var"));
  }
  const Value scale = call.call("torch.rsqrt", {call.call("torch.add", {variance, Value(call.real("eps"))})});
  Value result = call.call("torch.mul", {call.call("torch.sub", {x, mean}), scale});
  if (call.has("weight")) result = call.call("torch.mul", {result, along_features(call, call.value("weight"))});
  if (call.has("bias")) result = call.call("torch.add", {result, along_features(call, call.value("bias"))});
  Tensor& out = result.as<TensorObject>()->tensor;
  if (!has_channels_last(input)) out = contiguous(out);  // as PyTorch's, in whatever order the input lies
  return composite(call, result, gradient_name(call));
}

const OpInfo kNormOps[] = {
    OpInfo("torch.nn.functional.batch_norm",
           "(input: Tensor, running_mean: Tensor?, running_var: Tensor?, weight: Tensor? = None, bias: Tensor? = None, "
           "training: bool = False, momentum: float = 0.1, eps: float = 1e-05)",
           "Each feature shifted and scaled to mean 0 and variance 1 over the batch.",
           "F.batch_norm(torch.arange(6.).view(3, 2), None, None, training=True)", batch_norm_op,
           {.axes = axis_rule::same, .element = kComposite, .grad_fn = "NativeBatchNormBackward0"}),
};

}  // namespace

std::span<const OpInfo> norm_ops() { return kNormOps; }

}  // namespace attn
