// Rows of layers without parameters that compute each element by itself, or weights along an axis.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

/// An activation is a row: the op that it calls and those of its settings that the op is given, by keyword.
struct Activation {
  std::string_view layer;  // "LeakyReLU"
  std::string_view op;
  std::vector<std::string_view> keywords = {};
};

const Activation& settings_of_activation(const Layer& layer) {
  static const std::vector<Activation> kActivations = {
      {"ReLU", "torch.nn.functional.relu"},
      {"GELU", "torch.nn.functional.gelu", {"approximate"}},
      {"SiLU", "torch.nn.functional.silu"},
      {"LeakyReLU", "torch.nn.functional.leaky_relu", {"negative_slope"}},
      {"ELU", "torch.nn.functional.elu", {"alpha"}},
      {"Softplus", "torch.nn.functional.softplus", {"beta", "threshold"}},
      {"GLU", "torch.nn.functional.glu", {"dim"}},
      {"SELU", "torch.nn.functional.selu"},
      {"Mish", "torch.nn.functional.mish"},
      {"ReLU6", "torch.nn.functional.relu6"},
      {"Softsign", "torch.nn.functional.softsign"},
      {"LogSigmoid", "torch.nn.functional.logsigmoid"},
      {"CELU", "torch.nn.functional.celu", {"alpha"}},
      {"Hardsigmoid", "torch.nn.functional.hardsigmoid"},
      {"Hardswish", "torch.nn.functional.hardswish"},
      {"Hardtanh", "torch.nn.functional.hardtanh", {"min_val", "max_val"}},
      {"Threshold", "torch.nn.functional.threshold", {"threshold", "value"}},
      {"Hardshrink", "torch.nn.functional.hardshrink", {"lambd"}},
      {"Softshrink", "torch.nn.functional.softshrink", {"lambd"}},
      {"Tanhshrink", "torch.nn.functional.tanhshrink"},
      {"Softmin", "torch.nn.functional.softmin", {"dim"}},
      {"Tanh", "torch.tanh"},
      {"Sigmoid", "torch.sigmoid"},
  };
  for (const Activation& row : kActivations) {
    if (row.layer == layer.info->name) return row;
  }
  return kActivations.front();
}

// Every setting of the row, in the order of its signature.
void construct_activation(Layer& layer, OpCall& call) {
  for (const OpParameter& parameter : parameters_of(call.info())) keep(layer, call, {parameter.name});
}

Value forward_activation(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const Activation& row = settings_of_activation(layer);
  std::vector<std::pair<std::string, Value>> keywords;
  for (const std::string_view name : row.keywords) keywords.emplace_back(name, setting(layer, name));
  if (layer.flag("inplace")) keywords.emplace_back("inplace", Value(true));
  return call_layer_op(interpreter, row.op, arguments, only_input(layer, arguments), {}, std::move(keywords));
}

// "negative_slope=0.2, inplace=True"
std::string activation_settings(const Layer& layer) {
  std::string out;
  for (const LayerMember& member : layer.attributes) {
    if (member.role != Role::Setting || (member.name == "inplace" && !layer.flag("inplace"))) continue;
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", member.name, repr(member.value));
  }
  return out;
}

std::string lambda_setting(const Layer& layer) { return setting_text(layer, "lambd"); }
std::string inplace_setting(const Layer& layer) { return layer.flag("inplace") ? "inplace=True" : ""; }

// ---- Softmax ----

void construct_softmax(Layer& layer, OpCall& call) { keep(layer, call, {"dim"}); }

constexpr char kSoftmaxOp[] = "torch.nn.functional.softmax", kLogSoftmaxOp[] = "torch.nn.functional.log_softmax";

