// Rows of diagonals, of grids, and of tensors laid side by side.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "tensor/core/error.h"
#include "tensor/ops/arrange.h"
#include "tensor/ops/create.h"
#include "tensor/ops/join.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/norms.h"
#include "tensor/ops/pointwise.h"
#include "torch/axis_names.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// ---- diagonals ----

Value diagonal_op(OpCall& call) {
  return make_tensor(
      diagonal(call.tensor("input"), call.integer("offset"), call.integer("dim1"), call.integer("dim2")));
}
Value diag_op(OpCall& call) { return make_tensor(diag(call.tensor("input"), call.integer("diagonal"))); }
Value diag_embed_op(OpCall& call) { return make_tensor(diag_embed(call.tensor("input"), call.integer("offset"))); }

Value fill_diagonal_op(OpCall& call) {
  Tensor& x = call.handle("input").tensor;
  if (x.dim() < 2) refuse("fill_diagonal.dims", Code::Shape, "RuntimeError", "dimensions must larger than 1");
  const bool alike = std::all_of(x.shape().begin(), x.shape().end(), [&](auto size) { return size == x.size(0); });
  if (x.dim() > 2 && !alike)
    refuse("fill_diagonal.size", Code::Shape, "RuntimeError", "all dimensions of input must be of equal length");
  require_writable(call, true);
  std::int64_t step = 0;
  for (const std::int64_t stride : x.strides()) step += stride;
  const std::int64_t rows = x.size(0), columns = x.size(1);
  const Tensor value = full({}, call.number("fill_value"), x.dtype());
  const auto write = [&](std::int64_t first_row) {
    const std::int64_t length = std::min(rows - first_row, columns);
    Tensor line = x.as_strided({length}, {step}, x.offset() + first_row * x.strides()[0]);
    assign(line, value);
  };
  if (x.numel() > 0) write(0);
  // Below a tall matrix the diagonal begins anew, one row farther down each time.
  if (call.flag("wrap") && x.dim() == 2)
    for (std::int64_t row = columns + 1; row < rows; row += columns + 1) write(row);
  return call.value("input");
}

// The two axes go, the diagonal is unnamed.
Axes diagonal_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  const auto count = static_cast<std::int64_t>(axes.size());
  const std::int64_t first = wrap_dim(call.integer("dim1"), count), second = wrap_dim(call.integer("dim2"), count);
  axes.erase(axes.begin() + std::max(first, second));
  axes.erase(axes.begin() + std::min(first, second));
  axes.emplace_back();
  return fitted(std::move(axes), output);
}

// ---- joining ----

Tensor as_columns(const Tensor& x) { return x.dim() < 2 ? reshape(x, {x.numel(), 1}) : x; }
Tensor at_least_three(const Tensor& x) {
  if (x.dim() == 0) return reshape(x, {1, 1, 1});
  if (x.dim() == 1) return unsqueeze(unsqueeze(x, 0), 2);
  return x.dim() == 2 ? unsqueeze(x, 2) : x;
}

template <TensorChange kChange, std::int64_t kDim>
Value stacked(OpCall& call) {
  const TensorList tensors = call.tensors("tensors");
  if (tensors.empty())
    refuse("stack.empty", Code::Value, "RuntimeError",
           fmt::format("{} expects a non-empty TensorList", call.info().name));
  return make_tensor(cat_changed(tensors, kChange, kDim));
}

Value tensor_split_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (x.dim() == 0)
    refuse("tensor_split.dims", Code::Shape, "RuntimeError",
           "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  const std::int64_t axis = wrap_dim(call.integer("dim"), x.dim());
  const std::int64_t size = x.size(axis);
  std::vector<Tensor> parts;
  if (call.takes("sections")) {
    const std::int64_t sections = call.integer("sections");
    if (sections <= 0)
      refuse("tensor_split.sections", Code::Value, "RuntimeError",
             fmt::format("number of sections must be larger than 0, got {}", sections));
    for (std::int64_t i = 0, start = 0; i < sections; ++i) {
      charge(1);
      const std::int64_t length = size / sections + (i < size % sections ? 1 : 0);
      parts.push_back(narrow(x, axis, start, length));
      start += length;
    }
    return tensor_tuple(std::move(parts));
  }
  std::int64_t start = 0;
  for (const std::int64_t stop : call.ints("indices")) {
    parts.push_back(slice(x, axis, start, stop));
    start = stop;
  }
  parts.push_back(slice(x, axis, start, std::nullopt));
  return tensor_tuple(std::move(parts));
}

// ---- grids ----

bool is_row_first(const OpCall& call) {
  if (!call.has("indexing")) return true;
  const std::string& indexing = call.value("indexing").as<Str>()->text;
  if (indexing != "ij" && indexing != "xy")
    refuse("meshgrid.indexing", Code::Value, "RuntimeError",
           "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: " + indexing);
  return indexing == "ij";
}

void check_grid(const std::vector<TensorObject*>& handles) {
  if (handles.empty()) refuse("meshgrid.empty", Code::Value, "RuntimeError", "meshgrid expects a non-empty TensorList");
  for (const TensorObject* handle : handles) {
    if (handle->tensor.dtype() != handles[0]->tensor.dtype())
      refuse("meshgrid.type", Code::Type, "RuntimeError", "meshgrid expects all tensors to have the same dtype");
    if (handle->tensor.dim() > 1)
      refuse("meshgrid.dims", Code::Shape, "RuntimeError",
             fmt::format("torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got:  {}",
                         shape_text(handle->tensor.shape())));
  }
}

