// Rows of layers: nn.BatchNorm1d and BatchNorm2d; src/lib/layers.py calls the op.
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
     "norm = nn.BatchNorm1d(2)\nnorm(torch.arange(6.).view(3, 2))", construct_batch_norm, nullptr, batch_norm_settings,
     "layers"},
    {"BatchNorm2d", "torch.nn.modules.batchnorm.BatchNorm2d", kBatchNormSignature,
     "Each channel of images shifted and scaled to mean 0 and variance 1 over the batch.",
     "norm = nn.BatchNorm2d(2)\nnorm(torch.arange(16.).view(2, 2, 2, 2))", construct_batch_norm, nullptr,
     batch_norm_settings, "layers"},
};

}  // namespace

std::span<const LayerInfo> norm_layers() { return kNormLayers; }

}  // namespace attn