template <const char* Op>
Value forward_softmax(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
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

constexpr std::string_view kInplace = "(inplace: bool = False)", kDim = "(dim: int? = None)",
                           kLambda = "(lambd: float = 0.5)";

constexpr LayerInfo activation_layer(std::string_view name, std::string_view path, std::string_view signature,
                                     std::string_view doc, std::string_view example) {
  return {name, path, signature, doc, example, construct_activation, forward_activation, activation_settings};
}

constexpr LayerInfo kActivationLayers[] = {
    {"ReLU", "torch.nn.modules.activation.ReLU", kInplace, "Negative numbers become 0.",
     "nn.ReLU()(torch.tensor([-1., 2.]))", construct_activation, forward_activation, inplace_setting},
    activation_layer("GELU", "torch.nn.modules.activation.GELU", "(approximate: str = 'none')",
                     "x times the probability that a standard normal number is below x.",
                     "nn.GELU()(torch.tensor([-1., 2.]))"),
    {"SiLU", "torch.nn.modules.activation.SiLU", kInplace, "x * sigmoid(x).", "nn.SiLU()(torch.tensor([-1., 2.]))",
     construct_activation, forward_activation, inplace_setting},
    activation_layer("LeakyReLU", "torch.nn.modules.activation.LeakyReLU",
                     "(negative_slope: float = 0.01, inplace: bool = False)", "Negative numbers are scaled down.",
                     "nn.LeakyReLU(0.2)(torch.tensor([-1., 2.]))"),
    activation_layer("ELU", "torch.nn.modules.activation.ELU", "(alpha: float = 1.0, inplace: bool = False)",
                     "Negative numbers become alpha * (exp(x) - 1).", "nn.ELU()(torch.tensor([-1., 2.]))"),
    activation_layer("Softplus", "torch.nn.modules.activation.Softplus", "(beta: Number = 1, threshold: Number = 20)",
                     "log(1 + exp(x)).", "nn.Softplus()(torch.tensor([-1., 2.]))"),
    activation_layer("GLU", "torch.nn.modules.activation.GLU", "(dim: int = -1)",
                     "The first half of an axis times the sigmoid of the second.",
                     "nn.GLU()(torch.tensor([1., 2., 3., 4.]))"),
    {"SELU", "torch.nn.modules.activation.SELU", kInplace, "ELU, scaled so that mean and spread are kept.",
     "nn.SELU()(torch.tensor([-1., 2.]))", construct_activation, forward_activation, inplace_setting},
    {"Mish", "torch.nn.modules.activation.Mish", kInplace, "x * tanh(softplus(x)).",
     "nn.Mish()(torch.tensor([-1., 2.]))", construct_activation, forward_activation, inplace_setting},
    {"ReLU6", "torch.nn.modules.activation.ReLU6", kInplace, "Numbers below 0 become 0, those above 6 become 6.",
     "nn.ReLU6()(torch.tensor([-1., 8.]))", construct_activation, forward_activation, inplace_setting},
    {"Softsign", "torch.nn.modules.activation.Softsign", "()", "x / (1 + abs(x)).",
     "nn.Softsign()(torch.tensor([-1., 2.]))", construct_plain, forward_activation, no_settings},
    {"LogSigmoid", "torch.nn.modules.activation.LogSigmoid", "()", "The logarithm of sigmoid.",
     "nn.LogSigmoid()(torch.tensor([-1., 2.]))", construct_plain, forward_activation, no_settings},
    activation_layer("CELU", "torch.nn.modules.activation.CELU", "(alpha: float = 1.0, inplace: bool = False)",
                     "Negative numbers become alpha * (exp(x / alpha) - 1).", "nn.CELU()(torch.tensor([-1., 2.]))"),
    {"Hardsigmoid", "torch.nn.modules.activation.Hardsigmoid", kInplace, "A line from 0 at -3 to 1 at 3.",
     "nn.Hardsigmoid()(torch.tensor([-1., 2.]))", construct_activation, forward_activation, no_settings},
    {"Hardswish", "torch.nn.modules.activation.Hardswish", kInplace, "x * hardsigmoid(x).",
     "nn.Hardswish()(torch.tensor([-1., 2.]))", construct_activation, forward_activation, no_settings},
    activation_layer("Hardtanh", "torch.nn.modules.activation.Hardtanh",
                     "(min_val: Number = -1.0, max_val: Number = 1.0, inplace: bool = False)",
                     "Each element kept between two bounds.", "nn.Hardtanh()(torch.tensor([-3., 0.5]))"),
    activation_layer("Threshold", "torch.nn.modules.activation.Threshold",
                     "(threshold: Number, value: Number, inplace: bool = False)",
                     "Numbers up to the threshold become the value.", "nn.Threshold(0, 20)(torch.tensor([-1., 2.]))"),
    {"Hardshrink", "torch.nn.modules.activation.Hardshrink", kLambda, "Numbers from -lambd to lambd become 0.",
     "nn.Hardshrink()(torch.tensor([-0.2, 1.]))", construct_activation, forward_activation, lambda_setting},
    {"Softshrink", "torch.nn.modules.activation.Softshrink", kLambda, "Numbers move towards 0 by lambd, not beyond.",
     "nn.Softshrink()(torch.tensor([-0.2, 1.]))", construct_activation, forward_activation, lambda_setting},
    {"Tanhshrink", "torch.nn.modules.activation.Tanhshrink", "()", "x - tanh(x).",
     "nn.Tanhshrink()(torch.tensor([-1., 2.]))", construct_plain, forward_activation, no_settings},
    {"Softmin", "torch.nn.modules.activation.Softmin", kDim, "softmax of -x: the smallest gets the largest weight.",
     "nn.Softmin(dim=-1)(torch.tensor([1., 2.]))", construct_softmax, forward_activation, softmax_settings},
    {"Tanh", "torch.nn.modules.activation.Tanh", "()", "The hyperbolic tangent of each element.",
     "nn.Tanh()(torch.tensor([-1., 2.]))", construct_plain, forward_activation, no_settings},
    {"Sigmoid", "torch.nn.modules.activation.Sigmoid", "()", "1 / (1 + exp(-x)) of each element.",
     "nn.Sigmoid()(torch.tensor([-1., 2.]))", construct_plain, forward_activation, no_settings},
    {"Softmax", "torch.nn.modules.activation.Softmax", kDim, "Positive weights along an axis that sum to 1.",
     "nn.Softmax(dim=-1)(torch.tensor([1., 2., 3.]))", construct_softmax, forward_softmax<kSoftmaxOp>,
     softmax_settings},
    {"LogSoftmax", "torch.nn.modules.activation.LogSoftmax", kDim, "The logarithm of softmax.",
     "nn.LogSoftmax(dim=-1)(torch.tensor([1., 2., 3.]))", construct_softmax, forward_softmax<kLogSoftmaxOp>,
     softmax_settings},
};

}  // namespace

std::span<const LayerInfo> activation_layers() { return kActivationLayers; }

}  // namespace attn
