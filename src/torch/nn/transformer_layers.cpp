// Rows of layers: nn.TransformerEncoderLayer and nn.TransformerEncoder, made of the other layers.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/object_builtins.h"
#include "tensor/core/read.h"
#include "torch/nn/layer_call.h"
#include "torch/op.h"

namespace attn {
namespace {

Value call_child(Interpreter& interpreter, const Value& child, const CallArguments& outer, const Value& input) {
  return interpreter.call(child, {{input}, {}, {outer.span}, outer.span});
}

Value add_residual(Interpreter& interpreter, const CallArguments& outer, const Value& a, const Value& b) {
  return call_layer_op(interpreter, "torch.add", outer, a, {b});
}

void check_padding(const Value& mask, Span span) {
  const TensorObject* tensor = mask.as<TensorObject>();
  if (!tensor || tensor->tensor.dtype() == DType::Bool || is_floating(tensor->tensor.dtype())) return;
  throw CellError(Code::Assertion, span, "only bool and floating types of key_padding_mask are supported");
}

// ---- one layer ----

Value function_named(const std::string& name, Span span) {
  const OpInfo* op = name == "relu" || name == "gelu" ? find_op("torch.nn.functional." + name) : nullptr;
  if (!op) throw CellError(Code::Shape, span, fmt::format("activation should be relu/gelu, not {}", name));
  return make<Builtin>(name, op);
}

Value activation_argument(const OpCall& call) {
  const Value& given = call.value("activation");
  if (given.as<Str>()) return function_named(given.as<Str>()->text, call.span());
  return given;
}

void construct_encoder_layer(Layer& layer, OpCall& call) {
  require_float32(call);
  Interpreter& in = call.interpreter();
  const Span span = call.span();
  const Value width = call.value("d_model"), inner = call.value("dim_feedforward"), p = call.value("dropout");
  const auto child = [&](std::string_view name, std::string_view kind,
                         std::vector<std::pair<std::string, Value>> settings) {
    layer.add(name, make_layer(in, kind, std::move(settings), span), Role::Child);
  };
  child("self_attn", "MultiheadAttention",
        {{"embed_dim", width},
         {"num_heads", call.value("nhead")},
         {"dropout", p},
         {"batch_first", call.value("batch_first")}});
  child("linear1", "Linear", {{"in_features", width}, {"out_features", inner}});
  child("dropout", "Dropout", {{"p", p}});
  child("linear2", "Linear", {{"in_features", inner}, {"out_features", width}});
  keep(layer, call, {"norm_first"});
  for (const std::string_view name : {"norm1", "norm2"})
    child(name, "LayerNorm", {{"normalized_shape", width}, {"eps", call.value("layer_norm_eps")}});
  for (const std::string_view name : {"dropout1", "dropout2"}) child(name, "Dropout", {{"p", p}});
  layer.set("activation", activation_argument(call));
}

/// The two blocks of a layer, and what they share.
struct Blocks {
  Interpreter& interpreter;
  const Layer& layer;
  const CallArguments& arguments;
  Value mask, padding;

