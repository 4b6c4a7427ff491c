// Rows of what src/lib/composed.py and matrices.py compute by other ops: distances, places in order, statistics,
// matrices.
#include "torch/lib.h"
#include "torch/ops/families.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

constexpr char kComposed[] = "composed", kMatrices[] = "matrices", kBags[] = "bags", kImages[] = "images",
               kLossesFile[] = "losses";

template <const char* File>
Value composed_op(OpCall& call) {
  const Value result = call_library(call, File);
  const bool is_tensor = result.as<TensorObject>();
  return is_tensor && !call.info().grad_fn.empty() ? composite(call, result, call.info().grad_fn) : result;
}

/// Of an op whose gradient has a rule of its own: its parts leave no history.
template <const char* File>
Value closed_op(OpCall& call) {
  const GradientSwitch without(call.interpreter(), false);
  return composed_op<File>(call);
}

Value xlogy_op(OpCall& call) {
  const auto is_number = [&](const char* name) { return !call.value(name).as<TensorObject>(); };
  const GradientSwitch without(call.interpreter(), false);  // it has a rule of its own
  return composite(call, call_library(call, kComposed),
                   is_number("input")   ? "XlogyBackward1"
                   : is_number("other") ? "XlogyBackward2"
                                        : "XlogyBackward0");
}

template <const char* File = kComposed>
constexpr OpInfo composed_row(std::string_view spellings, std::string_view signature, std::string_view doc,
                              std::string_view example, std::string_view grad_fn = {}) {
  return {spellings, signature,         doc,
          example,   composed_op<File>, {.axes = axis_rule::none, .element = kComposite, .grad_fn = grad_fn}};
}

template <const char* File = kComposed>
constexpr OpInfo closed_row(std::string_view spellings, std::string_view signature, std::string_view doc,
                            std::string_view example, std::string_view grad_fn) {
  return {spellings, signature,       doc,
          example,   closed_op<File>, {.axes = axis_rule::none, .element = kComposite, .grad_fn = grad_fn}};
}

constexpr char kChannelDropout[] = "(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False)";

