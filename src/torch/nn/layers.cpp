// The table of layers, put together from its families.
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

constexpr std::span<const LayerInfo> (*kLayerFamilies[])() = {basic_layers,     activation_layers,  norm_layers,
                                                              attention_layers, transformer_layers, container_layers,
                                                              recurrent_layers, conv_layers,        loss_layers};

}  // namespace

std::span<const LayerInfo> all_layers() {
  static const std::vector<LayerInfo> rows = [] {
    std::vector<LayerInfo> made;
    for (const auto family : kLayerFamilies) {
      const auto more = family();
      made.insert(made.end(), more.begin(), more.end());
    }
    return made;
  }();
  return rows;
}

}  // namespace attn
