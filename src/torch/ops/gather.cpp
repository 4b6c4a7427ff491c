// Rows that pick elements by tensors of numbers, write to such places, or put the elements of an axis in order.
#include "tensor/ops/gather.h"

#include "base/diagnostic.h"
#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/create.h"
#include "tensor/ops/join.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/sort.h"
#include "text/unsupported.h"
#include "torch/axis_names.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// As a tuple of axes a tensor without any counts as one with one.
Tensor at_least_vector(const Tensor& x, bool wanted) { return wanted && x.dim() == 0 ? unsqueeze(x, 0) : x; }

Value gather_op(OpCall& call) {
  return make_tensor(gather(call.tensor("input"), call.integer("dim"), call.tensor("index")));
}

// For ops that write out of order: nothing that is read may be what is written to. Without elements, or with gaps
// between them, that is only the tensor itself.
void require_reads_apart(const OpCall& call) {
  const TensorObject* number = call.value("value").as<TensorObject>();
  for (std::size_t i = 1; i < call.inputs().size(); ++i) {
    const TensorObject* input = call.inputs()[i];
    const bool is_open = input->tensor.numel() == 0 || !is_dense(input->tensor);
    const bool is_number = input == number && i + 1 == call.inputs().size();  // the index may be the same tensor
    if (is_number || (is_open && input != &call.handle("input"))) continue;
    require_apart(call.tensor("input"), input->tensor);
  }
}

Value write_apart(OpCall& call) {
  const Tensor result = pure_result(call);
  require_reads_apart(call);
  return write_back(call, result);
}

// ---- scatter ----

Scatter how_to_scatter(const OpCall& call) {
  if (!call.has("reduce")) return Scatter::Set;
  const std::string& how = call.value("reduce").as<Str>()->text;
  if (how == "add") return Scatter::Add;
  if (how == "multiply") return Scatter::Multiply;
  throw TensorError("scatter.reduce", Code::Value, "RuntimeError", "reduce argument must be either add or multiply.");
}

Value scatter_op(OpCall& call) {
  const Tensor &x = call.tensor("input"), &index = call.tensor("index");
  const Scatter how = how_to_scatter(call);
  const std::int64_t dim = call.integer("dim");
  const bool has_source = call.takes("src");
  if (how != Scatter::Set) call.set_grad_fn("NotImplemented");
  else call.set_grad_fn(has_source ? "ScatterBackward0" : "ScatterBackward1");
  if (has_source) return make_tensor(scatter(x, dim, index, call.tensor("src"), how));
  return make_tensor(scatter(x, dim, index, call.number("value"), how));
}

Value scatter_add_op(OpCall& call) {
  return make_tensor(
      scatter(call.tensor("input"), call.integer("dim"), call.tensor("index"), call.tensor("src"), Scatter::Add));
}

// ---- one axis ----

Value index_select_op(OpCall& call) {
  return make_tensor(index_select(call.tensor("input"), call.integer("dim"), call.tensor("index")));
}

Value index_fill_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (!is_number(call, "value")) call.set_grad_fn("IndexFillBackward1");
  const Operand value = call.operand("value");
  const Tensor filler = value.tensor() ? *value.tensor() : full({}, *value.scalar(), x.dtype());
  return make_tensor(index_fill(x, call.integer("dim"), call.tensor("index"), filler));
}
Value index_fill_in_place(OpCall& call) {
  // Values of several elements and indices of another type are refused first of all.
  const TensorObject* value = call.value("value").as<TensorObject>();
  if ((!value || value->tensor.dim() == 0) && call.tensor("index").dtype() == DType::Int64) {
    wrap_dim(call.integer("dim"), call.tensor("input").dim());
    require_reads_apart(call);
  }
  const Tensor result = pure_result(call);
  const Tensor filled =
      index_fill(zeros(result.shape(), DType::Bool), call.integer("dim"), call.tensor("index"), Tensor::scalar(true));
  return write_back_where(call, filled, result);
}

Value index_add_op(OpCall& call) {
  return make_tensor(index_add(call.tensor("input"), call.integer("dim"), call.tensor("index"), call.tensor("source"),
                               call.number("alpha")));
}
Value index_add_in_place(OpCall& call) {
  require_writable(call);
  check_index_add(call.tensor("input"), call.integer("dim"), call.tensor("index"), call.tensor("source"));
  require_reads_apart(call);
  return write_back(call, pure_result(call));
}

