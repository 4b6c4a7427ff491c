// Rows of layers: nn.BatchNorm1d and BatchNorm2d.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "nn/init.h"
#include "tensor/core/read.h"
#include "tensor/ops/create.h"
#include "tensor/ops/pointwise.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

void add_buffer(Layer& layer, std::string_view name, const Tensor& tensor) {
  layer.add(name, tensor.defined() ? make_tensor(tensor) : Value(), Role::Buffer);
}

void construct_batch_norm(Layer& layer, OpCall& call) {
  keep(layer, call, {"num_features", "eps", "momentum", "affine", "track_running_stats"});
  const Shape shape = {call.integer("num_features")};
  const bool is_affine = call.flag("affine"), tracks = call.flag("track_running_stats");
  add_parameter(layer, "weight", is_affine ? ones(shape) : Tensor(), {call.value("num_features")});
  add_parameter(layer, "bias", is_affine ? zeros(shape) : Tensor(), {call.value("num_features")});
  add_buffer(layer, "running_mean", tracks ? zeros(shape) : Tensor());
  add_buffer(layer, "running_var", tracks ? ones(shape) : Tensor());
  add_buffer(layer, "num_batches_tracked", tracks ? Tensor::scalar(std::int64_t{0}) : Tensor());
}

void check_dims(const Layer& layer, const Value& input, Span span) {
  const TensorObject* tensor = input.as<TensorObject>();
  if (!tensor)
    throw CellError(Code::Attribute, span, fmt::format("'{}' object has no attribute 'dim'", type_name(input)));
  const std::int64_t dims = tensor->tensor.dim();
  const bool is_flat = layer.info->name == "BatchNorm1d";
  if (is_flat ? dims == 2 || dims == 3 : dims == 4) return;
  throw CellError(Code::Value, span,
                  fmt::format("expected {} input (got {}D input)", is_flat ? "2D or 3D" : "4D", dims));
}

// Counts the batch; without a momentum the running statistics are plain means over the batches.
Value counted_momentum(Interpreter& interpreter, Layer& layer, Span span) {
  const Value momentum = setting(layer, "momentum");
  const TensorObject* batches = setting(layer, "num_batches_tracked").as<TensorObject>();
  if (!layer.training || !layer.flag("track_running_stats") || !batches) {
    return momentum.is_none() ? Value(0.0) : momentum;
  }
  require_change(interpreter, layer, span);
  Tensor count = batches->tensor;
  const std::int64_t number = to_int(item(count)) + 1;
  assign(count, Tensor::scalar(number));
  return momentum.is_none() ? Value(1.0 / static_cast<double>(number)) : momentum;
}

Value forward_batch_norm(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const Value input = python_arguments("_BatchNorm.forward", "(input: any)", arguments)[0];
  check_dims(layer, input, arguments.span);
  const Value momentum = counted_momentum(interpreter, layer, arguments.span);
  const Value mean = setting(layer, "running_mean"), variance = setting(layer, "running_var");
  const bool reads = !layer.training || layer.flag("track_running_stats");
  const bool is_training = layer.training || (mean.is_none() && variance.is_none());
  return call_layer_op(interpreter, "torch.nn.functional.batch_norm", arguments, input,
                       {reads ? mean : Value(), reads ? variance : Value(), setting(layer, "weight"),
                        setting(layer, "bias"), Value(is_training), momentum, setting(layer, "eps")});
}

std::string batch_norm_settings(const Layer& layer) {
  return fmt::format("{}, eps={}, momentum={}, affine={}, track_running_stats={}", setting_text(layer, "num_features"),
                     setting_text(layer, "eps"), setting_text(layer, "momentum"), setting_text(layer, "affine"),
                     setting_text(layer, "track_running_stats"));
}

constexpr std::string_view kBatchNormSignature =
    "(num_features: int, eps: float = 1e-05, momentum: float? = 0.1, affine: bool = True, track_running_stats: bool = "
    "True, device: device? = None, dtype: dtype? = None)";

constexpr LayerInfo kNormLayers[] = {
    {"BatchNorm1d", "torch.nn.modules.batchnorm.BatchNorm1d", kBatchNormSignature,
     "Each feature shifted and scaled to mean 0 and variance 1 over the batch.",
     "norm = nn.BatchNorm1d(2)\nnorm(torch.arange(6.).view(3, 2))", construct_batch_norm, forward_batch_norm,
     batch_norm_settings},
    {"BatchNorm2d", "torch.nn.modules.batchnorm.BatchNorm2d", kBatchNormSignature,
     "Each channel of images shifted and scaled to mean 0 and variance 1 over the batch.",
     "norm = nn.BatchNorm2d(2)\nnorm(torch.arange(16.).view(2, 2, 2, 2))", construct_batch_norm, forward_batch_norm,
     batch_norm_settings},
};

}  // namespace

std::span<const LayerInfo> norm_layers() { return kNormLayers; }

}  // namespace attn