// With "xy" the first two axes change places.
std::size_t grid_axis(const OpCall& call, std::size_t number, std::size_t count) {
  return is_row_first(call) || number > 1 || count < 2 ? number : 1 - number;
}

Value meshgrid_op(OpCall& call) {
  const std::vector<TensorObject*> handles = only_tensors(call, "tensors");
  check_grid(handles);
  std::vector<Value> operands;  // without the list around them
  for (TensorObject* handle : handles) operands.emplace_back(Ref<TensorObject>(handle));
  call.replace("tensors", make_tuple(std::move(operands)));
  Shape shape;
  for (const TensorObject* handle : handles) shape.push_back(handle->tensor.numel());
  std::vector<Tensor> grids;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    Shape line(handles.size(), 1);
    line[i] = shape[i];
    const Tensor grid = expand(reshape(handles[i]->tensor, line), shape);
    const bool swaps = !is_row_first(call) && handles.size() > 1;
    grids.push_back(swaps ? transpose(grid, 0, 1) : grid);
  }
  if (!is_row_first(call) && handles.size() > 1) call.set_grad_fn("TransposeBackward0");
  return tensor_tuple(std::move(grids));
}

Axes meshgrid_axes(const OpCall& call, const Tensor& output, std::size_t) {
  const std::vector<TensorObject*> handles = call.handles("tensors");
  Axes axes(handles.size());
  for (std::size_t i = 0; i < handles.size(); ++i)
    if (handles[i]->axes.size() == 1) axes[grid_axis(call, i, handles.size())] = handles[i]->axes[0];
  return fitted(std::move(axes), output);
}

constexpr const char* kDiagonalOfAxes = "(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1)";

const OpInfo kGridOps[] = {
    OpInfo("torch.diagonal Tensor.diagonal", kDiagonalOfAxes, "The diagonal of two axes, which becomes the last axis.",
           "torch.diagonal(torch.arange(9).view(3, 3))", diagonal_op,
           {.axes = diagonal_axes,
            .element = kIndexMap,
            .grad_fn = "DiagonalBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("torch.diag Tensor.diag", "(input: Tensor, diagonal: int = 0)",
           "A vector on the diagonal of a matrix, or the diagonal of a matrix as a vector.",
           "torch.diag(torch.tensor([1, 2]))", diag_op,
           {.axes = axis_rule::none, .element = kIndexMap, .grad_fn = "DiagBackward0"}),
    OpInfo("torch.diag_embed Tensor.diag_embed", "(input: Tensor, offset: int = 0)",
           "The last axis on the diagonal of two axes, zeros beside it.", "torch.diag_embed(torch.tensor([1, 2]))",
           diag_embed_op, {.axes = axis_rule::none, .element = kIndexMap, .grad_fn = "DiagEmbedBackward0"}),
    OpInfo("Tensor.fill_diagonal_", "(input: Tensor, fill_value: Number, wrap: bool = False)",
           "Writes one value on the diagonal.", "torch.zeros(3, 3).fill_diagonal_(1)", fill_diagonal_op,
           {.parts = {Part::Moved}, .grad_fn = "CopySlices", .flags = kInPlace}),
    OpInfo("torch.trace Tensor.trace", kOne, "The sum of the diagonal of a matrix.", "torch.trace(torch.eye(3))",
           unary<trace>,
           {.axes = axis_rule::none, .element = kReduce, .parts = {Part::Added, "input"}, .grad_fn = "TraceBackward0"}),
    OpInfo("torch.dstack", kSeveral, "Tensors joined along the third axis.",
           "torch.dstack([torch.zeros(2), torch.ones(2)])", stacked<at_least_three, 2>,
           {.axes = axis_rule::none, .element = kConcat, .grad_fn = "CatBackward0"}),
    OpInfo("torch.column_stack", kSeveral, "Tensors side by side; vectors become columns.",
           "torch.column_stack([torch.zeros(2), torch.ones(2)])", stacked<as_columns, 1>,
           {.axes = axis_rule::none, .element = kConcat, .grad_fn = "CatBackward0"}),
    OpInfo("torch.tensor_split Tensor.tensor_split",
           "(input: Tensor, sections: int, dim: int = 0) | (input: Tensor, indices: shape, dim: int = 0)",
           "An axis cut into that many nearly equal pieces, or before the places in a list.",
           "torch.tensor_split(torch.arange(5), 2)", tensor_split_op,
           {.axes = axis_rule::split, .element = kIndexMap, .grad_fn = "SliceBackward0", .flags = kView}),
    OpInfo("torch.meshgrid", "(*tensors: any, *, indexing: str? = None)",
           "A grid from vectors: for each, a tensor with its coordinate everywhere.",
           "torch.meshgrid(torch.arange(2), torch.arange(3), indexing='ij')", meshgrid_op,
           {.axes = meshgrid_axes, .element = kIndexMap, .grad_fn = "ExpandBackward0", .flags = kView}),
};

}  // namespace

std::span<const OpInfo> grid_ops() { return kGridOps; }

}  // namespace attn
