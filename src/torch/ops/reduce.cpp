// Rows that fold axes into one number, and those that weigh the elements of an axis against each other.
#include "tensor/ops/reduce.h"

#include "base/diagnostic.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/core/scalar_type.h"
#include "text/unsupported.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/operand_checks.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Tensor input_as(const OpCall& call) {
  const auto dtype = call.dtype("dtype");
  return dtype ? to(call.tensor("input"), *dtype) : call.tensor("input");
}

// PyTorch's gradient has another name where the call has a dim, even dim=None.
void name_gradient(OpCall& call, std::string_view whole, std::string_view along, bool has_dim) {
  call.set_grad_fn(has_dim ? along : whole);
}

// Sums and products of Bool are counted in Int64, unless Bool is asked for.
Value folded(const OpCall& call, Tensor result) {
  return make_tensor(call.dtype("dtype") == DType::Bool ? to(result, DType::Bool) : std::move(result));
}

Value sum_op(OpCall& call) {
  name_gradient(call, "SumBackward0", "SumBackward1", call.takes("dim"));
  return folded(call, sum(input_as(call), call.ints("dim"), call.flag("keepdim")));
}

Value mean_op(OpCall& call) {
  name_gradient(call, "MeanBackward0", "MeanBackward1", call.takes("dim"));
  if (const auto dtype = call.dtype("dtype"); dtype && !is_floating(*dtype))
    throw TensorError("dtype.unsupported", Code::Type, "RuntimeError",
                      "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex "
                      "dtype. Got: " +
                          scalar_type_name(*dtype));
  return make_tensor(mean(input_as(call), call.ints("dim"), call.flag("keepdim")));
}

Value prod_op(OpCall& call) {
  name_gradient(call, "ProdBackward0", "ProdBackward1", call.has("dim"));
  return folded(call, prod(input_as(call), call.optional_integer("dim"), call.flag("keepdim")));
}

bool is_unbiased(const OpCall& call) {
  if (!call.has("correction")) return call.flag("unbiased");
  const std::int64_t correction = call.integer("correction");
  if (correction == 0 || correction == 1) return correction == 1;
  throw unsupported(call.span(), "unsupported.op.correction");
}

Value var_op(OpCall& call) {
  return make_tensor(var(call.tensor("input"), call.ints("dim"), is_unbiased(call), call.flag("keepdim")));
}
Value std_op(OpCall& call) {
  return make_tensor(std_dev(call.tensor("input"), call.ints("dim"), is_unbiased(call), call.flag("keepdim")));
}

Value named_pair(ValuesIndices pair, const char* type) {
  Ref<Tuple> tuple =
      make<Tuple>(std::vector<Value>{make_tensor(std::move(pair.values)), make_tensor(std::move(pair.indices))});
  tuple->type_name = type;
  tuple->fields = {"values", "indices"};
  return tuple;
}

Value max_op(OpCall& call) {
  if (call.has("other"))
    return differentiable(call, maximum(call.tensor("input"), call.tensor("other")), "MaximumBackward0");
  if (!call.has("dim")) return differentiable(call, max(call.tensor("input")), "MaxBackward1");
  return named_pair(max(call.tensor("input"), call.integer("dim"), call.flag("keepdim")), "torch.return_types.max");
}

Value min_op(OpCall& call) {
  if (call.has("other"))
    return differentiable(call, minimum(call.tensor("input"), call.tensor("other")), "MinimumBackward0");
  if (!call.has("dim")) return differentiable(call, min(call.tensor("input")), "MinBackward1");
  return named_pair(min(call.tensor("input"), call.integer("dim"), call.flag("keepdim")), "torch.return_types.min");
}

// max(a, b) of two tensors broadcasts; the others fold.
Axes max_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return call.has("other") ? axis_rule::broadcast(call, output, number) : axis_rule::reduce(call, output, number);
}

template <Tensor (*F)(const Tensor&, const Shape&, bool)>
Value fold_dims(OpCall& call) {
  return make_tensor(F(call.tensor("input"), call.ints("dim"), call.flag("keepdim")));
}

Value loss_sum_op(OpCall& call) {
  return make_tensor(sum_of_losses(call.tensor("input"), call.has("ignored") ? &call.tensor("ignored") : nullptr));
}
Value loss_mean_op(OpCall& call) {
  const Tensor& losses = call.tensor("input");
  return make_tensor(div(sum_of_losses(losses), Scalar(static_cast<double>(losses.numel()))));
}

template <Tensor (*F)(const Tensor&, std::optional<std::int64_t>, bool)>
Value fold_dim(OpCall& call) {
  return make_tensor(F(call.tensor("input"), call.optional_integer("dim"), call.flag("keepdim")));
}

