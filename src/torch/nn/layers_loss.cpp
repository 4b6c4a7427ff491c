// Rows of layers: losses. Each hands its settings to the function of torch.nn.functional of the same name.
#include <array>

#include "base/diagnostic.h"
#include "text/unsupported.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

/// A loss is a row: the op that it calls, and those of its settings that the op is given, by keyword.
struct Loss {
  std::string_view layer;
  std::string_view op;
  std::array<std::string_view, 3> keywords;  // beside `reduction`; empty ones are skipped
};
constexpr Loss kLosses[] = {
    {"CrossEntropyLoss", "torch.nn.functional.cross_entropy", {"weight", "ignore_index", "label_smoothing"}},
    {"NLLLoss", "torch.nn.functional.nll_loss", {"weight", "ignore_index", ""}},
    {"MSELoss", "torch.nn.functional.mse_loss", {}},
    {"L1Loss", "torch.nn.functional.l1_loss", {}},
};

const Loss& loss_of(const Layer& layer) {
  for (const Loss& loss : kLosses) {
    if (loss.layer == layer.info->name) return loss;
  }
  return kLosses[0];
}

void construct_loss(Layer& layer, OpCall& call) {
  if (call.has("size_average") || call.has("reduce")) {
    throw unsupported(call.span(), "unsupported.layer.size_average");
  }
  keep(layer, call, {"reduction"});
  for (const std::string_view name : loss_of(layer).keywords) {
    if (name.empty()) continue;
    layer.add(name, call.value(name), name == "weight" ? Role::Buffer : Role::Setting);
  }
}

Value forward_loss(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const Loss& loss = loss_of(layer);
  const std::vector<Value> given =
      python_arguments(std::string(layer.info->name) + ".forward", "(input: any, target: any)", arguments);
  std::vector<std::pair<std::string, Value>> keywords = {{"reduction", setting(layer, "reduction")}};
  for (const std::string_view name : loss.keywords) {
    if (!name.empty()) keywords.emplace_back(name, setting(layer, name));
  }
  return call_layer_op(interpreter, loss.op, arguments, given[0], {given[1]}, std::move(keywords));
}

constexpr std::string_view kPlain = "(size_average: any? = None, reduce: any? = None, reduction: str = 'mean')";

constexpr LayerInfo loss(std::string_view name, std::string_view path, std::string_view signature, std::string_view doc,
                         std::string_view example) {
  return {name, path, signature, doc, example, construct_loss, forward_loss, no_settings};
}

constexpr LayerInfo kLossLayers[] = {
    loss("CrossEntropyLoss", "torch.nn.modules.loss.CrossEntropyLoss",
         "(weight: any? = None, size_average: any? = None, ignore_index: int = -100, reduce: any? = None, reduction: "
         "str = 'mean', label_smoothing: float = 0.0)",
         "How unlikely the right classes are: -log softmax of their scores, averaged.",
         "nn.CrossEntropyLoss()(torch.tensor([[1., 2., 3.]]), torch.tensor([2]))"),
    loss("NLLLoss", "torch.nn.modules.loss.NLLLoss",
         "(weight: any? = None, size_average: any? = None, ignore_index: int = -100, reduce: any? = None, reduction: "
         "str = 'mean')",
         "The negative log-probability of the right classes, averaged.",
         "nn.NLLLoss()(torch.tensor([[-1., -0.5]]), torch.tensor([1]))"),
    loss("MSELoss", "torch.nn.modules.loss.MSELoss", kPlain, "The mean of the squared differences.",
         "nn.MSELoss()(torch.tensor([1., 2.]), torch.tensor([1., 4.]))"),
    loss("L1Loss", "torch.nn.modules.loss.L1Loss", kPlain, "The mean of the absolute differences.",
         "nn.L1Loss()(torch.tensor([1., 2.]), torch.tensor([1., 4.]))"),
};

}  // namespace

std::span<const LayerInfo> loss_layers() { return kLossLayers; }

}  // namespace attn
