// Indexing in three steps: the items are applied from left to right as views, which leaves the tensors among them with
// the axis each one picks from (Selection); masks become lists of positions and all tensors are broadcast (Gather);
// then one walk reads or writes x at the sum of a view's offset and an offset from the table of picked positions.
// Over 400 lines because reading and writing share all three steps.
#include "tensor/ops/index.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/limits.h"
#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/zip.h"

namespace attn {
namespace {

[[noreturn]] void refuse_index(const std::string& rule, const std::string& text, std::vector<Fact> facts = {}) {
  throw TensorError(rule, Code::Index, "IndexError", text, std::move(facts));
}

[[noreturn]] void refuse_index_range(std::int64_t index, std::int64_t axis, std::int64_t named_axis,
                                     std::int64_t size) {
  refuse_index("index.range",
               "index " + std::to_string(index) + " is out of bounds for dimension " + std::to_string(named_axis) +
                   " with size " + std::to_string(size),
               {{"index", index}, {"axis", axis}, {"size", size}});
}

/// One entry per axis from the front; undefined where nothing is picked.
using Picks = std::vector<Tensor>;

struct Selection {
  Tensor view;
  Shape axes;  // for each axis of the view the axis of x that it was; -1 for a new one
  Picks picks;
};

const Tensor* picking(const IndexItem& item) {  // a single number in a tensor counts as an int
  const Tensor* tensor = std::get_if<Tensor>(&item);
  return tensor != nullptr && (tensor->dim() > 0 || tensor->dtype() != DType::Int64) ? tensor : nullptr;
}

/// Axes of x that an item uses up.
std::int64_t axes_taken(const IndexItem& item) {
  if (std::holds_alternative<NewAxis>(item) || std::holds_alternative<EllipsisIndex>(item)) return 0;
  const Tensor* tensor = picking(item);
  return tensor != nullptr && tensor->dtype() == DType::Bool ? tensor->dim() : 1;
}

void check_items(const Tensor& x, const std::vector<IndexItem>& items) {
  std::int64_t taken = 0;
  for (const IndexItem& item : items) {
    taken += axes_taken(item);
  }
  const bool single =
      items.size() == 1 && !std::holds_alternative<Tensor>(items[0]) && !std::holds_alternative<RefusedIndex>(items[0]);
  const std::int64_t* const number = single ? std::get_if<std::int64_t>(&items[0]) : nullptr;
  if (x.dim() == 0 && number != nullptr && *number != 0) refuse_index_range(*number, 0, 0, 0);
  if (x.dim() == 0 && number != nullptr)
    refuse_index(
        "index.scalar",
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
        "0-dim tensor to a number");
  if (taken > x.dim() && !(single && x.dim() == 0))
    refuse_index("index.too_many", "too many indices for tensor of dimension " + std::to_string(x.dim()),
                 {{"given", taken}, {"dims", x.dim()}});
}

/// Applies items one after the other; `axis_` is the axis of the view that the next item speaks of.
class Selector {
 public:
  Selector(const Tensor& x, const std::vector<IndexItem>& items)
      : selection_{x, Shape(x.shape().size()), {}}, free_(x.dim()) {
    std::iota(selection_.axes.begin(), selection_.axes.end(), 0);
    check_items(x, items);
    for (const IndexItem& item : items) free_ -= axes_taken(item);
    for (; number_ < static_cast<std::int64_t>(items.size()); ++number_)
      std::visit([this](const auto& item) { apply(item); }, items[static_cast<std::size_t>(number_)]);
  }

  Selection take() { return std::move(selection_); }