Value index_copy_op(OpCall& call) {
  return make_tensor(
      index_copy(call.tensor("input"), call.integer("dim"), call.tensor("index"), call.tensor("source")));
}
Value index_copy_in_place(OpCall& call) {
  require_writable(call);
  wrap_dim(call.integer("dim"), call.tensor("input").dim());
  require_reads_apart(call);
  return write_back(call, pure_result(call));
}

Value take_op(OpCall& call) { return make_tensor(take(call.tensor("input"), call.tensor("index"))); }

// gather with axes that broadcast; without dim= of the tensor as one row.
Value take_along_dim_op(OpCall& call) {
  const Tensor &x = call.tensor("input"), &index = call.tensor("indices");
  if (call.has("dim") && x.dim() == index.dim() && index.dtype() != DType::Int64)
    throw TensorError(
        "gather.type", Code::Type, "RuntimeError",
        "torch.take_along_dim(): dtype of indices should be Long but got " + scalar_type_name(index.dtype()));
  if (!call.has("dim")) return make_tensor(gather(view(x, {-1}), 0, view(index, {-1})));
  if (x.dim() != index.dim()) {
    throw TensorError("take_along_dim.dims", Code::Shape, "RuntimeError",
                      "torch.take_along_dim(): input and indices should have the same number of dimensions, but got " +
                          std::to_string(x.dim()) + " dimensions for input, and " + std::to_string(index.dim()) +
                          " dimensions for indices");
  }
  const std::int64_t axis = axis_of(call.integer("dim"), x.dim());
  const auto place = static_cast<std::size_t>(axis);
  Shape x_shape = x.shape(), index_shape = index.shape();
  x_shape[place] = index_shape[place] = 1;
  x_shape = index_shape = broadcast_shapes(x_shape, index_shape);
  x_shape[place] = x.shape()[place];
  index_shape[place] = index.shape()[place];
  return make_tensor(gather(expand(x, x_shape), axis, expand(index, index_shape)));
}

Value masked_select_op(OpCall& call) { return make_tensor(masked_select(call.tensor("input"), call.tensor("mask"))); }

Value nonzero_op(OpCall& call) {
  const Tensor places = nonzero(at_least_vector(call.tensor("input"), call.flag("as_tuple")));
  if (!call.flag("as_tuple")) return make_tensor(places);
  return tensor_tuple(unbind(places, 1));
}
Value where_places_op(OpCall& call) {
  return tensor_tuple(unbind(nonzero(at_least_vector(call.tensor("condition"), true)), 1));
}

// ---- order ----

Value sort_op(OpCall& call) {
  return values_indices(sort(call.tensor("input"), call.integer("dim"), call.flag("descending"), call.flag("stable")),
                        "torch.return_types.sort");
}
Value argsort_op(OpCall& call) {
  return make_tensor(
      sort(call.tensor("input"), call.integer("dim"), call.flag("descending"), call.flag("stable")).indices);
}
Value msort_op(OpCall& call) { return make_tensor(sort(call.tensor("input"), 0).values); }

Value topk_op(OpCall& call) {
  return values_indices(
      topk(call.tensor("input"), call.integer("k"), call.integer("dim"), call.flag("largest"), call.flag("sorted")),
      "torch.return_types.topk");
}

Value median_op(OpCall& call) {
  if (!call.has("dim")) return make_tensor(median(call.tensor("input")));
  call.set_grad_fn("MedianBackward1");
  return values_indices(median(call.tensor("input"), call.integer("dim"), call.flag("keepdim")),
                        "torch.return_types.median");
}

Value kthvalue_op(OpCall& call) {
  return values_indices(kthvalue(call.tensor("input"), call.integer("k"), call.integer("dim"), call.flag("keepdim")),
                        "torch.return_types.kthvalue");
}

Value unique_op(OpCall& call) {
  if (call.has("dim")) {
    throw unsupported(call.span(), "unsupported.op.unique");
  }
  Unique found = unique(call.tensor("input"));
  std::vector<Tensor> results{std::move(found.values)};
  if (call.flag("return_inverse")) results.push_back(std::move(found.inverse));
  if (call.flag("return_counts")) results.push_back(std::move(found.counts));
  return results.size() == 1 ? make_tensor(results[0]) : tensor_tuple(std::move(results));
}

