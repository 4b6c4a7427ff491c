// Rows of layers: nn.TransformerEncoderLayer and nn.TransformerEncoder, whose classes are in src/lib/transformer.py.
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

constexpr LayerInfo kTransformerLayers[] = {
    {"TransformerEncoderLayer", "torch.nn.modules.transformer.TransformerEncoderLayer",
     "(d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: any = 'relu', "
     "layer_norm_eps: float = 1e-05, batch_first: bool = False, norm_first: bool = False, device: device? = None, "
     "dtype: dtype? = None)",
     "Self-attention and a feed-forward network, each with a residual connection and a LayerNorm.",
     "torch.manual_seed(0)\nblock = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, batch_first=True)\n"
     "block(torch.randn(3, 5, 8))",
     nullptr, nullptr, nullptr, "transformer"},
    {"TransformerEncoder", "torch.nn.modules.transformer.TransformerEncoder",
     "(encoder_layer: any, num_layers: int, norm: any? = None, enable_nested_tensor: bool = True, mask_check: bool = "
     "True)",
     "Copies of an encoder layer one after another; all start with the same numbers.",
     "torch.manual_seed(0)\nencoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), num_layers=2)\n"
     "encoder(torch.randn(5, 3, 8))",
     nullptr, nullptr, nullptr, "transformer"},
};

}  // namespace

std::span<const LayerInfo> transformer_layers() { return kTransformerLayers; }

}  // namespace attn
