// The row of nn.MultiheadAttention: its parameters, and what calling it hands to the op.
#include "base/diagnostic.h"
#include "nn/init.h"
#include "torch/nn/attention_op.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

constexpr std::string_view kAttentionSignature =
    "(embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, add_bias_kv: bool = False, "
    "add_zero_attn: bool = False, kdim: int? = None, vdim: int? = None, batch_first: bool = False, device: device? = "
    "None, dtype: dtype? = None)";

constexpr std::string_view kForward =
    "(query: any, key: any, value: any, key_padding_mask: any? = None, need_weights: any = True, attn_mask: any? = "
    "None, average_attn_weights: any = True)";

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
  require_float32(call);
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
  require_assertion(width / heads * heads == width, call.span(), "embed_dim must be divisible by num_heads");
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

void check_padding_type(const Value& mask, Span span) {
  if (mask.is_none()) return;
  const DType dtype = tensor_argument(mask, span).tensor.dtype();
  require_assertion(dtype == DType::Bool || is_floating(dtype), span,
                    "only bool and floating types of key_padding_mask are supported");
}

// query, key and value with the batch second; what was one tensor stays one.
std::vector<Value> batch_second(Interpreter& interpreter, const CallArguments& arguments, std::vector<Value> inputs) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool is_last = i > 0 && inputs[i].object() == inputs[i - 1].object();
    out.push_back(
        is_last ? out.back()
                : call_layer_op(interpreter, "torch.transpose", arguments, inputs[i], {int_value(1), int_value(0)}));
  }
  return out;
}

std::vector<Value> projections(const Layer& layer) {
  if (layer.flag("_qkv_same_embed_dim")) return {setting(layer, "in_proj_weight")};
  return {setting(layer, "q_proj_weight"), setting(layer, "k_proj_weight"), setting(layer, "v_proj_weight")};
}

Value forward_attention(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const std::vector<Value> given = python_arguments("MultiheadAttention.forward", kForward, arguments);
  const bool is_batched = tensor_argument(given[0], arguments.span).tensor.dim() == 3;
  check_padding_type(given[3], arguments.span);
  const bool moves = layer.flag("batch_first") && is_batched;
  std::vector<Value> inputs = {given[0], given[1], given[2]};
  if (moves) inputs = batch_second(interpreter, arguments, inputs);
  const Layer& out_proj = *setting(layer, "out_proj").as<Layer>();
  CallArguments call{{inputs[0], inputs[1], inputs[2], setting(layer, "embed_dim"), setting(layer, "num_heads"),
                      make_list(projections(layer)), setting(layer, "in_proj_bias"), setting(layer, "bias_k"),
                      setting(layer, "bias_v"), setting(layer, "add_zero_attn"),
                      layer.training ? setting(layer, "dropout") : Value(0.0), setting(out_proj, "weight"),
                      setting(out_proj, "bias"), given[3], Value(truthy(given[4])), given[5], Value(truthy(given[6]))},
                     {},
                     {},
                     arguments.span};
  const std::vector<Value> results = interpreter.call_op(attention_op(), call).as<Tuple>()->items;
  if (!moves) return make_tuple(results);
  return make_tuple(
      {call_layer_op(interpreter, "torch.transpose", arguments, results[0], {int_value(1), int_value(0)}), results[1]});
}

constexpr LayerInfo kAttentionLayers[] = {
    {"MultiheadAttention", "torch.nn.modules.activation.MultiheadAttention", kAttentionSignature,
     "Attention of several heads between queries, keys and values, with its linear maps; gives the result and the "
     "weights.",
     "torch.manual_seed(0)\nattend = nn.MultiheadAttention(8, 2, batch_first=True)\nx = torch.randn(3, 5, 8)\n"
     "output, weights = attend(x, x, x)",
     construct_attention, forward_attention, no_settings},
};

}  // namespace

std::span<const LayerInfo> attention_layers() { return kAttentionLayers; }

}  // namespace attn
