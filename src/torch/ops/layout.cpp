// Rows that move axes or re-read the storage in another shape. Most give views: nothing is copied.
#include "tensor/ops/layout.h"

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/ops/create.h"
#include "tensor/ops/join.h"
#include "text/unsupported.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Value view_op(OpCall& call) {
  if (const auto dtype = call.dtype("dtype")) {
    const TensorObject& x = call.handle("input");
    if (x.requires_grad && call.interpreter().grad_enabled())
      throw unsupported(call.span(), "unsupported.op.view_gradient");
    if (*dtype == call.tensor("input").dtype())
      return make_tensor(view(call.tensor("input"), call.tensor("input").shape()));
    throw unsupported(call.span(), "unsupported.op.view");
  }
  return make_tensor(view(call.tensor("input"), call.ints("size")));
}

Value view_as_op(OpCall& call) { return make_tensor(view(call.tensor("input"), call.tensor("other").shape())); }

// PyTorch's name tells whether there was a copy.
Value reshaped(OpCall& call, Tensor result) {
  const bool is_view = result.shares_storage(call.tensor("input"));
  return differentiable(call, std::move(result), is_view ? "ReshapeAliasBackward0" : "UnsafeViewBackward0");
}
Value reshape_op(OpCall& call) { return reshaped(call, reshape(call.tensor("input"), call.ints("shape"))); }
Value reshape_as_op(OpCall& call) {
  return reshaped(call, reshape(call.tensor("input"), call.tensor("other").shape()));
}

Value flatten_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  Tensor result = flatten(x, call.integer("start_dim"), call.integer("end_dim"));
  if (result.dim() == x.dim()) return call.value("input");  // one axis or none to merge: PyTorch gives x itself
  return reshaped(call, std::move(result));
}

Value permute_op(OpCall& call) { return make_tensor(permute(call.tensor("input"), call.ints("dims"))); }
Value transpose_op(OpCall& call) {
  return make_tensor(transpose(call.tensor("input"), call.integer("dim0"), call.integer("dim1")));
}
Value mT_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (x.dim() == 0) return call.value("input");
  if (x.dim() == 1)
    throw TensorError("mT.dims", Code::Shape, "RuntimeError",
                      "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.");
  return make_tensor(transpose(x, -2, -1));
}

Value squeeze_op(OpCall& call) {
  if (call.has("dim")) call.set_grad_fn("SqueezeBackward1");
  return make_tensor(squeeze(call.tensor("input"), call.optional_integer("dim")));
}
Value unsqueeze_op(OpCall& call) { return make_tensor(unsqueeze(call.tensor("input"), call.integer("dim"))); }

// The tensor itself becomes the view; its elements stay in their places.
Value relaid(OpCall& call) {
  const Tensor view = pure_result(call);
  TensorObject& handle = call.handle("input");
  handle.axes = call.info().axes(call, view, 0);
  handle.tensor = view;
  return call.value("input");
}

Value squeeze_in_place(OpCall& call) {
  const Value result = relaid(call);
  if (call.has("dim")) call.set_grad_fn("SqueezeBackward3");
  return result;
}

Value expand_op(OpCall& call) { return make_tensor(expand(call.tensor("input"), call.ints("size"))); }
Value expand_as_op(OpCall& call) { return make_tensor(expand(call.tensor("input"), call.tensor("other").shape())); }

Value contiguous_op(OpCall& call) {
  if (call.tensor("input").is_contiguous()) return call.value("input");
  return make_tensor(contiguous(call.tensor("input")));
}

Value repeat_op(OpCall& call) { return make_tensor(repeat(call.tensor("input"), call.ints("repeats"))); }

Value narrow_op(OpCall& call) {
  return make_tensor(narrow(call.tensor("input"), call.integer("dim"), call.integer("start"), call.integer("length")));
}
Value select_op(OpCall& call) {
  return make_tensor(select(call.tensor("input"), call.integer("dim"), call.integer("index")));
}

Value tril_op(OpCall& call) { return make_tensor(tril(call.tensor("input"), call.integer("diagonal"))); }
Value triu_op(OpCall& call) { return make_tensor(triu(call.tensor("input"), call.integer("diagonal"))); }

template <Tensor (*F)(const Tensor&, std::int64_t)>
Value triangle_in_place(OpCall& call) {
  require_writable(call);
  const Tensor kept = F(ones(call.tensor("input").shape(), DType::Bool), call.integer("diagonal"));
  return write_back_where(call, eq(kept, Scalar(false)), pure_result(call));
}