 private:
  void apply(std::int64_t index) {
    const std::int64_t size = selection_.view.size(axis_of(axis_, selection_.view.dim()));
    if (index < -size || index >= size) refuse_index_range(index, *axis_of_x(), number_, size);
    selection_.view = select(selection_.view, axis_, index);
    selection_.axes.erase(axis_of_x());
  }
  void apply(const SliceIndex& item) {
    selection_.view = slice(selection_.view, axis_, item.start, item.stop, item.step.value_or(1));
    ++axis_;
  }
  void apply(NewAxis) {
    selection_.view = unsqueeze(selection_.view, axis_);
    selection_.axes.insert(axis_of_x(), -1);
    ++axis_;
  }
  void apply(EllipsisIndex) { axis_ += free_; }  // each of several, as in PyTorch: beyond the last axis, perhaps
  void apply(const RefusedIndex& item) { throw item.error; }
  void apply(const Tensor& item) {
    if (item.dim() == 0 && item.dtype() == DType::Int64) return apply(*item.data<std::int64_t>());
    if (item.dim() == 0 && item.dtype() == DType::Bool) return pick_all_or_nothing(*item.data<bool>());
    // A mask of several axes also moves on by one, as in PyTorch: an int behind it then hits the mask's second axis.
    selection_.picks.resize(static_cast<std::size_t>(axis_));
    selection_.picks.push_back(item);
    ++axis_;
  }

  /// x[True]: a new axis of which its one place is picked, or none.
  void pick_all_or_nothing(bool all) {
    const auto place = static_cast<std::size_t>(axis_);
    apply(NewAxis{});
    selection_.picks.resize(place);
    selection_.picks.push_back(Tensor::from(std::vector<std::int64_t>(all ? 1 : 0, 0), {all ? 1 : 0}));
  }

  Shape::iterator axis_of_x() { return selection_.axes.begin() + axis_; }

  Selection selection_;
  std::int64_t free_;        // axes that an Ellipsis stands for
  std::int64_t axis_ = 0;    // of the view
  std::int64_t number_ = 0;  // of the item, which PyTorch calls the dimension
};

std::int64_t count_true(const Tensor& mask) {
  std::int64_t count = 0;
  const bool* const data = mask.data<bool>();
  const Walk walk = plan_walk(mask.shape(), {mask.strides()});
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) count += data[at[0] + i * walk.strides[0].back()] ? 1 : 0;
  });
  return count;
}

/// Where the mask is true: one list of indices per axis of the mask.
Picks positions(const Tensor& mask) {
  const std::int64_t count = count_true(mask);
  Picks lists;
  std::vector<std::int64_t*> out;
  for (std::int64_t d = 0; d < mask.dim(); ++d) {
    lists.push_back(Tensor::empty({count}, DType::Int64));
    out.push_back(lists.back().mutable_data<std::int64_t>());
  }
  const bool* const data = mask.data<bool>();
  std::int64_t number = 0, found = 0;
  for_each_offset(mask.shape(), mask.strides(), [&](std::int64_t at) {
    if (++number % kBlock == 0) charge(0);  // only looks for an interrupt
    if (!data[at]) return;
    std::int64_t rest = number - 1;
    for (std::size_t d = out.size(); d-- > 0;) {
      out[d][found] = rest % mask.shape()[d];
      rest /= mask.shape()[d];
    }
    ++found;
  });
  return lists;
}

void check_mask(const Tensor& mask, const Tensor& view, std::size_t first) {
  for (std::size_t d = 0; d < mask.shape().size(); ++d)
    if (first + d >= view.shape().size() || mask.shape()[d] != view.shape()[first + d])
      refuse_index("index.mask",
                   "The shape of the mask " + shape_text(mask.shape()) + " at index " + std::to_string(d) +
                       " does not match the shape of the indexed tensor " + shape_text(view.shape()) + " at index " +
                       std::to_string(first + d),
                   {{"mask", mask.shape()[d]},
                    {"axis", static_cast<std::int64_t>(first + d)},
                    {"size", first + d < view.shape().size() ? view.shape()[first + d] : -1}});
}

void check_count(const Selection& selection) {
  if (selection.picks.size() <= selection.view.shape().size()) return;
  const auto count = static_cast<std::int64_t>(selection.picks.size());
  refuse_index("index.too_many",
               "too many indices for tensor of dimension " + std::to_string(selection.view.dim()) + " (got " +
                   std::to_string(count) + ")",
               {{"given", count}, {"dims", selection.view.dim()}});
}

