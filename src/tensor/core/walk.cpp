#include "tensor/core/walk.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/limits.h"

namespace attn {
namespace {

using Axes = std::vector<std::size_t>;

/// Below 0 when axis `a` lies closer together in memory than axis `b`, above 0 when farther apart, 0 when the
/// operands leave it open. A stretched axis says nothing; equal strides put the smaller axis inside.
int compare_axes(std::size_t a, std::size_t b, const Shape& shape, const std::vector<Shape>& operands) {
  for (const Shape& strides : operands) {
    if (strides[a] == 0 || strides[b] == 0) continue;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    if (shape[a] > shape[b]) return 1;
  }
  return 0;
}

/// The axes, innermost in memory first. Sorted by insertion because "open" is not transitive: what PyTorch gets
/// depends on the order of comparisons.
Axes axes_by_nearness(const Shape& shape, const std::vector<Shape>& operands) {
  Axes axes(shape.size());
  std::iota(axes.rbegin(), axes.rend(), std::size_t{0});
  for (std::size_t i = 1; i < axes.size(); ++i) {
    std::size_t place = i;
    for (std::size_t below = i; below-- > 0;) {
      const int order = compare_axes(axes[below], axes[place], shape, operands);
      if (order < 0) break;
      if (order > 0) std::swap(axes[below], axes[std::exchange(place, below)]);
    }
  }
  return axes;
}

bool same_shapes(const Shape& shape, const std::vector<const Tensor*>& operands) {
  return std::all_of(operands.begin(), operands.end(), [&](const Tensor* x) { return x->shape() == shape; });
}

bool all_contiguous(const std::vector<const Tensor*>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Tensor* x) { return x->is_contiguous(); });
}

bool dense_and_alike(const std::vector<const Tensor*>& operands) {
  const Shape& strides = operands.front()->strides();
  return std::all_of(operands.begin(), operands.end(),
                     [&](const Tensor* x) { return x->strides() == strides && is_dense(*x); });
}

}  // namespace

bool has_channels_last(const Tensor& x) {
  if (x.dim() != 4) return false;
  std::int64_t expected = 1;
  for (const std::size_t axis : {1U, 3U, 2U, 0U}) {
    if (x.shape()[axis] == 1) continue;
    if (x.strides()[axis] != expected) return false;
    expected *= x.shape()[axis];
  }
  return true;
}

namespace {

bool all_channels_last(const std::vector<const Tensor*>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Tensor* x) { return has_channels_last(*x); });
}

Shape channels_last_strides(const Shape& shape) {
  return {shape[1] * shape[2] * shape[3], 1, shape[1] * shape[3], shape[1]};
}

bool follows(const Walk& walk, const std::vector<Shape>& strides, std::size_t axis) {
  for (std::size_t k = 0; k < strides.size(); ++k)
    if (strides[k][axis] != walk.strides[k].back() * walk.sizes.back()) return false;
  return true;
}

}  // namespace

Shape broadcast_strides(const Tensor& x, const Shape& shape) {
  Shape strides(shape.size(), 0);
  const std::size_t added = shape.size() - x.shape().size();
  for (std::size_t d = added; d < shape.size(); ++d)
    if (x.shape()[d - added] != 1 || shape[d] == 1) strides[d] = x.strides()[d - added];
  return strides;
}

Shape strides_in_order(const Shape& shape, const std::vector<Shape>& operands) {
  const Axes axes = axes_by_nearness(shape, operands);
  if (std::is_sorted(axes.rbegin(), axes.rend())) return contiguous_strides(shape);
  Shape strides(shape.size());
  std::int64_t step = 1;
  for (const std::size_t axis : axes) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

bool is_dense(const Tensor& x) {
  if (x.numel() == 0) return true;
  Axes axes(x.shape().size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::erase_if(axes, [&](std::size_t d) { return x.shape()[d] < 2; });
  std::sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) { return x.strides()[a] < x.strides()[b]; });
  std::int64_t expected = 1;
  for (const std::size_t d : axes) {
    if (x.strides()[d] != expected) return false;
    expected *= x.shape()[d];
  }
  return true;
}

Shape result_strides(const Shape& shape, const std::vector<const Tensor*>& operands) {
  if (same_shapes(shape, operands)) {
    if (all_contiguous(operands)) return contiguous_strides(shape);
    if (all_channels_last(operands)) return channels_last_strides(shape);
    if (dense_and_alike(operands)) return operands.front()->strides();
  }
  std::vector<Shape> stretched;
  for (const Tensor* x : operands) stretched.push_back(broadcast_strides(*x, shape));
  return strides_in_order(shape, stretched);
}

Tensor empty_strided(const Shape& shape, DType dtype, const Shape& strides) {
  return Tensor::empty(shape, dtype).as_strided(shape, strides, 0);
}

Tensor empty_like(const Tensor& x, DType dtype) {
  return empty_strided(x.shape(), dtype, is_dense(x) ? x.strides() : strides_in_order(x.shape(), {x.strides()}));
}

Walk plan_walk(const Shape& shape, const std::vector<Shape>& strides) {
  Walk walk{{}, std::vector<Shape>(strides.size())};  // innermost first until the end
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return {{0}, std::vector<Shape>(strides.size(), {0})};
  for (const std::size_t axis : axes_by_nearness(shape, strides)) {
    if (shape[axis] == 1) continue;
    if (!walk.sizes.empty() && follows(walk, strides, axis)) {
      walk.sizes.back() *= shape[axis];
      continue;
    }
    walk.sizes.push_back(shape[axis]);
    for (std::size_t k = 0; k < strides.size(); ++k) walk.strides[k].push_back(strides[k][axis]);
  }
  if (walk.sizes.empty()) return {{1}, std::vector<Shape>(strides.size(), {1})};
  std::reverse(walk.sizes.begin(), walk.sizes.end());
  for (Shape& list : walk.strides) std::reverse(list.begin(), list.end());
  return walk;
}

void for_each_row(const Walk& walk, const RowFunction& row) {
  const std::size_t inner = walk.sizes.size() - 1, tensors = walk.strides.size();
  const std::int64_t length = walk.sizes[inner];
  if (length == 0) return;
  Shape steps;  // of all tensors along the first axis, then along the second, ...
  for (std::size_t d = 0; d <= inner; ++d)
    for (const Shape& strides : walk.strides) steps.push_back(strides[d]);
  Shape index(inner, 0), offsets(tensors, 0);
  const auto move = [&](std::size_t axis, std::int64_t count) {
    const std::int64_t* const step = steps.data() + axis * tensors;
    for (std::size_t k = 0; k < tensors; ++k) offsets[k] += count * step[k];
  };
  const auto advance = [&] {  // to the next row; false after the last
    for (std::size_t d = inner; d-- > 0;) {
      if (++index[d] < walk.sizes[d]) return move(d, 1), true;
      move(d, 1 - std::exchange(index[d], 0));
    }
    return false;
  };
  std::int64_t uncharged = 0;
  do {
    for (std::int64_t begin = 0; begin < length; begin += kBlock) {
      const std::int64_t count = std::min(kBlock, length - begin);
      uncharged += count;
      if (uncharged >= kBlock) charge(std::exchange(uncharged, 0));
      row(offsets.data(), count);
      if (length > kBlock) move(inner, begin + count < length ? count : -begin);
    }
  } while (advance());
  charge(uncharged);
}

}  // namespace attn
