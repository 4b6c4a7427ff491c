// Rows of layers: nn.Transformer and its parts, whose classes are in src/lib/transformer.py.
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
    {"TransformerDecoderLayer", "torch.nn.modules.transformer.TransformerDecoderLayer",
     "(d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: any = 'relu', "
     "layer_norm_eps: float = 1e-05, batch_first: bool = False, norm_first: bool = False, device: device? = None, "
     "dtype: dtype? = None)",
     "Self-attention, attention to the encoder's result and a feed-forward network, each with a residual connection.",
     "torch.manual_seed(0)\nblock = nn.TransformerDecoderLayer(8, 2, dim_feedforward=16, batch_first=True)\n"
     "block(torch.randn(3, 4, 8), torch.randn(3, 5, 8))",
     nullptr, nullptr, nullptr, "transformer"},
    {"TransformerDecoder", "torch.nn.modules.transformer.TransformerDecoder",
     "(decoder_layer: any, num_layers: int, norm: any? = None)",
     "Copies of a decoder layer one after another; all start with the same numbers.",
     "torch.manual_seed(0)\ndecoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), num_layers=2)\n"
     "decoder(torch.randn(4, 3, 8), torch.randn(5, 3, 8))",
     nullptr, nullptr, nullptr, "transformer"},
    {"Transformer", "torch.nn.modules.transformer.Transformer",
     "(d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6, dim_feedforward: "
     "int = 2048, dropout: float = 0.1, activation: any = 'relu', custom_encoder: any? = None, custom_decoder: any? = "
     "None, layer_norm_eps: float = 1e-05, batch_first: bool = False, norm_first: bool = False, device: device? = "
     "None, dtype: dtype? = None)",
     "An encoder and a decoder that attends to its result.",
     "torch.manual_seed(0)\nmodel = nn.Transformer(8, 2, 1, 1, 16, batch_first=True)\n"
     "model(torch.randn(3, 5, 8), torch.randn(3, 4, 8))",
     nullptr, nullptr, nullptr, "transformer"},
};

}  // namespace

std::span<const LayerInfo> transformer_layers() { return kTransformerLayers; }

}  // namespace attn
