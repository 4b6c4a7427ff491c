// Rows that make one tensor of several, and several of one.
#include "tensor/ops/join.h"

#include "base/limits.h"
#include "tensor/ops/layout.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Value cat_op(OpCall& call) { return make_tensor(cat(call.tensors("tensors"), call.integer("dim"))); }
Value stack_op(OpCall& call) { return make_tensor(stack(call.tensors("tensors"), call.integer("dim"))); }
Value hstack_op(OpCall& call) { return make_tensor(hstack(call.tensors("tensors"))); }
Value vstack_op(OpCall& call) { return make_tensor(vstack(call.tensors("tensors"))); }

/// The tuple of what `cut` gives away.
template <class Cut>
Value tuple_of(const Cut& cut) {
  ItemCollector parts;
  cut([&](Tensor part) { parts.add(make_tensor(std::move(part))); });
  return make_tuple(parts.take());
}

// split(x, 2) cuts pieces of 2; split(x, [2, 3]) pieces of these sizes.
Value split_op(OpCall& call) {
  const Tensor& x = call.tensor("tensor");
  const std::string& sizes = call.parameters()[1].name;  // the method calls it otherwise
  const std::int64_t dim = call.integer("dim");
  if (call.value(sizes).as_int())
    return tuple_of([&](const TakePart& take) { split(x, call.integer(sizes), dim, take); });
  call.set_grad_fn("SplitWithSizesBackward0");
  return tuple_of([&](const TakePart& take) { split(x, call.ints(sizes), dim, take); });
}

Value chunk_op(OpCall& call) {
  return tuple_of(
      [&](const TakePart& take) { chunk(call.tensor("input"), call.integer("chunks"), call.integer("dim"), take); });
}
Value unbind_op(OpCall& call) {
  return tuple_of([&](const TakePart& take) { unbind(call.tensor("input"), call.integer("dim"), take); });
}

// hstack joins the second axis (of vectors the first), vstack the first (vectors become rows).
Axes hstack_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  return output.dim() == 1 ? axis_rule::cat(call, output, number) : axis_rule::none(call, output, number);
}

constexpr const char* kPieces = "Pieces of an axis: of one size, or of the sizes in a list.";
constexpr const char* kJoined = "(tensors: Tensors, dim: int = 0)";

const OpInfo kJoinOps[] = {
    OpInfo("torch.cat torch.concat torch.concatenate", kJoined,
           "Tensors laid one after another along an axis; the other axes are equal.",
           "torch.cat([torch.zeros(2, 3), torch.ones(1, 3)], dim=0)", cat_op,
           {.axes = axis_rule::cat, .element = kConcat, .grad_fn = "CatBackward0", .narrow = kMoves}),
    OpInfo("torch.stack", kJoined, "Tensors of one shape side by side along a new axis.",
           "torch.stack([torch.zeros(3), torch.ones(3)])", stack_op,
           {.axes = axis_rule::stack, .element = kConcat, .grad_fn = "StackBackward0", .narrow = kMoves}),
    OpInfo("torch.hstack", kSeveral, "Tensors side by side: along the second axis, vectors along their only one.",
           "torch.hstack([torch.zeros(2), torch.ones(3)])", hstack_op,
           {.axes = hstack_axes, .element = kConcat, .grad_fn = "CatBackward0", .narrow = kMoves}),
    OpInfo("torch.vstack", kSeveral, "Tensors below one another: along the first axis, vectors as rows.",
           "torch.vstack([torch.zeros(2), torch.ones(2)])", vstack_op,
           {.axes = axis_rule::none, .element = kConcat, .grad_fn = "CatBackward0", .narrow = kMoves}),
    OpInfo("torch.split", "(tensor: Tensor, split_size_or_sections: ints, dim: int = 0)", kPieces,
           "torch.split(torch.arange(5), 2)", split_op,
           {.axes = axis_rule::split,
            .element = kIndexMap,
            .grad_fn = "SplitBackward0",
            .flags = kView | kOneOrSeveral,
            .narrow = kMoves,
            .asks = "split"}),
    OpInfo("Tensor.split", "(tensor: Tensor, split_size: ints, dim: int = 0)", kPieces, "torch.arange(5).split(2)",
           split_op,
           {.axes = axis_rule::split,
            .element = kIndexMap,
            .grad_fn = "SplitBackward0",
            .flags = kView | kOneOrSeveral,
            .narrow = kMoves}),
    OpInfo("torch.chunk Tensor.chunk", "(input: Tensor, chunks: int, dim: int = 0)",
           "An axis cut into that many pieces of equal size (the last may be smaller).", "torch.arange(6).chunk(3)",
           chunk_op,
           {.axes = axis_rule::split,
            .element = kIndexMap,
            .grad_fn = "SplitBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("torch.unbind Tensor.unbind", "(input: Tensor, dim: int = 0)",
           "The slices of an axis as a tuple; also what `for row in x` goes through.",
           "torch.arange(6).view(2, 3).unbind()", unbind_op,
           {.axes = axis_rule::unbind,
            .element = kIndexMap,
            .grad_fn = "UnbindBackward0",
            .flags = kView,
            .narrow = kMoves}),
};

}  // namespace

std::span<const OpInfo> join_ops() { return kJoinOps; }

}  // namespace attn