void check_index_types(const Selection& selection) {
  for (const Tensor& pick : selection.picks)
    if (pick.defined() && pick.dtype() != DType::Int64 && pick.dtype() != DType::Bool)
      refuse_index("index.type", "tensors used as indices must be long, byte or bool tensors");
}

/// Masks replaced by the positions in them.
Picks without_masks(const Selection& selection) {
  Picks result;
  for (const Tensor& pick : selection.picks) {
    if (!pick.defined() || pick.dtype() == DType::Int64) {
      result.push_back(pick);
      continue;
    }
    check_mask(pick, selection.view, result.size());
    for (Tensor& list : positions(pick)) result.push_back(std::move(list));
  }
  if (result.size() > selection.view.shape().size())
    refuse_index("index.too_many",
                 "too many indices for tensor of dimension " + std::to_string(selection.view.dim()) + " (got " +
                     std::to_string(result.size()) + ")",
                 {{"given", static_cast<std::int64_t>(result.size())}, {"dims", selection.view.dim()}});
  return result;
}

Shape common_shape(const Picks& picks) {
  Shape shape;
  std::string shapes;
  for (const Tensor& pick : picks)
    if (pick.defined()) shapes += (shapes.empty() ? "" : ", ") + shape_text(pick.shape());
  try {
    for (const Tensor& pick : picks)
      if (pick.defined()) shape = broadcast_shapes(shape, pick.shape());
  } catch (const TensorError& error) {
    refuse_index("index.broadcast",
                 "shape mismatch: indexing tensors could not be broadcast together with shapes " + shapes,
                 error.facts());
  }
  return shape;
}

/// x[...] as a walk: `place` has the shape of the result over x's storage, with stride 0 along the picked axes.
struct Gather {
  Tensor place;
  std::size_t first = 0;                         // axis of the result where the picked axes begin
  Shape picked_shape;                            // the index tensors' common shape
  Picks indices;                                 // broadcast to picked_shape
  std::vector<std::int64_t> sizes, steps, axes;  // of the axis that each one picks from
};

Gather plan_gather(const Selection& selection) {
  check_index_types(selection);
  const Picks picks = without_masks(selection);
  Gather gather;
  gather.picked_shape = common_shape(picks);
  Shape shape, strides;  // of the axes that are not picked from
  std::size_t last = 0;
  const Tensor& view = selection.view;
  for (std::size_t d = 0; d < view.shape().size(); ++d) {
    if (d >= picks.size() || !picks[d].defined()) {
      shape.push_back(view.shape()[d]);
      strides.push_back(view.strides()[d]);
      continue;
    }
    if (gather.indices.empty()) gather.first = d;
    if (!gather.indices.empty() && last + 1 != d) gather.first = 0;  // apart: PyTorch puts them in front
    last = d;
    gather.indices.push_back(expand(picks[d], gather.picked_shape));
    gather.sizes.push_back(view.shape()[d]);
    gather.steps.push_back(view.strides()[d]);
    gather.axes.push_back(selection.axes[d]);
  }
  const bool empty_axis = std::find(gather.sizes.begin(), gather.sizes.end(), 0) != gather.sizes.end();
  if (empty_axis && numel_of(gather.picked_shape) != 0)
    refuse_index("index.empty", "index is out of bounds for dimension with size 0");
  const auto at = static_cast<std::ptrdiff_t>(gather.first);
  shape.insert(shape.begin() + at, gather.picked_shape.begin(), gather.picked_shape.end());
  strides.insert(strides.begin() + at, gather.picked_shape.size(), 0);
  gather.place = view.as_strided(std::move(shape), std::move(strides), view.offset());
  return gather;
}

