// Rows of layers: linear maps, tables, dropout, reshaping, and the base of all.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/number.h"
#include "nn/init.h"
#include "text/say.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

// ---- Linear ----

void construct_linear(Layer& layer, OpCall& call) {
  call.interpreter().require_effects("wrong_cell.draw", call.span());
  keep(layer, call, {"in_features", "out_features"});
  const Value in = call.value("in_features"), out = call.value("out_features");
  const LinearParameters made = init_linear(call.integer("in_features"), call.integer("out_features"),
                                            call.flag("bias"), call.interpreter().generator());
  add_parameter(layer, "weight", made.weight, {out, in});
  add_parameter(layer, "bias", made.bias, {out});
}

Value forward_linear(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  return call_layer_op(interpreter, "torch.nn.functional.linear", arguments, only_input(layer, arguments),
                       {setting(layer, "weight"), setting(layer, "bias")});
}

std::string linear_settings(const Layer& layer) {
  return fmt::format("in_features={}, out_features={}, bias={}", setting_text(layer, "in_features"),
                     setting_text(layer, "out_features"), setting(layer, "bias").is_none() ? "False" : "True");
}

// ---- Embedding ----

EmbeddingParameters embedding_table(OpCall& call, std::optional<std::int64_t> padding) {
  if (const TensorObject* given = call.value("_weight").as<TensorObject>()) return {given->tensor};
  call.interpreter().require_effects("wrong_cell.draw", call.span());
  return init_embedding(call.integer("num_embeddings"), call.integer("embedding_dim"), padding,
                        call.interpreter().generator());
}

void construct_embedding(Layer& layer, OpCall& call) {
  const std::int64_t rows = call.integer("num_embeddings");
  const auto padding = call.optional_integer("padding_idx");
  const EmbeddingParameters made = embedding_table(call, padding);
  keep(layer, call, {"num_embeddings", "embedding_dim", "padding_idx"});
  if (padding && *padding < 0) layer.set("padding_idx", Value(rows + *padding));
  keep(layer, call, {"max_norm", "norm_type", "scale_grad_by_freq", "sparse"});
  add_parameter(layer, "weight", made.weight, {call.value("num_embeddings"), call.value("embedding_dim")});
}

Value forward_embedding(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  return call_layer_op(interpreter, "torch.nn.functional.embedding", arguments, only_input(layer, arguments),
                       {setting(layer, "weight")},
                       {{"padding_idx", setting(layer, "padding_idx")},
                        {"max_norm", setting(layer, "max_norm")},
                        {"norm_type", setting(layer, "norm_type")}});
}

std::string embedding_settings(const Layer& layer) {
  std::string out = setting_text(layer, "num_embeddings") + ", " + setting_text(layer, "embedding_dim");
  if (!setting(layer, "padding_idx").is_none()) out += ", padding_idx=" + setting_text(layer, "padding_idx");
  if (!setting(layer, "max_norm").is_none()) out += ", max_norm=" + setting_text(layer, "max_norm");
  if (setting_text(layer, "norm_type") != "2.0") out += ", norm_type=" + setting_text(layer, "norm_type");
  if (layer.flag("scale_grad_by_freq")) out += ", scale_grad_by_freq=True";
  if (layer.flag("sparse")) out += ", sparse=True";
  return out;
}

// ---- LayerNorm ----

void construct_layer_norm(Layer& layer, OpCall& call) {
  const std::vector<Value> sizes = call.int_values("normalized_shape");
  layer.add("normalized_shape", make_tuple(sizes), Role::Setting);
  keep(layer, call, {"eps", "elementwise_affine"});
  const LayerNormParameters made =
      call.flag("elementwise_affine") ? init_layer_norm(call.ints("normalized_shape")) : LayerNormParameters{};
  add_parameter(layer, "weight", made.weight, sizes);
  add_parameter(layer, "bias", made.bias, sizes);
}

Value forward_layer_norm(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  return call_layer_op(interpreter, "torch.nn.functional.layer_norm", arguments, only_input(layer, arguments),
                       {setting(layer, "normalized_shape"), setting(layer, "weight"), setting(layer, "bias")},
                       {{"eps", setting(layer, "eps")}});
}

std::string layer_norm_settings(const Layer& layer) {
  return fmt::format("{}, eps={}, elementwise_affine={}", setting_text(layer, "normalized_shape"),
                     setting_text(layer, "eps"), setting_text(layer, "elementwise_affine"));
}

// ---- Dropout, Softmax, ReLU ----

void construct_dropout(Layer& layer, OpCall& call) {
  const double p = call.real("p");
  if (!(p >= 0 && p <= 1)) {
    throw CellError(Code::Value, call.span(),
                    "dropout probability has to be between 0 and 1, but got " + repr(call.value("p")));
  }
  refuse_in_place(call);
  keep(layer, call, {"p", "inplace"});
}

Value forward_dropout(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  return call_layer_op(interpreter, "torch.nn.functional.dropout", arguments, only_input(layer, arguments), {},
                       {{"p", setting(layer, "p")}, {"training", Value(layer.training)}});
}

std::string dropout_settings(const Layer& layer) {
  return fmt::format("p={}, inplace={}", setting_text(layer, "p"), setting_text(layer, "inplace"));
}

// ---- Flatten, Unflatten ----

void construct_flatten(Layer& layer, OpCall& call) { keep(layer, call, {"start_dim", "end_dim"}); }

Value forward_flatten(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  return call_layer_op(interpreter, "torch.flatten", arguments, only_input(layer, arguments),
                       {setting(layer, "start_dim"), setting(layer, "end_dim")});
}