Value bincount_op(OpCall& call) {
  return make_tensor(bincount(call.tensor("input"), call.has("weights") ? call.tensor("weights") : Tensor(),
                              call.integer("minlength")));
}

// ---- names of axes ----

// gather and take: the result has the shape of the index.
Axes index_axes(const OpCall& call, const Tensor& output, std::size_t) {
  const char* name = call.takes("indices") ? "indices" : "index";
  const Axes& axes = call.handle(name).axes;
  return axes.size() == static_cast<std::size_t>(output.dim()) ? axes : Axes(static_cast<std::size_t>(output.dim()));
}

// The picked axis loses its words, and its name where the index brings one.
Axes picked_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  Axes axes = axis_rule::split(call, output, number);
  const Axes& picked = call.handle("index").axes;
  std::int64_t dim = call.integer("dim");
  if (dim < 0) dim += output.dim();
  const auto place = static_cast<std::size_t>(dim);
  if (place < axes.size()) drop_rows_by(axes, axes[place].name);
  if (picked.size() == 1 && !picked[0].name.empty() && place < axes.size()) axes[place] = picked[0];
  return axes;
}

Axes kept_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return call.has("dim") ? axis_rule::reduce(call, output, number) : axis_rule::none(call, output, number);
}

// sort and topk: the words no longer stand at their places. Without dim= it is the last axis.
Axes sorted_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  std::int64_t dim = call.has("dim") ? call.integer("dim") : call.info().name == "msort" ? 0 : -1;
  if (dim < 0) dim += output.dim();
  if (const auto place = static_cast<std::size_t>(dim); place < axes.size()) {
    axes[place].words = nullptr;
    drop_rows_by(axes, axes[place].name);
  }
  if (axes.size() != static_cast<std::size_t>(output.dim())) return Axes(static_cast<std::size_t>(output.dim()));
  return axes;
}

constexpr const char* kPick = "(input: Tensor, dim: int, index: Tensor)";
constexpr const char* kScatter =
    "(input: Tensor, dim: int, index: Tensor, src: Tensor) | "
    "(input: Tensor, dim: int, index: Tensor, src: Tensor, *, reduce: str) | "
    "(input: Tensor, dim: int, index: Tensor, value: Number) | "
    "(input: Tensor, dim: int, index: Tensor, value: Number, *, reduce: str)";
constexpr const char* kScatterAdd = "(input: Tensor, dim: int, index: Tensor, src: Tensor)";
constexpr const char* kFill = "(input: Tensor, dim: int, index: Tensor, value: Operand)";
constexpr const char* kAdd = "(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1)";
constexpr const char* kCopy = "(input: Tensor, dim: int, index: Tensor, source: Tensor)";
constexpr const char* kSort =
    "(input: Tensor, dim: int = -1, descending: bool = False) | "
    "(input: Tensor, *, stable: bool, dim: int = -1, descending: bool = False)";
constexpr const char* kUnique =
    "(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int? = None)";

// Where an element that was put in order stood before.
#define ATTN_PICKED                      \
  "first: [$, {e}$].index({picked}) || " \
  "[i for i, e in enumerate([$, {e}$]) if e == {picked}][{nth}]"
constexpr const char* kNonzero = "[i for i, e in enumerate([$, {e}$]) if e != 0][{nth}] // {stride} % {size} ;; ...";

