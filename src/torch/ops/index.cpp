// Rows behind x[...] and x[...] = value. They have no spelling in Python; the evaluator looks them up as "op.index".
#include "tensor/ops/index.h"

#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "torch/axis_rules.h"
#include "torch/index_items.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

bool has_tensor(const std::vector<IndexPart>& parts) {
  for (const IndexPart& part : parts)
    if (part.tensor) return true;
  return false;
}

// The axes of x that are left for an ellipsis: of those the items before it, and after it, do not speak.
std::size_t axes_of_ellipsis(const std::vector<IndexPart>& parts, const Shape& shape) {
  std::size_t count = 0;
  for (const IndexPart& part : parts)
    if (!std::holds_alternative<NewAxis>(part.item) && !std::holds_alternative<EllipsisIndex>(part.item)) ++count;
  return shape.size() - std::min(shape.size(), count);
}

// PyTorch leaves out a slice that names all of an axis by numbers (0:4), unless it stands alone between the brackets.
bool is_left_out(const SliceIndex& slice, std::int64_t size, bool is_alone) {
  return !is_alone && slice.start.value_or(0) == 0 && slice.stop == size && slice.step.value_or(1) == 1;
}

// PyTorch indexes item by item, so the last one that did something gives the gradient its name.
std::string_view index_grad_fn(const std::vector<IndexPart>& parts, const Shape& shape) {
  if (has_tensor(parts)) return "IndexBackward0";
  std::string_view name = "AliasBackward0";
  const std::size_t left = axes_of_ellipsis(parts, shape);
  std::size_t axis = 0;
  for (const IndexPart& part : parts) {
    if (std::holds_alternative<EllipsisIndex>(part.item)) {
      axis += left;
    } else if (std::holds_alternative<NewAxis>(part.item)) {
      name = "UnsqueezeBackward0";
    } else if (const auto* slice = std::get_if<SliceIndex>(&part.item)) {
      if (!is_left_out(*slice, axis < shape.size() ? shape[axis] : -1, parts.size() == 1)) name = "SliceBackward0";
      ++axis;
    } else {
      name = "SelectBackward0";
      ++axis;
    }
  }
  return name;
}

Value index_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const std::vector<IndexPart> parts = read_index(call.value("items"));
  call.set_grad_fn(index_grad_fn(parts, x.shape()));
  return make_tensor(index(x, items_of(parts)));
}

Tensor assigned_value(const OpCall& call, DType dtype) {
  const Value& value = call.value("value");
  if (const auto* object = value.as<TensorObject>()) return object->tensor;
  const Array* scalar = value.as<Array>();  // of those that Python takes for its own float or for an index
  const DType type = scalar && scalar->is_scalar ? scalar->tensor->tensor.dtype() : DType::Bool;
  const bool is_whole_number = !is_floating(type) && type != DType::Bool;
  if (value.is_number() || type == DType::Float64 || is_whole_number) return full({}, *as_scalar(value), dtype);
  throw TensorError(
      "index.value", Code::Type, "TypeError",
      "can't assign a " + type_name(value) + " to a torch." + std::string(scalar_type_name(dtype)) + "Tensor");
}

// Whether what is written to is x itself and no view of it: then the write is not through a view, either.
bool is_whole(const std::vector<IndexPart>& parts, const Shape& shape) {
  const std::size_t left = axes_of_ellipsis(parts, shape);
  std::size_t axis = 0;
  for (const IndexPart& part : parts) {
    if (std::holds_alternative<EllipsisIndex>(part.item)) {
      axis += left;
    } else if (const auto* slice = std::get_if<SliceIndex>(&part.item)) {
      if (!is_left_out(*slice, axis < shape.size() ? shape[axis] : -1, false)) return false;
      ++axis;
    } else if (part.tensor && part.tensor->tensor.dim() > 0) {
      const Tensor& picks = part.tensor->tensor;
      axis += picks.dtype() == DType::Bool ? picks.shape().size() : 1;
    } else {
      return false;
    }
  }
  return true;
}

std::string_view put_grad_fn(const std::vector<IndexPart>& parts, const Tensor& x, const Tensor& value) {
  if (!is_whole(parts, x.shape())) return "CopySlices";
  if (has_tensor(parts)) return "IndexPutBackward0";
  return value.dim() == 0 && x.dim() > 0 ? "FillBackward3" : "CopyBackwards";
}

Value index_put_op(OpCall& call) {
  std::vector<IndexPart> parts = read_index(call.value("items"));
  if (const bool* all = call.value("items").as_bool()) {  // x[True] is x[None], x[False] is nothing
    call.set_grad_fn(call.handle("input").grad_fn);
    if (!*all) return call.value("input");
    parts = {{NewAxis{}, {}}};
  }
  Tensor& x = call.handle("input").tensor;
  Tensor value = assigned_value(call, x.dtype());
  if (call.handle("input").requires_grad && !has_tensor(parts)) check_index_put(x, items_of(parts), value);
  require_writable(call, !is_whole(parts, x.shape()));
  // The tensor itself overlaps; what has no elements, or gaps between them, does not as another view, and so a copy.
  const bool is_itself = call.value("value").as<TensorObject>() == &call.handle("input") &&
                         is_whole(parts, x.shape()) && (x.dim() == 0 || x.size(0) != 1);
  if (!is_itself && value.shares_storage(x) && (value.numel() == 0 || !is_dense(value))) value = clone(value);
  call.set_grad_fn(put_grad_fn(parts, x, value));
  index_put(x, items_of(parts), value);
  return call.value("input");
}

// Drawn as it is: the result is the same numbers.
Value imshow_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  return make_tensor(x.as_strided(x.shape(), x.strides(), x.offset()));
}

const OpInfo kIndexOps[] = {
    OpInfo(
        "op.index", "(input: Tensor, items: any)",
        "x[...]: an int picks a place, a slice a range, None adds an axis, a tensor or list picks many.",
        "x = torch.arange(6).view(2, 3)\nx[0, 1:]", index_op,
        {.axes = axis_rule::index, .element = kGather, .grad_fn = "SelectBackward0", .flags = kView, .narrow = kMoves}),
    OpInfo(
        "op.imshow", "(input: Tensor)",
        "What plt.imshow, plt.matshow, sns.heatmap and their like were given: shown as a table of numbers.",
        "import matplotlib.pyplot as plt\nplt.imshow(torch.eye(3))\ntorch.eye(3)", imshow_op,
        {.axes = axis_rule::same, .element = kIndexMap, .grad_fn = "AliasBackward0", .flags = kView, .narrow = kMoves}),
    OpInfo("op.index_put", "(input: Tensor, items: any, value: any)",
           "x[...] = value: writes into the picked places; the value broadcasts.",
           "x = torch.zeros(2, 3)\nx[0, 1:] = 7.\nx", index_put_op,
           {.element = kGather, .grad_fn = "CopySlices", .flags = kInPlace, .narrow = kMoves}),
};

}  // namespace

std::span<const OpInfo> index_ops() { return kIndexOps; }

}  // namespace attn