/// For every place among the picked axes the offset in x that its indices add up to; as wide as the result.
Tensor offset_table(const Gather& gather) {
  Tensor table = Tensor::empty(gather.picked_shape, DType::Int64);
  std::vector<Tensor> indices;
  for (const Tensor& index : gather.indices) indices.push_back(contiguous(index));
  std::int64_t* const out = table.mutable_data<std::int64_t>();
  for (std::int64_t i = 0; gather.place.numel() > 0 && i < table.numel(); ++i) {
    if (i % kBlock == 0) charge(0);
    out[i] = 0;
    for (std::size_t k = 0; k < indices.size(); ++k) {
      const std::int64_t index = indices[k].data<std::int64_t>()[i];
      const std::int64_t size = gather.sizes[k];
      if (index < -size || index >= size) refuse_index_range(index, gather.axes[k], static_cast<std::int64_t>(k), size);
      out[i] += (index < 0 ? index + size : index) * gather.steps[k];
    }
  }
  return table;
}

/// x, which has the picked axes only, with axes of size 1 in place of the others.
Tensor padded(const Tensor& x, const Gather& gather) {
  Shape shape(gather.place.shape().size(), 1);
  std::copy(x.shape().begin(), x.shape().end(), shape.begin() + static_cast<std::ptrdiff_t>(gather.first));
  return reshape(x, shape);
}

Tensor empty_gathered(const Gather& gather) {
  const Shape& shape = gather.place.shape();
  std::vector<Shape> strides = {gather.place.strides()};
  for (const Tensor& index : gather.indices) strides.push_back(broadcast_strides(padded(index, gather), shape));
  const bool empty = gather.place.numel() == 0;
  return empty_strided(shape, gather.place.dtype(),
                       empty ? contiguous_strides(shape) : strides_in_order(shape, strides));
}

/// Calls move(T& of `other`, T& of x) ... for each element of the result; `other` broadcasts to it.
template <class T, class Other, class Place, class Move>
void walk_gather(const Gather& gather, const Shape& other_strides, const Tensor& table, Other* other, Place* place,
                 Move move) {
  const Shape& shape = gather.place.shape();
  const Walk walk =
      plan_walk(shape, {other_strides, gather.place.strides(), broadcast_strides(padded(table, gather), shape)});
  const std::int64_t* const offsets = table.data<std::int64_t>();
  const std::int64_t step = walk.strides[0].back(), place_step = walk.strides[1].back();
  const std::int64_t offset_step = walk.strides[2].back();
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    if (offset_step == 0) {  // a run of one picked row
      Place* const row = place + at[1] + offsets[at[2]];
      for (std::int64_t i = 0; i < count; ++i) move(other[at[0] + i * step], row[i * place_step]);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i)
      move(other[at[0] + i * step], place[at[1] + i * place_step + offsets[at[2] + i * offset_step]]);
  });
}

Tensor without_leading_ones(const Tensor& x) {
  std::size_t ones = 0;
  while (ones < x.shape().size() && x.shape()[ones] == 1) ++ones;
  const auto at = static_cast<std::ptrdiff_t>(ones);
  return x.as_strided(Shape(x.shape().begin() + at, x.shape().end()),
                      Shape(x.strides().begin() + at, x.strides().end()), x.offset());
}

bool fits(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t back = 1; back <= from.size(); ++back)
    if (from[from.size() - back] != 1 && from[from.size() - back] != to[to.size() - back]) return false;
  return true;
}

/// One element behind a single mask is filled in by PyTorch, whatever its type.
bool fills_mask(const Selection& selection, const Tensor& value) {
  const auto picked =
      std::count_if(selection.picks.begin(), selection.picks.end(), [](const Tensor& pick) { return pick.defined(); });
  return value.numel() == 1 && picked == 1 && selection.picks.back().dtype() == DType::Bool;
}

/// `number`: the value has no dimensions. It may be a Python number, which takes x's type, so it is not refused.
void check_value(const Selection& selection, const Gather& gather, const Tensor& value) {
  const DType dtype = gather.place.dtype();
  if (!fits(value.shape(), gather.place.shape()))
    throw TensorError("index_put.shape", Code::Shape, "RuntimeError",
                      "shape mismatch: value tensor of shape " + shape_text(value.shape()) +
                          " cannot be broadcast to indexing result of shape " + shape_text(gather.place.shape()));
  if (value.dtype() != dtype && !fills_mask(selection, value))
    throw TensorError("index_put.dtype", Code::Type, "RuntimeError",
                      "Index put requires the source and destination dtypes match, got " + scalar_type_name(dtype) +
                          " for the destination and " + scalar_type_name(value.dtype()) + " for the source.");
}

}  // namespace