std::string flatten_settings(const Layer& layer) {
  return fmt::format("start_dim={}, end_dim={}", setting_text(layer, "start_dim"), setting_text(layer, "end_dim"));
}

std::string unflatten_settings(const Layer& layer) {
  return fmt::format("dim={}, unflattened_size={}", setting_text(layer, "dim"),
                     setting_text(layer, "unflattened_size"));
}

// ---- Module, Identity ----

Value forward_identity(Interpreter&, Layer& layer, CallArguments& arguments) { return only_input(layer, arguments); }

constexpr LayerInfo kBasicLayers[] = {
    {"Module", "torch.nn.modules.module.Module", "()",
     "The base class for your own layers: derive from it and write a forward.", "nn.Module()", construct_plain,
     forward_missing, no_settings},
    {"Linear", "torch.nn.modules.linear.Linear",
     "(in_features: int, out_features: int, bias: bool = True, device: device? = None, dtype: dtype? = None)",
     "A learned linear map of the last axis: x @ weight.T + bias.",
     "torch.manual_seed(0)\nproject = nn.Linear(4, 2)\nproject(torch.ones(3, 4))", construct_linear, forward_linear,
     linear_settings},
    {"NonDynamicallyQuantizableLinear", "torch.nn.modules.linear.NonDynamicallyQuantizableLinear",
     "(in_features: int, out_features: int, bias: bool = True, device: device? = None, dtype: dtype? = None)",
     "nn.Linear under the name that it has inside of nn.MultiheadAttention.",
     "torch.manual_seed(0)\nnn.MultiheadAttention(4, 2).out_proj(torch.ones(3, 4))", construct_linear, forward_linear,
     linear_settings},
    {"Identity", "torch.nn.modules.linear.Identity", "(*args: any)", "Gives back its input.",
     "nn.Identity()(torch.tensor([1., 2.]))", construct_plain, forward_identity, no_settings},
    {"Embedding", "torch.nn.modules.sparse.Embedding",
     "(num_embeddings: int, embedding_dim: int, padding_idx: int? = None, max_norm: float? = None, norm_type: float = "
     "2.0, scale_grad_by_freq: bool = False, sparse: bool = False, _weight: any? = None, device: device? = None, "
     "dtype: dtype? = None)",
     "A table with one learned vector per id.",
     "torch.manual_seed(0)\nembed = nn.Embedding(10, 3, padding_idx=0)\nembed(torch.tensor([[1, 2, 0]]))",
     construct_embedding, forward_embedding, embedding_settings},
    {"EmbeddingBag", "torch.nn.modules.sparse.EmbeddingBag",
     "(num_embeddings: int, embedding_dim: int, max_norm: float? = None, norm_type: float = 2.0, scale_grad_by_freq: "
     "bool = False, mode: str = 'mean', sparse: bool = False, _weight: any? = None, include_last_offset: bool = False, "
     "padding_idx: int? = None, device: device? = None, dtype: dtype? = None)",
     "A table of learned vectors that gives the mean, sum or maximum of those of several ids.",
     "torch.manual_seed(0)\nbags = nn.EmbeddingBag(10, 3)\nbags(torch.tensor([[1, 2], [4, 4]]))", nullptr, nullptr,
     nullptr, "bags"},
    {"LayerNorm", "torch.nn.modules.normalization.LayerNorm",
     "(normalized_shape: ints, eps: float = 1e-05, elementwise_affine: bool = True, device: device? = None, dtype: "
     "dtype? = None)",
     "Shifts and scales the last axes to mean 0 and variance 1, then by weight and bias.",
     "norm = nn.LayerNorm(4)\nnorm(torch.arange(8.).view(2, 4))", construct_layer_norm, forward_layer_norm,
     layer_norm_settings},
    {"Dropout", "torch.nn.modules.dropout.Dropout", "(p: float = 0.5, inplace: bool = False)",
     "While training, sets each element to zero with probability p and scales the others up.",
     "torch.manual_seed(0)\ndrop = nn.Dropout(0.5)\ndrop(torch.ones(2, 4))", construct_dropout, forward_dropout,
     dropout_settings},
    {"Flatten", "torch.nn.modules.flatten.Flatten", "(start_dim: int = 1, end_dim: int = -1)",
     "Several axes made one, without the first.", "nn.Flatten()(torch.zeros(2, 3, 4))", construct_flatten,
     forward_flatten, flatten_settings},
    {"Unfold", "torch.nn.modules.fold.Unfold",
     "(kernel_size: any, dilation: any = 1, padding: any = 0, stride: any = 1)", "Windows of images as columns.",
     "nn.Unfold(2, stride=2)(torch.arange(16.).view(1, 1, 4, 4))", nullptr, nullptr, nullptr, "layers"},
    {"Fold", "torch.nn.modules.fold.Fold",
     "(output_size: any, kernel_size: any, dilation: any = 1, padding: any = 0, stride: any = 1)",
     "Columns put back as windows of images, added where they overlap.",
     "nn.Fold((4, 4), 2, stride=2)(torch.ones(1, 4, 4))", nullptr, nullptr, nullptr, "layers"},
    {"Unflatten", "torch.nn.modules.flatten.Unflatten", "(dim: int, unflattened_size: any)", "One axis made several.",
     "nn.Unflatten(1, (2, 3))(torch.zeros(4, 6))", nullptr, nullptr, unflatten_settings, "layers"},
};

}  // namespace

std::span<const LayerInfo> basic_layers() { return kBasicLayers; }

}  // namespace attn