const OpInfo kGatherOps[] = {
    OpInfo("torch.gather Tensor.gather", "(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False)",
           "Elements selected along one axis by their indices: out[i][j] = x[i][index[i][j]] for dim=1.",
           "torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[0], [1]]))", gather_op,
           {.axes = index_axes, .element = kGather, .grad_fn = "GatherBackward0", .narrow = kMoves}),
    OpInfo(
        "torch.scatter Tensor.scatter", kScatter,
        "A copy in which values were written to the places in index: out[i][index[i][j]] = src[i][j] for dim=1.",
        "torch.zeros(2, 3).scatter(1, torch.tensor([[0], [2]]), 1.)", scatter_op,
        {.axes = axis_rule::same, .element = kGather, .parts = {Part::ByReduce, "src"}, .grad_fn = "ScatterBackward0"},
        {"Tensor.scatter_", "Writes values to the places in index: x[i][index[i][j]] = src[i][j] for dim=1.",
         "torch.zeros(2, 3).scatter_(1, torch.tensor([[0], [2]]), 1.)", write_apart}),
    OpInfo(
        "torch.scatter_add Tensor.scatter_add", kScatterAdd,
        "A copy to which values were added at the places in index.",
        "torch.zeros(3).scatter_add(0, torch.tensor([0, 0, 2]), torch.ones(3))", scatter_add_op,
        {.axes = axis_rule::same, .element = kGather, .parts = {Part::Added, "src"}, .grad_fn = "ScatterAddBackward0"},
        {"Tensor.scatter_add_", "Adds values at the places in index.",
         "torch.zeros(3).scatter_add_(0, torch.tensor([0, 0, 2]), torch.ones(3))", write_apart}),
    OpInfo("torch.index_select Tensor.index_select", kPick, "The places of an axis that a vector names.",
           "torch.index_select(torch.arange(6).view(2, 3), 1, torch.tensor([2, 0]))", index_select_op,
           {.axes = picked_axes, .element = kGather, .grad_fn = "IndexSelectBackward0"}),
    OpInfo("torch.index_fill Tensor.index_fill", kFill,
           "A copy in which the places of an axis that a vector names hold one value.",
           "torch.zeros(2, 3).index_fill(1, torch.tensor([0, 2]), 1.)", index_fill_op,
           {.axes = axis_rule::same, .element = kGather, .grad_fn = "IndexFillBackward0"},
           {"Tensor.index_fill_", "Writes one value to the places of an axis that a vector names.",
            "torch.zeros(2, 3).index_fill_(1, torch.tensor([0, 2]), 1.)", index_fill_in_place}),
    OpInfo("torch.index_add Tensor.index_add", kAdd,
           "A copy to whose places along an axis the slices of another tensor were added.",
           "torch.zeros(3).index_add(0, torch.tensor([0, 0]), torch.tensor([1., 2.]))", index_add_op,
           {.axes = axis_rule::same,
            .element = kGather,
            .parts = {Part::Added, "source", "alpha"},
            .grad_fn = "IndexAddBackward0"},
           {"Tensor.index_add_", "Adds slices to the places of an axis that a vector names.",
            "torch.zeros(3).index_add_(0, torch.tensor([0, 0]), torch.tensor([1., 2.]))", index_add_in_place}),
    OpInfo("torch.index_copy Tensor.index_copy", kCopy,
           "A copy with slices of another tensor at the indices that a vector names.",
           "torch.zeros(3).index_copy(0, torch.tensor([2]), torch.ones(1))", index_copy_op,
           {.axes = axis_rule::same, .element = kGather, .grad_fn = "IndexCopyBackward0"},
           {"Tensor.index_copy_", "Writes slices to the places of an axis that a vector names.",
            "torch.zeros(3).index_copy_(0, torch.tensor([2]), torch.ones(1))", index_copy_in_place}),
    OpInfo("torch.take Tensor.take", "(input: Tensor, index: Tensor)",
           "Elements by their number, counted through all axes.",
           "torch.take(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 3]))", take_op,
           {.axes = index_axes, .element = kGather, .grad_fn = "TakeBackward0"}),
    OpInfo("torch.take_along_dim Tensor.take_along_dim", "(input: Tensor, indices: Tensor, dim: int? = None)",
           "gather whose other axes broadcast; takes the result of argsort or argmax.",
           "x = torch.tensor([[3, 1], [2, 4]])\ntorch.take_along_dim(x, x.argsort(dim=1), dim=1)", take_along_dim_op,
           {.axes = index_axes, .element = kGather, .grad_fn = "GatherBackward0"}),
    OpInfo("torch.masked_select Tensor.masked_select", "(input: Tensor, mask: Tensor)",
           "The elements where the mask is True, in one row.", "x = torch.arange(4)\ntorch.masked_select(x, x > 1)",
           masked_select_op,
           {.axes = axis_rule::none, .element = kGather, .grad_fn = "MaskedSelectBackward0", .narrow = kMoves}),
    OpInfo("torch.nonzero Tensor.nonzero", "(input: Tensor, *, as_tuple: bool = False)",
           "The indices of the elements that are not 0: one row for each, or with as_tuple one tensor for each axis.",
           "torch.nonzero(torch.tensor([[0, 1], [2, 0]]))", nonzero_op, kNonzero,
           {.axes = axis_rule::none, .element = kGather, .narrow = kMoves}),
    OpInfo("torch.argwhere Tensor.argwhere", kOne, "The indices of the elements that are not 0, a row for each.",
           "torch.argwhere(torch.tensor([0, 1, 1]))", nonzero_op, kNonzero,
           {.axes = axis_rule::none, .element = kGather, .narrow = kMoves}),
    OpInfo("op.where_places", "(condition: Tensor)",
           "torch.where(condition) alone: one tensor of indices for each axis.",
           "torch.where(torch.tensor([0, 1, 1]) > 0)", where_places_op, kNonzero,
           {.axes = axis_rule::none, .element = kGather, .narrow = kMoves}),
    OpInfo("torch.sort Tensor.sort", kSort, "An axis in order, and where each element came from.",
           "torch.sort(torch.tensor([3., 1., 2.]))", sort_op,
           "descending=True: sorted([$, {e}$], reverse=True)[{i}] || sorted([$, {e}$])[{i}] ;; " ATTN_PICKED,
           {.axes = sorted_axes, .element = kGather, .grad_fn = "SortBackward0", .narrow = kKeeps}),
    OpInfo("torch.argsort Tensor.argsort", kSort, "Where the elements of an axis come from when it is put in order.",
           "torch.argsort(torch.tensor([3., 1., 2.]))", argsort_op, ATTN_PICKED,
           {.axes = sorted_axes, .element = kGather}),
    OpInfo("torch.msort Tensor.msort", kOne, "The first axis in order.", "torch.msort(torch.tensor([3., 1., 2.]))",
           msort_op, "@axis0 sorted([$, {e}$])[{i}]",
           {.axes = sorted_axes, .element = kGather, .grad_fn = "SortBackward0"}),
    OpInfo("torch.topk Tensor.topk",
           "(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True)",
           "The k largest elements along an axis in order, and their indices.",
           "torch.topk(torch.tensor([3., 1., 2.]), 2)", topk_op,
           "largest=False: sorted([$, {e}$])[{i}] || sorted([$, {e}$], reverse=True)[{i}] ;; " ATTN_PICKED,
           {.axes = sorted_axes, .element = kGather, .grad_fn = "TopkBackward0", .narrow = kKeeps}),
    OpInfo("torch.median Tensor.median", "(input: Tensor) | (input: Tensor, dim: int, keepdim: bool = False)",
           "The middle element (the lower of two), of all or along an axis.",
           "torch.median(torch.tensor([3., 1., 2.]))", median_op, "sorted([$, {e}$])[{middle}] ;; " ATTN_PICKED,
           {.axes = kept_axes, .element = kReduce, .grad_fn = "MedianBackward0"}),
    OpInfo("torch.kthvalue Tensor.kthvalue", "(input: Tensor, k: int, dim: int = -1, keepdim: bool = False)",
           "The k-th smallest element along an axis, and its index.", "torch.kthvalue(torch.tensor([3., 1., 2.]), 1)",
           kthvalue_op, "sorted([$, {e}$])[{k} - 1] ;; " ATTN_PICKED,
           {.axes = axis_rule::none, .element = kReduce, .grad_fn = "KthvalueBackward0"}),
    OpInfo("torch.unique Tensor.unique", kUnique,
           "The different elements in order; also the place of each among them, and how often each occurs.",
           "torch.unique(torch.tensor([3, 1, 3]))", unique_op,
           "sorted(set([$, {e}$]))[{i}] ;; return_inverse=True: sorted(set([$, {e}$])).index({x}) || "
           "[$, {e}$].count(sorted(set([$, {e}$]))[{i}]) ;; [$, {e}$].count(sorted(set([$, {e}$]))[{i}])",
           {.axes = axis_rule::none,
            .element = kGather,
            .parts = {Part::UnknownWith, "dim"},
            .grad_fn = "Unique2Backward0"}),
    OpInfo("torch.bincount Tensor.bincount", "(input: Tensor, weights: Tensor? = None, minlength: int = 0)",
           "How often each of the numbers 0, 1, 2, ... occurs.", "torch.bincount(torch.tensor([0, 2, 2]))", bincount_op,
           "$+ ({e} == {i}) * {weights.e}$ || [$, {e}$].count({i})",
           {.axes = axis_rule::none, .element = kReduce, .grad_fn = "NotImplemented"}),
};

#undef ATTN_PICKED

}  // namespace

std::span<const OpInfo> gather_ops() { return kGatherOps; }

}  // namespace attn
