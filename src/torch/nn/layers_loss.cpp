// Rows of layers: losses. Each hands its settings to the function of torch.nn.functional of the same name, in
// src/lib/layers.py.
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

constexpr std::string_view kMargin =
    "(margin: float = 0.0, size_average: any? = None, reduce: any? = None, reduction: str = 'mean')";
constexpr std::string_view kPlain = "(size_average: any? = None, reduce: any? = None, reduction: str = 'mean')";

constexpr LayerInfo loss(std::string_view name, std::string_view path, std::string_view signature, std::string_view doc,
                         std::string_view example) {
  return {name, path, signature, doc, example, nullptr, nullptr, no_settings, "layers"};
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
    loss("KLDivLoss", "torch.nn.modules.loss.KLDivLoss",
         "(size_average: any? = None, reduce: any? = None, reduction: str = 'mean', log_target: bool = False)",
         "How far a distribution is from another: target * (log target - input), averaged.",
         "nn.KLDivLoss(reduction='batchmean')(torch.tensor([[-1., -0.5]]), torch.tensor([[0.5, 0.5]]))"),
    loss("BCELoss", "torch.nn.modules.loss.BCELoss",
         "(weight: any? = None, size_average: any? = None, reduce: any? = None, reduction: str = 'mean')",
         "How unlikely the right answers to yes-or-no questions are, averaged.",
         "nn.BCELoss()(torch.tensor([0.5, 0.9]), torch.tensor([0., 1.]))"),
    loss("BCEWithLogitsLoss", "torch.nn.modules.loss.BCEWithLogitsLoss",
         "(weight: any? = None, size_average: any? = None, reduce: any? = None, reduction: str = 'mean', pos_weight: "
         "any? = None)",
         "BCELoss of the sigmoid of scores.",
         "nn.BCEWithLogitsLoss()(torch.tensor([0.5, 0.9]), torch.tensor([0., 1.]))"),
    loss("SmoothL1Loss", "torch.nn.modules.loss.SmoothL1Loss",
         "(size_average: any? = None, reduce: any? = None, reduction: str = 'mean', beta: float = 1.0)",
         "Squared differences below beta, absolute ones above it, averaged.",
         "nn.SmoothL1Loss()(torch.tensor([1., 2.]), torch.tensor([1., 4.]))"),
    loss("CosineEmbeddingLoss", "torch.nn.modules.loss.CosineEmbeddingLoss", kMargin,
         "1 - the cosine of pairs that belong together, the cosine above a margin of others, averaged.",
         "nn.CosineEmbeddingLoss()(torch.ones(1, 2), torch.tensor([[1., 0.]]), torch.tensor([1]))"),
    loss("MarginRankingLoss", "torch.nn.modules.loss.MarginRankingLoss", kMargin,
         "How far the one that should be larger is from being so by a margin, averaged.",
         "nn.MarginRankingLoss()(torch.tensor([1.]), torch.tensor([3.]), torch.tensor([1.]))"),
    loss("TripletMarginLoss", "torch.nn.modules.loss.TripletMarginLoss",
         "(margin: float = 1.0, p: float = 2.0, eps: float = 1e-06, swap: bool = False, size_average: any? = None, "
         "reduce: any? = None, reduction: str = 'mean')",
         "How much farther than the positive the negative should be from the anchor, averaged.",
         "nn.TripletMarginLoss()(torch.zeros(1, 2), torch.ones(1, 2), torch.ones(1, 2))"),
    loss("HuberLoss", "torch.nn.modules.loss.HuberLoss", "(reduction: str = 'mean', delta: float = 1.0)",
         "Squared differences below delta, absolute ones above it, averaged.",
         "nn.HuberLoss()(torch.tensor([1., 2.]), torch.tensor([1., 4.]))"),
    loss("HingeEmbeddingLoss", "torch.nn.modules.loss.HingeEmbeddingLoss",
         "(margin: float = 1.0, size_average: any? = None, reduce: any? = None, reduction: str = 'mean')",
         "Distances of pairs that belong together, what others lack to a margin, averaged.",
         "nn.HingeEmbeddingLoss()(torch.tensor([0.5, 0.2]), torch.tensor([1., -1.]))"),
    loss("SoftMarginLoss", "torch.nn.modules.loss.SoftMarginLoss", kPlain,
         "log(1 + exp(-target * input)) for targets of 1 and -1, averaged.",
         "nn.SoftMarginLoss()(torch.tensor([0.5, 2.]), torch.tensor([-1., 1.]))"),
    loss("PoissonNLLLoss", "torch.nn.modules.loss.PoissonNLLLoss",
         "(log_input: bool = True, full: bool = False, size_average: any? = None, eps: float = 1e-08, reduce: any? = "
         "None, reduction: str = 'mean')",
         "How unlikely counts are, given the logarithm of their mean, averaged.",
         "nn.PoissonNLLLoss()(torch.tensor([0., 1.]), torch.tensor([1., 3.]))"),
    loss("GaussianNLLLoss", "torch.nn.modules.loss.GaussianNLLLoss",
         "(*, full: bool = False, eps: float = 1e-06, reduction: str = 'mean')",
         "How unlikely numbers are, given their mean and variance, averaged.",
         "nn.GaussianNLLLoss()(torch.tensor([0.]), torch.tensor([1.]), torch.tensor([4.]))"),
    loss("MultiMarginLoss", "torch.nn.modules.loss.MultiMarginLoss",
         "(p: int = 1, margin: float = 1.0, weight: any? = None, size_average: any? = None, reduce: any? = None, "
         "reduction: str = 'mean')",
         "What the score of the right class lacks to each other one by a margin, averaged.",
         "nn.MultiMarginLoss()(torch.tensor([[1., 2., 3.]]), torch.tensor([2]))"),
    loss("MultiLabelSoftMarginLoss", "torch.nn.modules.loss.MultiLabelSoftMarginLoss",
         "(weight: any? = None, size_average: any? = None, reduce: any? = None, reduction: str = 'mean')",
         "A binary cross entropy for each of several labels, averaged.",
         "nn.MultiLabelSoftMarginLoss()(torch.tensor([[1., -1.]]), torch.tensor([[1., 0.]]))"),
};

}  // namespace

std::span<const LayerInfo> loss_layers() { return kLossLayers; }

}  // namespace attn
