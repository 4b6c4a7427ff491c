// The table of layers: what each is made of, what calling it does, and how it prints.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/number.h"
#include "lang/layer_call.h"
#include "nn/init.h"

namespace attn {
namespace {

using Arguments = CallArguments;

Value only_input(const Layer& layer, const Arguments& arguments) {
  return python_arguments(std::string(layer.info->name) + ".forward", "(input: any)", arguments)[0];
}

const Value& setting(const Layer& layer, std::string_view name) {
  const Value* value = layer.find(name);
  if (!value)
    throw CellError(Code::Attribute, {}, fmt::format("'{}' object has no attribute '{}'", layer.info->name, name));
  return *value;
}

std::string setting_text(const Layer& layer, std::string_view name) { return repr(setting(layer, name)); }

/// Puts bound arguments under their own names.
void keep(Layer& layer, const OpCall& call, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) layer.attributes.emplace_back(name, call.value(name));
}

void refuse_in_place(OpCall& call) {
  if (!call.flag("inplace")) return;
  throw CellError(Code::Unsupported, call.span(), fmt::format("nn.{}(inplace=True)", call.info().name),
                  "leave inplace out; the numbers are the same");
}

std::string no_settings(const Layer&) { return {}; }
void construct_plain(Layer&, OpCall&) {}

/// Layers that are one op of their input.
constexpr char kTanh[] = "torch.tanh", kSigmoid[] = "torch.sigmoid", kRelu[] = "torch.nn.functional.relu";

template <const char* Op>
Value forward_unary(Interpreter& interpreter, Layer& layer, Arguments& arguments) {
  return call_layer_op(interpreter, Op, arguments, only_input(layer, arguments), {});
}

// ---- Linear ----

void construct_linear(Layer& layer, OpCall& call) {
  require_float32(call);
  call.interpreter().require_effects("draw random numbers", call.span());
  keep(layer, call, {"in_features", "out_features"});
  const Value in = call.value("in_features"), out = call.value("out_features");
  const LinearParameters made = init_linear(call.integer("in_features"), call.integer("out_features"),
                                            call.flag("bias"), call.interpreter().generator());
  add_parameter(layer, "weight", made.weight, {out, in});
  add_parameter(layer, "bias", made.bias, {out});
}

Value forward_linear(Interpreter& interpreter, Layer& layer, Arguments& arguments) {
  return call_layer_op(interpreter, "torch.nn.functional.linear", arguments, only_input(layer, arguments),
                       {setting(layer, "weight"), setting(layer, "bias")});
}

std::string linear_settings(const Layer& layer) {
  return fmt::format("in_features={}, out_features={}, bias={}", setting_text(layer, "in_features"),
                     setting_text(layer, "out_features"), setting(layer, "bias").is_none() ? "False" : "True");
}

// ---- Embedding ----

void construct_embedding(Layer& layer, OpCall& call) {
  require_float32(call);
  if (call.has("max_norm")) {
    throw CellError(Code::Unsupported, call.span(), "nn.Embedding(max_norm=...)", "leave max_norm out");
  }
  call.interpreter().require_effects("draw random numbers", call.span());
  const std::int64_t rows = call.integer("num_embeddings");
  const auto padding = call.optional_integer("padding_idx");
  const EmbeddingParameters made =
      init_embedding(rows, call.integer("embedding_dim"), padding, call.interpreter().generator());
  keep(layer, call, {"num_embeddings", "embedding_dim", "padding_idx"});
  if (padding && *padding < 0) layer.set("padding_idx", Value(rows + *padding));
  keep(layer, call, {"max_norm", "norm_type", "scale_grad_by_freq", "sparse"});
  add_parameter(layer, "weight", made.weight, {call.value("num_embeddings"), call.value("embedding_dim")});
}

Value forward_embedding(Interpreter& interpreter, Layer& layer, Arguments& arguments) {
  return call_layer_op(interpreter, "torch.nn.functional.embedding", arguments, only_input(layer, arguments),
                       {setting(layer, "weight")}, {{"padding_idx", setting(layer, "padding_idx")}});
}

std::string embedding_settings(const Layer& layer) {
  std::string out = setting_text(layer, "num_embeddings") + ", " + setting_text(layer, "embedding_dim");
  if (!setting(layer, "padding_idx").is_none()) out += ", padding_idx=" + setting_text(layer, "padding_idx");
  if (setting_text(layer, "norm_type") != "2.0") out += ", norm_type=" + setting_text(layer, "norm_type");
  if (layer.flag("scale_grad_by_freq")) out += ", scale_grad_by_freq=True";
  if (layer.flag("sparse")) out += ", sparse=True";
  return out;
}

// ---- LayerNorm ----

void construct_layer_norm(Layer& layer, OpCall& call) {
  require_float32(call);
  const std::vector<Value> sizes = call.int_values("normalized_shape");
  layer.attributes.emplace_back("normalized_shape", make_tuple(sizes));
  keep(layer, call, {"eps", "elementwise_affine"});
  const LayerNormParameters made =
      call.flag("elementwise_affine") ? init_layer_norm(call.ints("normalized_shape")) : LayerNormParameters{};
  add_parameter(layer, "weight", made.weight, sizes);
  add_parameter(layer, "bias", made.bias, sizes);
}

Value forward_layer_norm(Interpreter& interpreter, Layer& layer, Arguments& arguments) {
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

Value forward_dropout(Interpreter& interpreter, Layer& layer, Arguments& arguments) {
  return call_layer_op(interpreter, "torch.nn.functional.dropout", arguments, only_input(layer, arguments), {},
                       {{"p", setting(layer, "p")}, {"training", Value(layer.training)}});
}

std::string dropout_settings(const Layer& layer) {
  return fmt::format("p={}, inplace={}", setting_text(layer, "p"), setting_text(layer, "inplace"));
}

void construct_softmax(Layer& layer, OpCall& call) { keep(layer, call, {"dim"}); }

constexpr char kSoftmax[] = "torch.nn.functional.softmax", kLogSoftmax[] = "torch.nn.functional.log_softmax";

template <const char* Op>
Value forward_softmax(Interpreter& interpreter, Layer& layer, Arguments& arguments) {
  const Value input = only_input(layer, arguments);
  Value dim = setting(layer, "dim");
  const TensorObject* tensor = input.as<TensorObject>();
  if (dim.is_none() && tensor) {  // PyTorch's old choice, which it warns of
    const std::int64_t dims = tensor->tensor.dim();
    dim = Value(std::int64_t{dims == 0 || dims == 1 || dims == 3 ? 0 : 1});
  }
  return call_layer_op(interpreter, Op, arguments, input, {}, {{"dim", dim}});
}

std::string softmax_settings(const Layer& layer) { return "dim=" + setting_text(layer, "dim"); }

void construct_relu(Layer& layer, OpCall& call) {
  refuse_in_place(call);
  keep(layer, call, {"inplace"});
}

// ---- Identity, Sequential, ModuleList ----

Value forward_identity(Interpreter&, Layer& layer, Arguments& arguments) { return only_input(layer, arguments); }

void add_children(Layer& layer, const std::vector<Value>& children, Span span) {
  for (const Value& child : children) {
    if (!child.as<Layer>()) {
      throw CellError(Code::Type, span, fmt::format("{} is not a Module subclass", type_name(child)));
    }
    layer.attributes.emplace_back(std::to_string(layer.attributes.size()), child);
  }
}

void construct_sequential(Layer& layer, OpCall& call) {
  add_children(layer, call.value("args").as<Tuple>()->items, call.span());
}

void construct_module_list(Layer& layer, OpCall& call) {
  if (call.has("modules")) {
    add_children(layer, call.interpreter().to_vector(call.value("modules"), call.span()), call.span());
  }
}

Value forward_sequential(Interpreter& interpreter, Layer& layer, Arguments& arguments) {
  check_stack();
  Value value = only_input(layer, arguments);
  const Span input_span = arguments.spans.empty() ? arguments.span : arguments.spans[0];
  for (const auto& [name, child] : children_of(layer)) {
    Arguments inner{{value}, {}, {input_span}, arguments.span};
    value = child->info->forward(interpreter, *child, inner);
  }
  return value;
}

Value forward_module_list(Interpreter&, Layer&, Arguments& arguments) {
  Diagnostic diagnostic;
  diagnostic.code = Code::Runtime;
  diagnostic.span = arguments.span;
  diagnostic.message = "Module [ModuleList] is missing the required \"forward\" function";
  diagnostic.hint = "call its layers one by one: for layer in layers: x = layer(x)";
  throw CellError(std::move(diagnostic), "NotImplementedError");
}

constexpr LayerInfo kLayers[] = {
    {"Linear", "torch.nn.modules.linear.Linear",
     "(in_features: int, out_features: int, bias: bool = True, device: device? = None, dtype: dtype? = None)",
     "A learned linear map of the last axis: x @ weight.T + bias.",
     "torch.manual_seed(0)\nproject = nn.Linear(4, 2)\nproject(torch.ones(3, 4))", construct_linear, forward_linear,
     linear_settings},
    {"Embedding", "torch.nn.modules.sparse.Embedding",
     "(num_embeddings: int, embedding_dim: int, padding_idx: int? = None, max_norm: float? = None, norm_type: float = "
     "2.0, scale_grad_by_freq: bool = False, sparse: bool = False, device: device? = None, dtype: dtype? = None)",
     "A table with one learned vector per id.",
     "torch.manual_seed(0)\nembed = nn.Embedding(10, 3, padding_idx=0)\nembed(torch.tensor([[1, 2, 0]]))",
     construct_embedding, forward_embedding, embedding_settings},
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
    {"Softmax", "torch.nn.modules.activation.Softmax", "(dim: int? = None)",
     "Positive weights along an axis that sum to 1.", "nn.Softmax(dim=-1)(torch.tensor([1., 2., 3.]))",
     construct_softmax, forward_softmax<kSoftmax>, softmax_settings},
    {"LogSoftmax", "torch.nn.modules.activation.LogSoftmax", "(dim: int? = None)", "The logarithm of softmax.",
     "nn.LogSoftmax(dim=-1)(torch.tensor([1., 2., 3.]))", construct_softmax, forward_softmax<kLogSoftmax>,
     softmax_settings},
    {"ReLU", "torch.nn.modules.activation.ReLU", "(inplace: bool = False)", "Negative numbers become 0.",
     "nn.ReLU()(torch.tensor([-1., 2.]))", construct_relu, forward_unary<kRelu>, no_settings},
    {"Tanh", "torch.nn.modules.activation.Tanh", "()", "The hyperbolic tangent of each element.",
     "nn.Tanh()(torch.tensor([-1., 2.]))", construct_plain, forward_unary<kTanh>, no_settings},
    {"Sigmoid", "torch.nn.modules.activation.Sigmoid", "()", "1 / (1 + exp(-x)) of each element.",
     "nn.Sigmoid()(torch.tensor([-1., 2.]))", construct_plain, forward_unary<kSigmoid>, no_settings},
    {"Identity", "torch.nn.modules.linear.Identity", "(*args: any)", "Gives back its input.",
     "nn.Identity()(torch.tensor([1., 2.]))", construct_plain, forward_identity, no_settings},
    {"GRU", "torch.nn.modules.rnn.GRU", kGruSignature,
     "A gated recurrent network: reads a sequence step by step, keeping a hidden state.",
     "torch.manual_seed(0)\nrnn = nn.GRU(3, 4, batch_first=True)\noutput, h_n = rnn(torch.ones(2, 5, 3))",
     construct_gru, forward_gru, gru_settings},
    {"Sequential", "torch.nn.modules.container.Sequential", "(*args: any)", "Layers one after another.",
     "torch.manual_seed(0)\nfeed_forward = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2))\n"
     "feed_forward(torch.ones(3, 2))",
     construct_sequential, forward_sequential, no_settings},
    {"ModuleList", "torch.nn.modules.container.ModuleList", "(modules: any? = None)", "A list of layers.",
     "torch.manual_seed(0)\nlayers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])\nlen(layers)",
     construct_module_list, forward_module_list, no_settings},
};

}  // namespace

std::span<const LayerInfo> all_layers() { return kLayers; }

}  // namespace attn