const OpInfo kLayoutOps[] = {
    OpInfo("Tensor.view", "(input: Tensor, *size: ints) | (input: Tensor, dtype: dtype)",
           "The same elements in the same order in another shape, without a copy; one size may be -1.",
           "torch.arange(6).view(2, -1)", view_op,
           {.axes = axis_rule::view,
            .element = kIndexMap,
            .grad_fn = "ViewBackward0",
            .flags = kView | kTraced,
            .narrow = kMoves}),
    OpInfo(
        "Tensor.view_as", kTensors, "view in the shape of another tensor.",
        "torch.arange(6).view_as(torch.zeros(2, 3))", view_as_op,
        {.axes = axis_rule::view, .element = kIndexMap, .grad_fn = "ViewBackward0", .flags = kView, .narrow = kMoves}),
    OpInfo("torch.reshape Tensor.reshape", "(input: Tensor, *shape: ints)",
           "view where that is possible, else a copy in order first.", "torch.arange(6).reshape(3, 2)", reshape_op,
           {.axes = axis_rule::view,
            .element = kIndexMap,
            .grad_fn = "ReshapeAliasBackward0",
            .flags = kView | kTraced,
            .narrow = kMoves}),
    OpInfo("Tensor.reshape_as", kTensors, "reshape to the shape of another tensor.",
           "torch.arange(6).reshape_as(torch.zeros(2, 3))", reshape_as_op,
           {.axes = axis_rule::view,
            .element = kIndexMap,
            .grad_fn = "ReshapeAliasBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("torch.flatten Tensor.flatten", "(input: Tensor, start_dim: int = 0, end_dim: int = -1)",
           "Merges the axes from start_dim to end_dim into one.", "torch.zeros(2, 3, 4).flatten(1).shape", flatten_op,
           {.axes = axis_rule::flatten,
            .element = kIndexMap,
            .grad_fn = "ReshapeAliasBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("torch.permute Tensor.permute", "(input: Tensor, *dims: ints)",
           "The axes in another order: place i of the result is axis dims[i].",
           "torch.zeros(2, 3, 4).permute(0, 2, 1).shape", permute_op,
           {.axes = axis_rule::permute,
            .element = kIndexMap,
            .grad_fn = "PermuteBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("torch.transpose torch.swapaxes torch.swapdims Tensor.transpose Tensor.swapaxes Tensor.swapdims",
           "(input: Tensor, dim0: int, dim1: int)", "Two axes swapped.", "torch.zeros(2, 3, 4).transpose(1, 2).shape",
           transpose_op,
           {.axes = axis_rule::transpose,
            .element = kIndexMap,
            .grad_fn = "TransposeBackward0",
            .flags = kView,
            .narrow = kMoves},
           {"Tensor.transpose_ Tensor.swapaxes_ Tensor.swapdims_", "Two axes swapped, in place: no element moves.",
            "torch.zeros(2, 3, 4).transpose_(1, 2).shape", relaid, "TransposeBackward1"}),
    OpInfo(
        "torch.t Tensor.t", kOne, "The transpose of a matrix.", "torch.tensor([[1, 2], [3, 4]]).t()", unary<t>,
        {.axes = axis_rule::reversed, .element = kIndexMap, .grad_fn = "TBackward0", .flags = kView, .narrow = kMoves},
        {"Tensor.t_", "The transpose of a matrix, in place: no element moves.", "torch.tensor([[1, 2], [3, 4]]).t_()",
         relaid, "TBackward1"}),
    OpInfo("Tensor.T", kOne, "All axes in reverse order; of a matrix its transpose. An attribute: x.T.",
           "torch.tensor([[1, 2], [3, 4]]).T", unary<numpy_T>,
           {.axes = axis_rule::reversed,
            .element = kIndexMap,
            .grad_fn = "PermuteBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("Tensor.mT", kOne, "The last two axes swapped. An attribute: x.mT.", "torch.zeros(2, 3, 4).mT.shape", mT_op,
           {.axes = axis_rule::transpose,
            .element = kIndexMap,
            .grad_fn = "TransposeBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("torch.squeeze Tensor.squeeze", "(input: Tensor) | (input: Tensor, dim: int)",
           "Drops axes of size 1: all, or the one of dim=.", "torch.zeros(2, 1, 3).squeeze(1).shape", squeeze_op,
           {.axes = axis_rule::squeeze,
            .element = kIndexMap,
            .grad_fn = "SqueezeBackward0",
            .flags = kView,
            .narrow = kMoves},
           {"Tensor.squeeze_", "Drops axes of size 1, in place: all, or the one of dim=.",
            "torch.zeros(2, 1, 3).squeeze_(1).shape", squeeze_in_place, "SqueezeBackward2"}),
    OpInfo("torch.unsqueeze Tensor.unsqueeze", "(input: Tensor, dim: int)", "A new axis of size 1 at dim.",
           "torch.zeros(2, 3).unsqueeze(1).shape", unsqueeze_op,
           {.axes = axis_rule::unsqueeze,
            .element = kIndexMap,
            .grad_fn = "UnsqueezeBackward0",
            .flags = kView,
            .narrow = kMoves},
           {"Tensor.unsqueeze_", "A new axis of size 1 at dim, in place.", "torch.zeros(2, 3).unsqueeze_(1).shape",
            relaid, "UnsqueezeBackward1"}),
    OpInfo("Tensor.expand", "(input: Tensor, *size: ints)",
           "Axes of size 1 repeated without a copy; -1 keeps a size; new axes come first.",
           "torch.tensor([[1], [2]]).expand(2, 3)", expand_op,
           {.axes = axis_rule::expand,
            .element = kIndexMap,
            .grad_fn = "ExpandBackward0",
            .flags = kView | kTraced,
            .narrow = kMoves}),
    OpInfo("Tensor.expand_as", kTensors, "expand to the shape of another tensor.",
           "torch.tensor([[1], [2]]).expand_as(torch.zeros(2, 3))", expand_as_op,
           {.axes = axis_rule::expand,
            .element = kIndexMap,
            .grad_fn = "ExpandBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("Tensor.contiguous", kOne, "The tensor itself if its elements are stored in order, else a copy in order.",
           "torch.zeros(2, 3).t().contiguous().is_contiguous()", contiguous_op,
           {.axes = axis_rule::same, .element = kIndexMap, .grad_fn = "CloneBackward0", .narrow = kMoves}),
    OpInfo("torch.clone Tensor.clone", kOne, "A copy with a storage of its own.", "torch.arange(3).clone()",
           unary<clone>,
           {.axes = axis_rule::same, .element = kIndexMap, .grad_fn = "CloneBackward0", .narrow = kMoves}),
    OpInfo("Tensor.repeat", "(input: Tensor, *repeats: ints)",
           "Copies of the tensor laid side by side, so many along each axis.", "torch.tensor([1, 2]).repeat(2, 3)",
           repeat_op,
           {.axes = axis_rule::repeat,
            .element = kIndexMap,
            .grad_fn = "RepeatBackward0",
            .flags = kTraced,
            .narrow = kMoves}),
    OpInfo("torch.narrow Tensor.narrow", "(input: Tensor, dim: int, start: int, length: int)",
           "`length` entries along an axis, from `start` on.", "torch.arange(6).narrow(0, 2, 3)", narrow_op,
           {.axes = axis_rule::split,
            .element = kIndexMap,
            .grad_fn = "SliceBackward0",
            .flags = kView | kTraced,
            .narrow = kMoves}),
    OpInfo("torch.select Tensor.select", "(input: Tensor, dim: int, index: int)",
           "The slice at one index of an axis; the axis goes away.", "torch.arange(6).view(2, 3).select(1, 0)",
           select_op,
           {.axes = axis_rule::unbind,
            .element = kIndexMap,
            .grad_fn = "SelectBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo(
        "torch.tril Tensor.tril", kDiagonal, "Zeros above the diagonal of the last two axes.",
        "torch.tril(torch.ones(3, 3))", tril_op, {.parts = {Part::Moved}, .grad_fn = "TrilBackward0", .narrow = kMoves},
        {"Tensor.tril_", "Zeros above the diagonal, in place.", "torch.ones(3, 3).tril_()", triangle_in_place<tril>}),
    OpInfo(
        "torch.triu Tensor.triu", kDiagonal, "Zeros below the diagonal of the last two axes.",
        "torch.triu(torch.ones(3, 3), diagonal=1)", triu_op,
        {.parts = {Part::Moved}, .grad_fn = "TriuBackward0", .narrow = kMoves},
        {"Tensor.triu_", "Zeros below the diagonal, in place.", "torch.ones(3, 3).triu_(1)", triangle_in_place<triu>}),
};

}  // namespace

std::span<const OpInfo> layout_ops() { return kLayoutOps; }

}  // namespace attn
