// The row of batch normalization: a composite that also moves the running statistics while training. And what it,
// layer_norm and group_norm consist of.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/moments.h"
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

// running = momentum * now + (1 - momentum) * running; of the mean each product is rounded, of the variance one.
void move_running(OpCall& call, std::string_view name, const Tensor& now) {
  if (!call.has(name)) return;
  call.interpreter().require_effects("wrong_cell.write", call.span());
  const Scalar momentum(call.real("momentum"));
  Tensor& running = call.handle(name).tensor;
  const Tensor flat = reshape(now, running.shape()), kept = mul(running, Scalar(1 - call.real("momentum")));
  assign(running, name == "running_mean" ? add(mul(flat, momentum), kept)
                                         : multiply_add(flat, as_tensor(momentum, running.dtype()), kept));
}

void move_statistics(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (!call.has("running_mean") && !call.has("running_var")) return;
  const Moments moments = feature_moments(x);
  const std::int64_t per_feature = x.numel() / std::max<std::int64_t>(x.size(1), 1);
  move_running(call, "running_mean", moments.mean);
  move_running(call, "running_var", div(moments.squares, Scalar(static_cast<double>(per_feature - 1))));
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

Value convert(OpCall& call, const Value& x, DType dtype) {
  if (x.as<TensorObject>()->tensor.dtype() == dtype) return x;
  return call.call(dtype == DType::Float64 ? "Tensor.double" : "Tensor.float", {x});
}

Value inverse_deviation(OpCall& call, const Value& variance) {
  return call.call("torch.rsqrt", {call.call("torch.add", {variance, Value(call.real("eps"))})});
}

// Whether PyTorch takes the input as it lies in memory; of what has gaps it rounds step after step.
bool is_whole(const Tensor& input) { return input.is_contiguous() || has_channels_last(input); }

struct Statistics {
  Value mean, scale;  // scale: 1 / sqrt(variance + eps)
};

Statistics batch_statistics(OpCall& call) {
  const Tensor& input = call.tensor("input");
  std::vector<Value> others = {int_value(0)};
  for (std::int64_t i = 2; i < input.dim(); ++i) others.push_back(int_value(i));
  const Value x = call.value("input"), dims = make_tuple(others);
  Value mean, variance;
  if (is_whole(input)) {
    mean = call.call("op.feature_mean", {x, dims, Value(true)});
    variance = convert(call, call.call("op.feature_var", {x, dims, Value(false), Value(true)}), DType::Float64);
  } else {
    mean = call.call("torch.mean", {x, dims, Value(true)});
    variance = call.call("torch.var", {convert(call, x, DType::Float64), dims, Value(false), Value(true)});
  }
  return {mean, convert(call, inverse_deviation(call, variance), input.dtype())};
}

Value normalize(OpCall& call, const Statistics& statistics) {
  const auto& [mean, scale] = statistics;
  const Value x = call.value("input");
  const bool has_weight = call.has("weight"), has_bias = call.has("bias");
  const Value weight = has_weight ? along_features(call, call.value("weight")) : Value();
  const Value bias = has_bias ? along_features(call, call.value("bias")) : Value();
  if (is_whole(call.tensor("input"))) {
    std::vector<Value> arguments = {x, mean, has_weight ? call.call("torch.mul", {scale, weight}) : scale};
    if (has_bias) arguments.push_back(bias);
    return call.call("op.normalize", arguments);
  }
  Value result = call.call("torch.mul", {call.call("torch.sub", {x, mean}), scale});
  if (has_weight) result = call.call("torch.mul", {result, weight});
  return has_bias ? call.call("torch.add", {result, bias}) : result;
}

Value batch_norm_op(OpCall& call) {
  check_batch_norm(call);
  const Tensor& input = call.tensor("input");
  if (input.numel() == 0) return empty_batch_norm(call);
  const GradientSwitch without(call.interpreter(), false);  // batch_norm__input() of src/lib/backward.py goes back
  Statistics statistics;
  if (call.flag("training")) {
    statistics = batch_statistics(call);
    move_statistics(call);
  } else {
    const Value variance = along_features(call, call.value("running_var"));
    statistics = {along_features(call, call.value("running_mean")), inverse_deviation(call, variance)};
  }
  const Tensor& mean = statistics.mean.as<TensorObject>()->tensor;  // the running one will move on
  call.keep(make_tuple({make_tensor(clone(mean)), statistics.scale}));
  Value result = normalize(call, statistics);
  Tensor& out = result.as<TensorObject>()->tensor;
  if (!has_channels_last(input)) out = contiguous(out);  // as PyTorch's, in whatever order the input lies
  return composite(call, result, gradient_name(call));
}

template <Tensor Moments::*kPart>
Value row_op(OpCall& call) {
  return make_tensor(row_moments(call.tensor("input"), static_cast<std::int64_t>(call.ints("dim").size())).*kPart);
}
template <Tensor Moments::*kPart>
Value feature_op(OpCall& call) {
  return make_tensor(feature_moments(call.tensor("input")).*kPart);
}

template <Tensor (*F)(const Tensor&, const Tensor&)>
Value two_of(OpCall& call) {
  return make_tensor(F(call.inputs()[0]->tensor, call.inputs()[1]->tensor));
}
Value row_sum_op(OpCall& call) { return make_tensor(sum_of_rows(call.tensor("input"))); }

// (x - mean) * scale + bias as x * scale + (bias - mean * scale), each rounded once.
Value normalized_op(OpCall& call) {
  const Tensor &mean = call.tensor("mean"), &scale = call.tensor("scale");
  const Tensor offset = call.has("bias") ? multiply_add(neg(mean), scale, call.tensor("bias")) : neg(mul(mean, scale));
  return make_tensor(multiply_add(call.tensor("input"), scale, offset));
}

constexpr const char* kMean = "(input: Tensor, dim: ints, keepdim: bool)";
constexpr const char* kVariance = "(input: Tensor, dim: ints, unbiased: bool, keepdim: bool)";
constexpr const char* kLayerNorm = "F.layer_norm(torch.arange(6.).view(2, 3), (3,))";
constexpr const char* kBatchNorm = "F.batch_norm(torch.arange(6.).view(3, 2), None, None, training=True)";
constexpr OpFacts kMeanFacts = {
    .name = "mean", .axes = axis_rule::reduce, .element = kReduce, .grad_fn = "MeanBackward1"};
constexpr OpFacts kVarianceFacts = {
    .name = "var", .axes = axis_rule::reduce, .element = kReduce, .grad_fn = "VarBackward0"};

constexpr const char* kStacks = "(input: Tensor, mat2: Tensor)";
constexpr const char* kBmm = "torch.bmm(torch.ones(2, 1, 4), torch.ones(2, 4, 1))";
constexpr OpFacts kBmmFacts = {
    .name = "bmm", .axes = axis_rule::matmul, .element = kContract, .grad_fn = "BmmBackward0"};

const OpInfo kNormOps[] = {
    OpInfo("torch.nn.functional.batch_norm",
           "(input: Tensor, running_mean: Tensor?, running_var: Tensor?, weight: Tensor? = None, bias: Tensor? = None, "
           "training: bool = False, momentum: float = 0.1, eps: float = 1e-05)",
           "Each feature shifted and scaled to mean 0 and variance 1 over the batch.",
           "F.batch_norm(torch.arange(6.).view(3, 2), None, None, training=True)", batch_norm_op,
           {.axes = axis_rule::same, .element = kComposite, .grad_fn = "NativeBatchNormBackward0"}),
    OpInfo("op.row_mean", kMean, "The mean of each row, in layer_norm's order.", kLayerNorm, row_op<&Moments::mean>,
           "($+ {e}$) / {n}", kMeanFacts),
    OpInfo("op.row_var", kVariance, "The variance of each row, in layer_norm's order.", kLayerNorm,
           row_op<&Moments::variance>, ATTN_VARIANCE, kVarianceFacts),
    OpInfo("op.feature_mean", kMean, "The mean of each feature, in batch_norm's order.", kBatchNorm,
           feature_op<&Moments::mean>, "($+ {e}$) / {n}", kMeanFacts),
    OpInfo("op.feature_var", kVariance, "The variance of each feature, in batch_norm's order.", kBatchNorm,
           feature_op<&Moments::variance>, ATTN_VARIANCE, kVarianceFacts),
    OpInfo("op.row_bmm", kStacks, "The products of rows, in the order of layer_norm's way back.", kBmm,
           two_of<row_products>, kBmmFacts),
    OpInfo("op.column_bmm", kStacks, "The products of columns, in the order of layer_norm's way back.", kBmm,
           two_of<column_products>, kBmmFacts),
    OpInfo("op.row_sum", "(input: Tensor, dim: ints, keepdim: bool = False)",
           "The sum over the first axis, in the order of layer_norm's way back.", "torch.ones(2, 3).sum(0)", row_sum_op,
           "$+ {e}$", {.name = "sum", .axes = axis_rule::reduce, .element = kReduce, .grad_fn = "SumBackward1"}),
    OpInfo("op.normalize", "(input: Tensor, mean: Tensor, scale: Tensor, bias: Tensor? = None)",
           "(input - mean) * scale + bias, rounded as the norm layers round it.",
           "F.layer_norm(torch.arange(6.).view(2, 3), (3,))", normalized_op,
           "bias!: ({input} - {mean}) * {scale} + {bias} || ({input} - {mean}) * {scale}", {.grad_fn = "MulBackward0"}),
};

}  // namespace

std::span<const OpInfo> norm_ops() { return kNormOps; }

}  // namespace attn