Value softmax_op(OpCall& call) { return make_tensor(softmax(input_as(call), call.integer("dim"))); }
Value log_softmax_op(OpCall& call) { return make_tensor(log_softmax(input_as(call), call.integer("dim"))); }
Value cumsum_op(OpCall& call) {
  require_running(call, "cumsum_out_cpu");
  const Tensor& x = call.tensor("input");
  if (x.dim() == 0 && call.dtype("dtype") == DType::Int64) check_fits(item(x), DType::Int64);
  return folded(call, cumsum(input_as(call), call.integer("dim")));
}

constexpr const char* kDimsTyped =
    "(input: Tensor, *, dtype: dtype? = None) | "
    "(input: Tensor, dim: ints?, keepdim: bool = False, *, dtype: dtype? = None)";
constexpr const char* kDimTyped =
    "(input: Tensor, *, dtype: dtype? = None) | "
    "(input: Tensor, dim: int, keepdim: bool = False, *, dtype: dtype? = None)";
constexpr const char* kSpread =
    "(input: Tensor, unbiased: bool = True) | (input: Tensor, dim: ints?, unbiased: bool = True, keepdim: bool = "
    "False) | "
    "(input: Tensor, dim: ints?, *, correction: int, keepdim: bool = False)";
constexpr const char* kLargest =
    "(input: Tensor) | (input: Tensor, other: Tensor) | (input: Tensor, dim: int, keepdim: bool = False)";
constexpr const char* kDims = "(input: Tensor, dim: ints? = None, keepdim: bool = False)";
constexpr const char* kPlace = "(input: Tensor, dim: int? = None, keepdim: bool = False)";
constexpr const char* kTruth = "(input: Tensor) | (input: Tensor, dim: int, keepdim: bool = False)";
// The second overload takes named axes, which are not supported; it stands here because PyTorch's messages list it.
constexpr const char* kSoftmax =
    "(input: Tensor, dim: int, dtype: dtype? = None, *, out: Tensor? = None) | "
    "(input: Tensor, dim: name, *, dtype: dtype? = None)";

// dim and keepdim are what the way back through a sum asks for.
constexpr const char* kLosses = "(input: Tensor, ignored: Tensor? = None, dim: ints? = None, keepdim: bool = False)";

