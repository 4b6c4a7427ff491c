// The rows of nn.MultiheadAttention and of the op that it calls; both run in src/lib/attention.py. The layer is made
// here.
#include "base/diagnostic.h"
#include "nn/init.h"
#include "text/say.h"
#include "torch/axis_names.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

constexpr std::string_view kAttentionSignature =
    "(embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, add_bias_kv: bool = False, "
    "add_zero_attn: bool = False, kdim: int? = None, vdim: int? = None, batch_first: bool = False, device: device? = "
    "None, dtype: dtype? = None)";

void add_projections(Layer& layer, OpCall& call, bool is_packed) {
  const std::int64_t width = call.integer("embed_dim");
  const auto none = [&](std::string_view name) { layer.add(name, Value(), Role::Parameter); };
  const auto empty = [&](std::string_view name, const Shape& shape, const std::vector<Value>& sizes) {
    add_parameter(layer, std::string(name), Tensor::empty(shape, DType::Float32), sizes);
  };
  const Value& embed = call.value("embed_dim");
  if (is_packed) {
    empty("in_proj_weight", {3 * width, width}, {Value(), embed});
    for (const std::string_view name : {"q_proj_weight", "k_proj_weight", "v_proj_weight"}) none(name);
  } else {
    empty("q_proj_weight", {width, width}, {embed, embed});
    empty("k_proj_weight", {width, layer.integer("kdim")}, {embed, call.value("kdim")});
    empty("v_proj_weight", {width, layer.integer("vdim")}, {embed, call.value("vdim")});
    none("in_proj_weight");
  }
  if (call.flag("bias")) empty("in_proj_bias", {3 * width}, {Value()});
  else none("in_proj_bias");
}

void add_bias_rows(Layer& layer, OpCall& call) {
  const std::int64_t width = call.integer("embed_dim");
  for (const std::string_view name : {"bias_k", "bias_v"}) {
    if (call.flag("add_bias_kv")) {
      add_parameter(layer, std::string(name), Tensor::empty({1, 1, width}, DType::Float32),
                    {Value(), Value(), call.value("embed_dim")});
    } else {
      layer.add(name, Value(), Role::Setting);
    }
  }
}

// out_proj has been drawn by then; PyTorch's order.
void reset_attention(Layer& layer, OpCall& call) {
  const auto init = [&](std::string_view op, std::string_view name) {
    const Value& value = *layer.find(name);
    if (value.is_none()) return;
    Tensor& tensor = value.as<TensorObject>()->tensor;
    Generator& generator = call.interpreter().generator();
    if (op == "uniform") xavier_uniform_(tensor, generator);
    if (op == "normal") xavier_normal_(tensor, generator);
    if (op == "zeros") fill_zeros(tensor);
  };
  for (const std::string_view name : {"in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"})
    init("uniform", name);
  init("zeros", "in_proj_bias");
  const Value& bias = *layer.find("out_proj")->as<Layer>()->find("bias");
  if (!bias.is_none()) fill_zeros(bias.as<TensorObject>()->tensor);
  if (call.flag("add_bias_kv")) init("normal", "bias_k"), init("normal", "bias_v");
}

void construct_attention(Layer& layer, OpCall& call) {
  call.interpreter().require_effects("wrong_cell.draw", call.span());
  const std::int64_t width = call.integer("embed_dim"), heads = call.integer("num_heads");
  if (heads == 0) throw CellError(Code::ZeroDivision, call.span(), "integer division or modulo by zero");
  keep(layer, call, {"embed_dim"});
  layer.add("kdim", call.has("kdim") ? call.value("kdim") : call.value("embed_dim"), Role::Setting);
  layer.add("vdim", call.has("vdim") ? call.value("vdim") : call.value("embed_dim"), Role::Setting);
  const bool is_packed = layer.integer("kdim") == width && layer.integer("vdim") == width;
  layer.add("_qkv_same_embed_dim", Value(is_packed), Role::Setting);
  keep(layer, call, {"num_heads", "dropout", "batch_first"});
  layer.add("head_dim", Value(width / heads), Role::Setting);
  if (width / heads * heads != width)
    throw CellError(Code::Assertion, call.span(), "embed_dim must be divisible by num_heads",
                    say("mistake.heads", {{"embed_dim", std::to_string(width)}, {"num_heads", std::to_string(heads)}}));
  add_projections(layer, call, is_packed);
  layer.add("out_proj",
            make_layer(call.interpreter(), "NonDynamicallyQuantizableLinear",
                       {{"in_features", call.value("embed_dim")},
                        {"out_features", call.value("embed_dim")},
                        {"bias", call.value("bias")}},
                       call.span()),
            Role::Child);
  add_bias_rows(layer, call);
  keep(layer, call, {"add_zero_attn"});
  reset_attention(layer, call);
}

// ---- the op ----

constexpr char kAttentionFile[] = "attention";

/// output: the axes of the query; weights: (batch, query, key), with the heads second where they are not averaged.
Axes multi_head_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  const Axes &query = call.handle("query").axes, &key = call.handle("key").axes;
  if (number == 0) return fitted(query, output);
  Axes axes = query.size() == 3 ? Axes{query[1]} : Axes{};
  if (!call.flag("average_attn_weights")) axes.push_back({"head", {}, {}});
  axes.push_back(query[0]);
  axes.push_back(key[0]);
  for (Axis& axis : axes) axis = without_words(axis);
  return fitted(axes, output);
}

constexpr OpInfo kMultiHeadOps[] = {
    OpInfo("",
           "(query: Tensor, key: Tensor, value: Tensor, embed_dim: int, num_heads: int, in_proj: Tensors, "
           "in_proj_bias: Tensor?, bias_k: Tensor?, bias_v: Tensor?, add_zero_attn: bool, dropout: float, "
           "out_proj_weight: Tensor, out_proj_bias: Tensor?, key_padding_mask: Tensor?, need_weights: "
           "bool, attn_mask: Tensor?, average_attn_weights: bool)",
           "Attention of several heads, with its linear maps.", "", library_op<kAttentionFile>,
           {.name = "multi_head_attention", .axes = multi_head_axes, .element = ElementRule::Composite}),
};

constexpr LayerInfo kAttentionLayers[] = {
    {"MultiheadAttention", "torch.nn.modules.activation.MultiheadAttention", kAttentionSignature,
     "Attention of several heads between queries, keys and values, with its linear maps; gives the result and the "
     "weights.",
     "torch.manual_seed(0)\nattend = nn.MultiheadAttention(8, 2, batch_first=True)\nx = torch.randn(3, 5, 8)\n"
     "output, weights = attend(x, x, x)",
     construct_attention, nullptr, no_settings, kAttentionFile},
};

}  // namespace

std::span<const OpInfo> multi_head_ops() { return kMultiHeadOps; }
std::span<const LayerInfo> attention_layers() { return kAttentionLayers; }

}  // namespace attn