Tensor index(const Tensor& x, const std::vector<IndexItem>& items) {
  const Selection selection = Selector(x, items).take();
  if (selection.picks.empty()) return selection.view;
  const Gather gather = plan_gather(selection);
  const Tensor table = offset_table(gather);
  Tensor out = empty_gathered(gather);
  dispatch(x.dtype(), [&]<class T>(T) {
    walk_gather<T>(gather, out.strides(), table, out.mutable_data<T>(), gather.place.data<T>(),
                   [](T& to, const T& from) { to = from; });
  });
  return out;
}

namespace {

// In PyTorch's words, with a rule of its own.
Tensor fitted(const Tensor& value, const Shape& place) {
  try {
    return expand(value, place);
  } catch (const TensorError& error) {
    if (error.rule() != "expand.size") throw;
    throw TensorError("assign.size", error.code(), error.type(), error.what(), error.facts());
  }
}

}  // namespace

void check_index_put(const Tensor& x, const std::vector<IndexItem>& items, const Tensor& value) {
  fitted(without_leading_ones(value), index(x, items).shape());
}

void index_put(Tensor& x, const std::vector<IndexItem>& items, const Tensor& value) {
  Selection selection = Selector(x, items).take();
  const Tensor trimmed = without_leading_ones(value);
  if (selection.picks.empty()) {
    const Tensor wide = fitted(trimmed, selection.view.shape());
    const bool fills = value.dim() == 0 && selection.view.dim() > 0;
    if (fills) dispatch(value.dtype(), [&]<class T>(T) { check_fits(*value.data<T>(), x.dtype()); });
    if (!fills) require_no_internal_overlap(selection.view);
    if (!fills) require_no_partial_overlap(selection.view, value.shape() == wide.shape() ? value : wide);
    return assign(selection.view, trimmed);
  }
  if (!fills_mask(selection, trimmed)) {
    check_count(selection);
    require_apart(selection.view, trimmed);
    for (const Tensor& pick : selection.picks)
      if (pick.defined()) require_apart(selection.view, pick);
  }
  Gather gather = plan_gather(selection);
  check_value(selection, gather, trimmed);
  if (fills_mask(selection, trimmed))
    dispatch(trimmed.dtype(), [&]<class T>(T) { check_fits(*trimmed.data<T>(), x.dtype()); });
  const Tensor table = offset_table(gather);
  const Tensor source = x.shares_storage(trimmed) ? cast(trimmed, x.dtype()) : to(trimmed, x.dtype());
  dispatch(x.dtype(), [&]<class T>(T) {
    T* const place = gather.place.mutable_data<T>();  // first: it may part x from a snapshot
    walk_gather<T>(gather, broadcast_strides(source, gather.place.shape()), table, source.data<T>(), place,
                   [](const T& from, T& to) { to = from; });
  });
}

Tensor embedding(const Tensor& table, const Tensor& ids) {
  if (table.dim() != 2)
    throw TensorError("embedding.table", Code::Shape, "RuntimeError", "'weight' must be 2-D", {{"dims", table.dim()}});
  if (ids.dtype() != DType::Int64)
    throw TensorError("embedding.ids", Code::Type, "RuntimeError",
                      "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; "
                      "but got " +
                          class_name(ids.dtype()) + " instead (while checking arguments for embedding)");
  const std::int64_t* const data = ids.data<std::int64_t>();
  for_each_offset(ids.shape(), ids.strides(), [&](std::int64_t at) {
    if (data[at] < 0 || data[at] >= table.size(0))
      refuse_index("embedding.range", "index out of range in self", {{"id", data[at]}, {"rows", table.size(0)}});
  });
  Shape shape = ids.shape();
  shape.push_back(table.size(1));
  return reshape(contiguous(index(table, {reshape(ids, {ids.numel()})})), shape);
}

}  // namespace attn