const OpInfo kReduceOps[] = {
    OpInfo("torch.sum Tensor.sum", kDimsTyped, "The sum of all elements, or along the axes of dim=.",
           "torch.tensor([[1, 2], [3, 4]]).sum(dim=1)", sum_op, "$+ {e}$",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "SumBackward0", .narrow = kWidensInts}),
    OpInfo("torch.mean Tensor.mean", kDimsTyped, "The mean of all elements, or along the axes of dim=.",
           "torch.tensor([[1., 2.], [3., 4.]]).mean(dim=0)", mean_op, "($+ {e}$) / {n}",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "MeanBackward0"}),
    OpInfo("op.numpy_sum", kDims, "The sum, added in numpy's order.", "torch.tensor([1, 2]).sum()",
           fold_dims<numpy_sum>, "$+ {e}$",
           {.name = "sum", .axes = axis_rule::reduce, .element = kReduce, .narrow = kWidensInts}),
    OpInfo("op.numpy_mean", kDims, "The mean, added in numpy's order.", "torch.tensor([1., 2.]).mean()",
           fold_dims<numpy_mean>, "($+ {e}$) / {n}", {.name = "mean", .axes = axis_rule::reduce, .element = kReduce}),
    // For losses and norms that PyTorch does not sum by torch.sum.
    OpInfo("op.double_sum", kDims, "The sum, added from the left in double.", "torch.tensor([1, 2]).sum()",
           fold_dims<sum_in_double>, "$+ {e}$",
           {.name = "sum",
            .axes = axis_rule::reduce,
            .element = kReduce,
            .grad_fn = "SumBackward1",
            .narrow = kWidensInts}),
    OpInfo("op.loss_sum", kLosses, "The sum of losses, added in the order of nll_loss.",
           "F.nll_loss(torch.zeros(2, 3), torch.tensor([0, 1]), reduction='sum')", loss_sum_op, "$+ {e}$",
           {.name = "sum", .axes = axis_rule::reduce, .element = kReduce, .grad_fn = "SumBackward0"}),
    OpInfo("op.loss_mean", kLosses, "The mean of losses, added in the order of nll_loss.",
           "F.nll_loss(torch.zeros(2, 3), torch.tensor([0, 1]))", loss_mean_op, "($+ {e}$) / {n}",
           {.name = "mean", .axes = axis_rule::reduce, .element = kReduce, .grad_fn = "MeanBackward0"}),
    OpInfo("torch.prod Tensor.prod", kDimTyped, "The product of all elements, or along an axis.",
           "torch.tensor([[1, 2], [3, 4]]).prod(dim=1)", prod_op, "$* {e}$",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "ProdBackward0", .narrow = kWidensInts}),
    OpInfo("torch.var Tensor.var", kSpread,
           "The variance: the mean squared distance from the mean, over n - 1 unless unbiased=False.",
           "torch.var(torch.tensor([1., 2., 4.]))", var_op, ATTN_VARIANCE,
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "VarBackward0"}),
    OpInfo("torch.std Tensor.std", kSpread, "The standard deviation: the square root of the variance.",
           "torch.std(torch.tensor([1., 2., 4.]))", std_op, ATTN_DEVIATION,
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "StdBackward0"}),
    OpInfo("torch.max Tensor.max", kLargest,
           "The largest element; along dim= also its index; of two tensors the larger, elementwise.",
           "torch.tensor([[1, 5], [7, 2]]).max(dim=1)", max_op,
           "max({input}, {other}) || max($, {e}$) ;; [$, {e}$].index({largest})",
           {.axes = max_axes, .element = kReduce, .grad_fn = "MaxBackward0", .narrow = kKeeps}),
    OpInfo("torch.min Tensor.min", kLargest,
           "The smallest element; along dim= also its index; of two tensors the smaller, elementwise.",
           "torch.tensor([[1, 5], [7, 2]]).min(dim=1)", min_op,
           "min({input}, {other}) || min($, {e}$) ;; [$, {e}$].index({smallest})",
           {.axes = max_axes, .element = kReduce, .grad_fn = "MinBackward0", .narrow = kKeeps}),
    OpInfo("torch.amax Tensor.amax", kDims, "The largest element along axes, without its place.",
           "torch.tensor([[1, 5], [7, 2]]).amax(dim=1)", fold_dims<amax>, "max($, {e}$)",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "AmaxBackward0", .narrow = kKeeps}),
    OpInfo("torch.amin Tensor.amin", kDims, "The smallest element along axes, without its place.",
           "torch.tensor([[1, 5], [7, 2]]).amin(dim=1)", fold_dims<amin>, "min($, {e}$)",
           {.axes = axis_rule::reduce, .element = kReduce, .grad_fn = "AminBackward0", .narrow = kKeeps}),
    OpInfo("torch.argmax Tensor.argmax", kPlace, "The index of the largest element, of all or along an axis.",
           "torch.tensor([[1, 5], [7, 2]]).argmax(dim=1)", fold_dim<argmax>, "[$, {e}$].index({largest})",
           {.axes = axis_rule::reduce, .element = kReduce, .narrow = kCompares}),
    OpInfo("torch.argmin Tensor.argmin", kPlace, "The index of the smallest element, of all or along an axis.",
           "torch.tensor([[1, 5], [7, 2]]).argmin(dim=1)", fold_dim<argmin>, "[$, {e}$].index({smallest})",
           {.axes = axis_rule::reduce, .element = kReduce, .narrow = kCompares}),
    OpInfo("torch.any Tensor.any", kTruth, "Is one element or more not 0?",
           "torch.tensor([[False, True], [False, False]]).any(dim=1)", fold_dim<any>, "any([$, {e}$])",
           {.axes = axis_rule::reduce, .element = kReduce}),
    OpInfo("torch.all Tensor.all", kTruth, "Is no element 0?", "torch.tensor([[True, True], [False, True]]).all(dim=1)",
           fold_dim<all>, "all([$, {e}$])", {.axes = axis_rule::reduce, .element = kReduce}),
    OpInfo("torch.cumsum Tensor.cumsum", "(input: Tensor, dim: int, *, dtype: dtype? = None)",
           "Running sums along an axis.", "torch.cumsum(torch.tensor([1, 2, 3]), dim=0)", cumsum_op, "$+ {upto}$",
           {.element = kReduce, .grad_fn = "CumsumBackward0", .narrow = kWidensInts}),
    OpInfo("torch.softmax Tensor.softmax", kSoftmax,
           "exp(x) divided by its sum along an axis: positive weights that sum to 1.",
           "torch.softmax(torch.tensor([[1., 2., 3.], [1., 1., 1.]]), dim=-1)", softmax_op,
           "exp({x} - {largest}) / ($+ exp({e} - {largest})$)",
           {.axes = axis_rule::same, .element = kReduce, .grad_fn = "SoftmaxBackward0"}),
    OpInfo("torch.log_softmax Tensor.log_softmax", kSoftmax, "The logarithm of softmax, computed without overflow.",
           "torch.log_softmax(torch.tensor([1., 2., 3.]), dim=-1)", log_softmax_op,
           "{x} - {largest} - log($+ exp({e} - {largest})$)",
           {.axes = axis_rule::same, .element = kReduce, .grad_fn = "LogSoftmaxBackward0"}),
};

}  // namespace

std::span<const OpInfo> reduce_ops() { return kReduceOps; }

}  // namespace attn