const OpInfo kComposedOps[] = {
    composed_row("torch.cdist",
                 "(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary')",
                 "The distance of each row of one to each row of the other.",
                 "torch.cdist(torch.zeros(1, 2), torch.tensor([[3., 4.]]))", "CdistBackward0"),
    composed_row("torch.quantile Tensor.quantile",
                 "(input: Tensor, q: any, dim: int? = None, keepdim: bool = False, *, interpolation: str = 'linear')",
                 "The number below which that part of the elements lies.",
                 "torch.quantile(torch.tensor([1., 2., 4.]), 0.5)", "SqueezeBackward1"),
    composed_row(
        "torch.searchsorted",
        "(sorted_sequence: Tensor, input: Tensor, *, out_int32: bool = False, right: bool = False, side: str? "
        "= None, sorter: Tensor? = None) | (sorted_sequence: Tensor, self: Number, *, out_int32: bool = False, "
        "right: bool = False, side: str? = None, sorter: Tensor? = None)",
        "Where each number would have to stand to keep the order.",
        "torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 4]))"),
    composed_row(
        "torch.bucketize",
        "(input: Tensor, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) | (self: Number, "
        "boundaries: Tensor, *, out_int32: bool = False, right: bool = False)",
        "The number of the bucket between boundaries that each number falls into.",
        "torch.bucketize(torch.tensor([0.5, 3.]), torch.tensor([1., 2.]))"),
    composed_row("torch.unique_consecutive Tensor.unique_consecutive",
                 "(input: Tensor, *, return_inverse: bool = False, return_counts: bool = False, dim: int? = None)",
                 "The first of each run of equal elements.", "torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))"),
    composed_row("torch.histc Tensor.histc", "(input: Tensor, bins: int = 100, min: Number = 0, max: Number = 0)",
                 "How many elements fall into each of so many bins of equal width.",
                 "torch.histc(torch.tensor([1., 2., 2.]), bins=2)"),
    composed_row("torch.promote_types", "(type1: dtype, type2: dtype)",
                 "The smallest type that holds the numbers of both.",
                 "torch.promote_types(torch.int64, torch.float32)"),
    composed_row("torch.result_type", "(tensor: Operand, other: Operand)",
                 "The type that arithmetic with both would have.", "torch.result_type(torch.tensor([1, 2]), 1.0)"),
    composed_row("torch.scatter_reduce Tensor.scatter_reduce",
                 "(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True)",
                 "Joins values at the places in index: their sum, product, mean, largest or smallest.",
                 "torch.zeros(2).scatter_reduce(0, torch.tensor([0, 0]), torch.tensor([1., 3.]), 'amax')",
                 "ScatterReduceBackward0"),
    {"torch.index_put Tensor.index_put",
     "(input: Tensor, indices: any, values: Tensor, accumulate: bool = False)",
     "A copy with values at the places that tensors of indices name, one for each axis.",
     "torch.zeros(2, 2).index_put((torch.tensor([0, 1]), torch.tensor([1, 0])), torch.tensor([5., 6.]))",
     composed_op<kComposed>,
     {.axes = axis_rule::none, .element = kComposite, .grad_fn = "IndexPutBackward0"},
     {"Tensor.index_put_", "Writes values to the places that tensors of indices name, one for each axis.",
      "torch.zeros(2, 2).index_put_((torch.tensor([0, 1]), torch.tensor([1, 0])), torch.tensor([5., 6.]))",
      composed_op<kComposed>}},
    composed_row("torch.trapezoid torch.trapz",
                 "(y: Tensor, x: Tensor, *, dim: int = -1) | (y: Tensor, *, dx: Number = 1, dim: int = -1)",
                 "The area below a line through points, by trapezoids.", "torch.trapezoid(torch.tensor([1., 2., 4.]))"),
    composed_row<kBags>(
        "torch.nn.functional.embedding_bag",
        "(input: Tensor, weight: Tensor, offsets: Tensor? = None, max_norm: float? = None, norm_type: float = 2, "
        "scale_grad_by_freq: bool = False, mode: str = 'mean', sparse: bool = False, per_sample_weights: Tensor? = "
        "None, include_last_offset: bool = False, padding_idx: int? = None)",
        "The mean, sum or maximum of the rows of a table that the ids of each bag choose.",
        "F.embedding_bag(torch.tensor([[0, 1], [1, 1]]), torch.tensor([[1., 2.], [3., 4.]]))", "EmbeddingBagBackward0"),
    composed_row("torch.slogdet Tensor.slogdet", "(input: Tensor)",
                 "The sign of a determinant and the logarithm of its size.",
                 "torch.slogdet(torch.tensor([[1., 2.], [3., 4.]]))", "LinalgSlogdetBackward0"),
    composed_row("torch.cov Tensor.cov",
                 "(input: Tensor, *, correction: int = 1, fweights: Tensor? = None, aweights: Tensor? = None)",
                 "The covariances of the rows.", "torch.cov(torch.tensor([[1., 2.], [3., 5.]]))", "SqueezeBackward0"),
    composed_row("torch.corrcoef Tensor.corrcoef", "(input: Tensor)", "The correlations of the rows.",
                 "torch.corrcoef(torch.tensor([[1., 2., 3.], [3., 5., 4.]]))", "ClampBackward1"),
    composed_row("torch.hypot Tensor.hypot", "(input: Tensor, other: Tensor)",
                 "The long side of a triangle: sqrt(input**2 + other**2).",
                 "torch.hypot(torch.tensor([3.]), torch.tensor([4.]))", "HypotBackward0"),
    closed_row("torch.sinc Tensor.sinc torch.special.sinc", "(input: Tensor)", "sin(pi x) / (pi x), 1 at 0.",
               "torch.sinc(torch.tensor([0., 0.5]))", "SincBackward0"),
    OpInfo("torch.xlogy Tensor.xlogy torch.special.xlogy",
           "(input: Tensor, other: Tensor) | (input: Tensor, other: Number) | (input: Number, other: Tensor)",
           "input * log(other), 0 where input is 0.", "torch.xlogy(torch.tensor([0., 2.]), torch.tensor([0., 1.]))",
           xlogy_op, {.axes = axis_rule::none, .element = kComposite, .grad_fn = "XlogyBackward0"}),
    composed_row("torch.heaviside Tensor.heaviside", "(input: Tensor, values: Tensor)",
                 "0 below zero, 1 above, at zero the other's element.",
                 "torch.heaviside(torch.tensor([-1., 0., 2.]), torch.tensor(0.5))", "NotImplemented"),
    composed_row("torch.hann_window",
                 "(window_length: int, periodic: bool = True, *, dtype: dtype? = None, requires_grad: bool = False)",
                 "One bow of a cosine, from 0 up to 1 and back.", "torch.hann_window(4)"),
    composed_row("torch.combinations", "(input: Tensor, r: int = 2, with_replacement: bool = False)",
                 "All choices of r elements, in order.", "torch.combinations(torch.arange(3))", "StackBackward0"),
    composed_row("torch.cartesian_prod", "(*tensors: any)", "All pairs (triples, ...) of elements of vectors.",
                 "torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))", "StackBackward0"),
    composed_row("torch.block_diag", "(*tensors: any)", "Matrices along a diagonal, zeros beside them.",
                 "torch.block_diag(torch.ones(1, 2), torch.eye(2))", "BlockDiagBackward0"),
    composed_row("torch.diagflat Tensor.diagflat", "(input: Tensor, offset: int = 0)",
                 "The elements on a diagonal, zeros beside them.", "torch.diagflat(torch.tensor([[1, 2], [3, 4]]))",
                 "DiagBackward0"),
    composed_row("torch.rot90 Tensor.rot90",
                 "(input: Tensor, k: int = 1) | (input: Tensor, k: int, dims: shape) | (input: Tensor, k: int = 1, *, "
                 "dims: shape)",
                 "Turned by a right angle, k times.", "torch.rot90(torch.arange(4).view(2, 2))", "Rot90Backward0"),
    composed_row("torch.isin",
                 "(elements: Tensor, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False) | "
                 "(elements: Tensor, test_element: Number, *, assume_unique: bool = False, invert: bool = False) | "
                 "(element: Number, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False)",
                 "Which elements are among those of the other.", "torch.isin(torch.arange(4), torch.tensor([1, 3]))"),
    composed_row("torch.cummax Tensor.cummax", "(input: Tensor, dim: int)", "The largest so far along an axis.",
                 "torch.cummax(torch.tensor([1, 3, 2]), 0)", "CummaxBackward0"),
    composed_row("torch.cummin Tensor.cummin", "(input: Tensor, dim: int)", "The smallest so far along an axis.",
                 "torch.cummin(torch.tensor([3, 1, 2]), 0)", "CumminBackward0"),
    closed_row("torch.logcumsumexp Tensor.logcumsumexp", "(input: Tensor, dim: int)",
               "The logarithm of the running sum of exponentials along an axis.",
               "torch.logcumsumexp(torch.tensor([0., 0.]), 0)", "LogcumsumexpBackward0"),
    composed_row("torch.nansum Tensor.nansum",
                 "(input: Tensor, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None)",
                 "The sum of the elements that are not nan.", "torch.nansum(torch.tensor([1., float('nan')]))",
                 "NansumBackward0"),
    composed_row("torch.nanmean Tensor.nanmean",
                 "(input: Tensor, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None)",
                 "The mean of the elements that are not nan.", "torch.nanmean(torch.tensor([1., float('nan')]))",
                 "DivBackward0"),
    composed_row("torch.kron Tensor.kron", "(input: Tensor, other: Tensor)",
                 "The other, times each element, in blocks.", "torch.kron(torch.eye(2), torch.ones(1, 2))",
                 "UnsafeViewBackward0"),
    composed_row("torch.mode Tensor.mode", "(input: Tensor, dim: int = -1, keepdim: bool = False)",
                 "The most frequent element along an axis.", "torch.mode(torch.tensor([1, 2, 2]))", "ModeBackward0"),
    composed_row("torch.nn.functional.fold",
                 "(input: Tensor, output_size: any, kernel_size: any, dilation: any = 1, padding: any = 0, stride: any "
                 "= 1)",
                 "Columns put back as windows of images, added where they overlap.",
                 "F.fold(torch.ones(1, 4, 4), (4, 4), 2, stride=2)", "Col2ImBackward0"),
    composed_row<kLossesFile>(
        "torch.nn.functional.cosine_embedding_loss",
        "(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: any? = None, reduce: "
        "any? = None, reduction: str = 'mean')",
        "1 - the cosine of pairs that belong together, the cosine above a margin of others, averaged.",
        "F.cosine_embedding_loss(torch.ones(1, 2), torch.tensor([[1., 0.]]), torch.tensor([1]))"),
    composed_row<kLossesFile>(
        "torch.nn.functional.margin_ranking_loss",
        "(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: any? = None, reduce: "
        "any? = None, reduction: str = 'mean')",
        "How far the one that should be larger is from being so by a margin, averaged.",
        "F.margin_ranking_loss(torch.tensor([1.]), torch.tensor([3.]), torch.tensor([1.]))"),
    composed_row<kLossesFile>(
        "torch.nn.functional.triplet_margin_loss",
        "(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = "
        "1e-06, swap: bool = False, size_average: any? = None, reduce: any? = None, reduction: str = 'mean')",
        "How much farther than the positive the negative should be from the anchor, averaged.",
        "F.triplet_margin_loss(torch.zeros(1, 2), torch.ones(1, 2), torch.ones(1, 2))"),
    composed_row<kLossesFile>(
        "torch.nn.functional.hinge_embedding_loss",
        "(input: Tensor, target: Tensor, margin: float = 1.0, size_average: any? = None, reduce: any? = "
        "None, reduction: str = 'mean')",
        "Distances of pairs that belong together, what others lack to a margin, averaged.",
        "F.hinge_embedding_loss(torch.tensor([0.5, 0.2]), torch.tensor([1., -1.]))"),
    composed_row<kLossesFile>(
        "torch.nn.functional.soft_margin_loss",
        "(input: Tensor, target: Tensor, size_average: any? = None, reduce: any? = None, reduction: str = "
        "'mean')",
        "log(1 + exp(-target * input)) for targets of 1 and -1, averaged.",
        "F.soft_margin_loss(torch.tensor([0.5, 2.]), torch.tensor([-1., 1.]))", "SoftMarginLossBackward0"),
    composed_row<kLossesFile>(
        "torch.nn.functional.poisson_nll_loss",
        "(input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: any? = "
        "None, eps: float = 1e-08, reduce: any? = None, reduction: str = 'mean')",
        "How unlikely counts are, given the logarithm of their mean, averaged.",
        "F.poisson_nll_loss(torch.tensor([0., 1.]), torch.tensor([1., 3.]))"),
    composed_row<kLossesFile>(
        "torch.nn.functional.gaussian_nll_loss",
        "(input: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-06, reduction: "
        "str = 'mean')",
        "How unlikely numbers are, given their mean and variance, averaged.",
        "F.gaussian_nll_loss(torch.tensor([0.]), torch.tensor([1.]), torch.tensor([4.]))"),
    composed_row<kLossesFile>(
        "torch.nn.functional.multi_margin_loss",
        "(input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor? = None, "
        "size_average: any? = None, reduce: any? = None, reduction: str = 'mean')",
        "What the score of the right class lacks to each other one by a margin, averaged.",
        "F.multi_margin_loss(torch.tensor([[1., 2., 3.]]), torch.tensor([2]))", "MultiMarginLossBackward0"),
    composed_row<kLossesFile>(
        "torch.nn.functional.multilabel_soft_margin_loss",
        "(input: Tensor, target: Tensor, weight: Tensor? = None, size_average: any? = None, reduce: any? "
        "= None, reduction: str = 'mean')",
        "A binary cross entropy for each of several labels, averaged.",
        "F.multilabel_soft_margin_loss(torch.tensor([[1., -1.]]), torch.tensor([[1., 0.]]))"),
    composed_row<kImages>("torch.nn.functional.dropout1d", kChannelDropout,
                          "Drops whole channels of sequences while training.",
                          "torch.manual_seed(0)\nF.dropout1d(torch.ones(1, 4, 2))", "MulBackward0"),
    composed_row<kImages>("torch.nn.functional.dropout2d", kChannelDropout,
                          "Drops whole channels of images while training.",
                          "torch.manual_seed(0)\nF.dropout2d(torch.ones(1, 4, 1, 2))", "MulBackward0"),
    composed_row<kImages>("torch.nn.functional.dropout3d", kChannelDropout,
                          "Drops whole channels of volumes while training.",
                          "torch.manual_seed(0)\nF.dropout3d(torch.ones(1, 4, 1, 1, 2))", "MulBackward0"),
    composed_row<kImages>("torch.nn.functional.instance_norm",
                          "(input: Tensor, running_mean: Tensor? = None, running_var: Tensor? = None, weight: Tensor? "
                          "= None, bias: Tensor? = None, use_input_stats: bool = True, momentum: float = 0.1, eps: "
                          "float = 1e-05)",
                          "Each channel of each example shifted and scaled to mean 0 and variance 1.",
                          "F.instance_norm(torch.arange(8.).view(1, 2, 4))", "ViewBackward0"),
    composed_row<kImages>("torch.nn.functional.pixel_shuffle torch.pixel_shuffle",
                          "(input: Tensor, upscale_factor: int)",
                          "Channels laid out as places: an image of more rows and columns.",
                          "F.pixel_shuffle(torch.arange(4.).view(1, 4, 1, 1), 2)", "PixelShuffleBackward0"),
    composed_row<kImages>("torch.nn.functional.pixel_unshuffle torch.pixel_unshuffle",
                          "(input: Tensor, downscale_factor: int)", "Places laid out as channels: a smaller image.",
                          "F.pixel_unshuffle(torch.arange(4.).view(1, 1, 2, 2), 2)", "PixelUnshuffleBackward0"),
    closed_row<kImages>("torch.nn.functional.channel_shuffle torch.channel_shuffle", "(input: Tensor, groups: int)",
                        "Channels dealt out so that each group gets some of every other one.",
                        "F.channel_shuffle(torch.arange(4.).view(1, 4, 1), 2)", "NotImplemented"),
    composed_row<kImages>("torch.nn.functional.conv_transpose1d torch.conv_transpose1d",
                          "(input: Tensor, weight: Tensor, bias: Tensor? = None, stride: ints = 1, padding: ints = 0, "
                          "output_padding: ints = 0, groups: int = 1, dilation: ints = 1)",
                          "The window's weights spread from each place over the places around it.",
                          "F.conv_transpose1d(torch.ones(1, 1, 2), torch.ones(1, 1, 2), stride=2)"),
    OpInfo("Tensor.masked_scatter", "(input: Tensor, mask: Tensor, source: Tensor)",
           "Where the mask is True, the elements of the source, one after another.",
           "torch.zeros(3).masked_scatter(torch.tensor([True, False, True]), torch.tensor([1., 2.]))",
           composed_op<kComposed>, "",
           {.axes = axis_rule::none, .element = kComposite, .grad_fn = "MaskedScatterBackward0"},
           {"Tensor.masked_scatter_", "The same, into the tensor.",
            "x = torch.zeros(3)\nx.masked_scatter_(torch.tensor([True, False, True]), torch.tensor([1., 2.]))"}),
    composed_row<kMatrices>("torch.matrix_power Tensor.matrix_power torch.linalg.matrix_power", "(A: Tensor, n: int)",
                            "A square matrix times itself, n times.",
                            "torch.matrix_power(torch.tensor([[1., 1.], [0., 1.]]), 3)"),
    composed_row("torch.cross Tensor.cross", "(input: Tensor, other: Tensor, dim: int? = None)",
                 "The vector at right angles to two others: their cross product.",
                 "torch.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]), dim=0)", "LinalgCrossBackward0"),
    composed_row("torch.linalg.cross", "(input: Tensor, other: Tensor, *, dim: int = -1)",
                 "The vector at right angles to two others: their cross product.",
                 "torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]))", "LinalgCrossBackward0"),
    composed_row<kMatrices>("torch.linalg.inv", "(A: Tensor)", "The inverse of a matrix, or of each of several.",
                            "torch.linalg.inv(torch.tensor([[2., 0.], [0., 4.]]))", "LinalgInvExBackward0"),
    composed_row<kMatrices>("torch.inverse Tensor.inverse", "(input: Tensor)",
                            "The inverse of a matrix, or of each of several.",
                            "torch.inverse(torch.tensor([[2., 0.], [0., 4.]]))", "LinalgInvExBackward0"),
    composed_row<kMatrices>("torch.linalg.solve", "(A: Tensor, B: Tensor)", "The X for which A @ X is B.",
                            "torch.linalg.solve(torch.tensor([[2., 0.], [0., 4.]]), torch.tensor([2., 2.]))",
                            "LinalgSolveExBackward0"),
    composed_row<kMatrices>("torch.linalg.det torch.det Tensor.det", "(A: Tensor)",
                            "The determinant of a square matrix.",
                            "torch.linalg.det(torch.tensor([[1., 2.], [3., 4.]]))", "LinalgDetBackward0"),
    composed_row<kMatrices>("torch.linalg.slogdet", "(A: Tensor)",
                            "The sign of a determinant and the logarithm of its size.",
                            "torch.linalg.slogdet(torch.tensor([[1., 2.], [3., 4.]]))", "LinalgSlogdetBackward0"),
    composed_row<kMatrices>("torch.logdet Tensor.logdet", "(input: Tensor)", "The logarithm of the determinant.",
                            "torch.logdet(torch.tensor([[2., 0.], [0., 4.]]))"),
    composed_row<kMatrices>("torch.linalg.cholesky torch.cholesky Tensor.cholesky",
                            "(A: Tensor, *, upper: bool = False) | (input: Tensor, upper: bool = False)",
                            "A symmetric matrix as a triangle times its transpose.",
                            "torch.linalg.cholesky(torch.tensor([[4., 2.], [2., 5.]]))", "LinalgCholeskyExBackward0"),
    composed_row<kMatrices>("torch.linalg.qr", "(A: Tensor, mode: str = 'reduced')",
                            "A matrix as columns that stand upright on one another, times a triangle.",
                            "torch.linalg.qr(torch.tensor([[3., 1.], [4., 2.]]))", "LinalgQrBackward0"),
    composed_row<kMatrices>("torch.linalg.svdvals", "(A: Tensor)",
                            "The singular values of a matrix, the largest first.",
                            "torch.linalg.svdvals(torch.tensor([[3., 0.], [0., 4.]]))"),
    composed_row<kMatrices>("torch.linalg.svd", "(A: Tensor, full_matrices: bool = True)",
                            "A matrix as a rotation, a scale for each axis, and another rotation; where signs are "
                            "free, PyTorch's may be others.",
                            "torch.linalg.svd(torch.tensor([[3., 0.], [0., 4.]]))"),
    composed_row<kMatrices>("torch.svd Tensor.svd", "(input: Tensor, some: bool = True, compute_uv: bool = True)",
                            "The same with V, of which linalg.svd has the transpose.",
                            "torch.svd(torch.tensor([[3., 0.], [0., 4.]]))"),
    composed_row<kMatrices>("torch.linalg.eigh", "(A: Tensor, UPLO: str = 'L')",
                            "Eigenvalues of a symmetric matrix, the smallest first, and their vectors.",
                            "torch.linalg.eigh(torch.tensor([[2., 1.], [1., 2.]]))"),
    composed_row<kMatrices>("torch.linalg.eigvalsh", "(A: Tensor, UPLO: str = 'L')",
                            "Eigenvalues of a symmetric matrix, the smallest first.",
                            "torch.linalg.eigvalsh(torch.tensor([[2., 1.], [1., 2.]]))"),
    composed_row<kMatrices>("torch.linalg.matrix_rank",
                            "(A: Tensor, tol: Tensor, hermitian: bool = False) | (A: Tensor, tol: float, hermitian: "
                            "bool = False) | (A: Tensor, *, atol: Tensor? = None, hermitian: bool = False, rtol: "
                            "Tensor? = None) | (A: Tensor, *, atol: float? = None, hermitian: bool = False, rtol: "
                            "float? = None)",
                            "How many singular values are not nearly 0.", "torch.linalg.matrix_rank(torch.ones(2, 3))"),
    composed_row<kMatrices>("torch.pinverse Tensor.pinverse", "(input: Tensor, rcond: float = 1e-15)",
                            "The pseudoinverse: of all that come closest, the smallest solution.",
                            "torch.pinverse(torch.tensor([[1.], [1.]]))"),
    composed_row<kMatrices>("torch.linalg.pinv",
                            "(A: Tensor, rcond: Tensor, hermitian: bool = False) | (A: Tensor, rcond: float, "
                            "hermitian: bool = False) | (A: Tensor, *, rtol: Tensor? = None, hermitian: bool = False, "
                            "atol: Tensor? = None) | (A: Tensor, *, rtol: float? = None, hermitian: bool = False, "
                            "atol: float? = None)",
                            "The pseudoinverse: of all that come closest, the smallest solution.",
                            "torch.linalg.pinv(torch.tensor([[1.], [1.]]))"),
    composed_row("torch.nn.functional.group_norm",
                 "(input: Tensor, num_groups: int, weight: Tensor? = None, bias: Tensor? = None, eps: float = 1e-05)",
                 "Each group of channels shifted and scaled to mean 0 and variance 1.",
                 "F.group_norm(torch.arange(4.).view(1, 4, 1), 2)", "NativeGroupNormBackward0"),
    composed_row("torch.nn.functional.gumbel_softmax",
                 "(logits: Tensor, tau: Operand = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1)",
                 "A softmax of the logits with random noise added: a draw that gradients pass.",
                 "torch.manual_seed(0)\nF.gumbel_softmax(torch.zeros(3))"),
    composed_row("torch.nn.functional.prelu torch.prelu Tensor.prelu", "(input: Tensor, weight: Tensor)",
                 "Negative numbers are scaled by a learned number.",
                 "F.prelu(torch.tensor([-1., 2.]), torch.tensor([0.25]))", "PreluBackward0"),
    composed_row("torch.nn.functional.bilinear torch.bilinear",
                 "(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor? = None)",
                 "Each output weighs the products of all pairs of elements.",
                 "F.bilinear(torch.ones(1, 2), torch.ones(1, 2), torch.ones(1, 2, 2))", "AddBackward0"),
    composed_row("torch.nn.functional.conv_transpose2d torch.conv_transpose2d",
                 "(input: Tensor, weight: Tensor, bias: Tensor? = None, stride: ints = 1, padding: ints = 0, "
                 "output_padding: ints = 0, groups: int = 1, dilation: ints = 1)",
                 "The window's weights spread from each place over the places around it.",
                 "F.conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), stride=2)"),
};

}  // namespace

std::span<const OpInfo> composed_ops() { return kComposedOps; }

}  // namespace attn