  Value child(std::string_view name, const Value& x) const {
    return call_child(interpreter, setting(layer, name), arguments, x);
  }
  Value attention(const Value& x) const {
    const Span span = arguments.span;
    const Value both =
        interpreter.call(setting(layer, "self_attn"),
                         {{x, x, x},
                          {{"attn_mask", mask}, {"key_padding_mask", padding}, {"need_weights", Value(false)}},
                          std::vector<Span>(6, span),
                          span});
    return child("dropout1", both.as<Tuple>()->items[0]);
  }
  Value feed_forward(const Value& x) const {
    const Value wide = child("dropout", child("activation", child("linear1", x)));
    return child("dropout2", child("linear2", wide));
  }
  Value sum(const Value& a, const Value& b) const { return add_residual(interpreter, arguments, a, b); }
};

Value forward_encoder_layer(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  check_stack();
  const std::vector<Value> given =
      python_arguments("TransformerEncoderLayer.forward",
                       "(src: any, src_mask: any? = None, src_key_padding_mask: any? = None)", arguments);
  check_padding(given[2], arguments.span);
  const Blocks blocks{interpreter, layer, arguments, given[1], given[2]};
  Value x = given[0];
  if (layer.flag("norm_first")) {
    x = blocks.sum(x, blocks.attention(blocks.child("norm1", x)));
    return blocks.sum(x, blocks.feed_forward(blocks.child("norm2", x)));
  }
  x = blocks.child("norm1", blocks.sum(x, blocks.attention(x)));
  return blocks.child("norm2", blocks.sum(x, blocks.feed_forward(x)));
}

// ---- several of them ----

void construct_encoder(Layer& layer, OpCall& call) {
  const Value& model = call.value("encoder_layer");
  if (!model.as<Layer>())
    throw CellError(Code::Type, call.span(), fmt::format("{} is not a Module subclass", torch_type_name(model)));
  std::vector<Value> copies;
  for (std::int64_t i = 0; i < call.integer("num_layers"); ++i) copies.push_back(deep_copy(model));
  layer.add("layers", make_layer(call.interpreter(), "ModuleList", {{"modules", make_list(copies)}}, call.span()),
            Role::Child);
  keep(layer, call, {"num_layers"});
  layer.set("norm", call.value("norm"));
  keep(layer, call, {"enable_nested_tensor", "mask_check"});
}

bool is_relu_or_gelu(const Value& activation) {
  const Builtin* function = activation.as<Builtin>();
  const std::string name = function && function->op ? std::string(function->op->name)
                           : activation.as<Layer>() ? std::string(activation.as<Layer>()->info->name)
                                                    : std::string();
  return name == "relu" || name == "gelu" || name == "ReLU" || name == "GELU";
}

// Whether every row of the mask is False up to some place and True behind it; PyTorch then leaves the padding out.
bool is_left_aligned(const Tensor& mask) {
  const std::vector<double> flat = to_doubles(mask);
  const auto width = static_cast<std::size_t>(mask.size(1));
  for (std::size_t i = 1; i < flat.size(); ++i) {
    if (i % width != 0 && flat[i - 1] != 0 && flat[i] == 0) return false;
  }
  return true;
}

bool wants_grad(const Layer& layer, const Value& input) {
  const auto parameters = parameters_of(layer);
  return input.as<TensorObject>()->requires_grad ||
         std::any_of(parameters.begin(), parameters.end(), [](const auto& item) { return item.second->requires_grad; });
}

// In evaluation without gradients PyTorch computes only what is not padding: the result then has zeros there, and is as
// long as the longest sentence.
bool drops_padding(Interpreter& interpreter, const Layer& layer, const Value& src, const Value& mask,
                   const Value& padding) {
  const auto items = container_items(*setting(layer, "layers").as<Layer>());
  const Layer* first = items.empty() ? nullptr : items[0].as<Layer>();
  const TensorObject *x = src.as<TensorObject>(), *hidden = padding.as<TensorObject>();
  if (!first || first->info->name != "TransformerEncoderLayer" || first->type.object() || !x || !hidden) return false;
  const Layer& attention = *setting(*first, "self_attn").as<Layer>();
  return !first->flag("norm_first") && !first->training && attention.flag("batch_first") &&
         is_relu_or_gelu(setting(*first, "activation")) && x->tensor.dim() == 3 && mask.is_none() &&
         layer.flag("enable_nested_tensor") && attention.integer("num_heads") % 2 == 0 && hidden->tensor.dim() == 2 &&
         (!layer.flag("mask_check") || is_left_aligned(hidden->tensor)) &&
         !(interpreter.grad_enabled() && wants_grad(*first, src));
}

std::int64_t longest(const Tensor& padding) {
  const std::vector<double> flat = to_doubles(padding);
  const auto width = static_cast<std::size_t>(padding.size(1));
  std::size_t out = 0;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    if (flat[i] == 0) out = std::max(out, i % width + 1);
  }
  return static_cast<std::int64_t>(out);
}

Value without_padding(Interpreter& interpreter, const CallArguments& outer, const Value& x, const Value& padding) {
  Value hidden = call_layer_op(interpreter, "torch.unsqueeze", outer, padding, {int_value(-1)});
  if (hidden.as<TensorObject>()->tensor.dtype() != DType::Bool)
    hidden = call_layer_op(interpreter, "torch.ne", outer, hidden, {int_value(0)});
  const Value zeroed = call_layer_op(interpreter, "torch.masked_fill", outer, x, {hidden, Value(0.0)});
  const Value length = int_value(longest(padding.as<TensorObject>()->tensor));
  return call_layer_op(interpreter, "torch.narrow", outer, zeroed, {int_value(1), int_value(0), length});
}

Value forward_encoder(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  check_stack();
  const std::vector<Value> given = python_arguments(
      "TransformerEncoder.forward", "(src: any, mask: any? = None, src_key_padding_mask: any? = None)", arguments);
  check_padding(given[2], arguments.span);
  const bool drops = drops_padding(interpreter, layer, given[0], given[1], given[2]);
  const Span span = arguments.span;
  Value x = given[0];
  for (const Value& each : container_items(*setting(layer, "layers").as<Layer>())) {
    x = interpreter.call(
        each, {{x}, {{"src_mask", given[1]}, {"src_key_padding_mask", given[2]}}, std::vector<Span>(3, span), span});
  }
  if (drops) x = without_padding(interpreter, arguments, x, given[2]);
  const Value norm = setting(layer, "norm");
  return norm.is_none() ? x : call_child(interpreter, norm, arguments, x);
}

constexpr LayerInfo kTransformerLayers[] = {
    {"TransformerEncoderLayer", "torch.nn.modules.transformer.TransformerEncoderLayer",
     "(d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: any = 'relu', "
     "layer_norm_eps: float = 1e-05, batch_first: bool = False, norm_first: bool = False, device: device? = None, "
     "dtype: dtype? = None)",
     "Self-attention and a feed-forward network, each with a residual connection and a LayerNorm.",
     "torch.manual_seed(0)\nblock = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, batch_first=True)\n"
     "block(torch.randn(3, 5, 8))",
     construct_encoder_layer, forward_encoder_layer, no_settings},
    {"TransformerEncoder", "torch.nn.modules.transformer.TransformerEncoder",
     "(encoder_layer: any, num_layers: int, norm: any? = None, enable_nested_tensor: bool = True, mask_check: bool = "
     "True)",
     "Copies of an encoder layer one after another; all start with the same numbers.",
     "torch.manual_seed(0)\nencoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), num_layers=2)\n"
     "encoder(torch.randn(5, 3, 8))",
     construct_encoder, forward_encoder, no_settings},
};

}  // namespace

std::span<const LayerInfo> transformer_layers() { return kTransformerLayers; }

}  // namespace attn
