#include "tensor/ops/arrange.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/lanes.h"
#include "tensor/core/read.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/work.h"
#include "tensor/ops/create.h"
#include "tensor/ops/gather.h"
#include "tensor/ops/join.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

Tensor rolled(const Tensor& x, std::int64_t shift, std::int64_t dim) {
  const std::int64_t axis = axis_of(dim, x.dim()), size = x.size(axis);
  if (size == 0) return clone(x);
  const std::int64_t start = ((size - shift % size) % size + size) % size;
  return cat({narrow(x, axis, start, size - start), narrow(x, axis, 0, start)}, axis);
}

__extension__ using Sum = __int128;

std::int64_t clamped(Sum value, std::int64_t most) {
  return static_cast<std::int64_t>(std::clamp<Sum>(value, 0, most));
}

/// A triangle of a matrix: of each row the first columns, or those behind them. `offset` + row of them are the first.
struct Triangle {
  std::int64_t rows, columns;
  Sum offset;
  bool is_lower;

  std::int64_t bound(std::int64_t row) const { return clamped(row + offset, columns); }
  /// Its rows that have any column, as far as there is one.
  std::int64_t first_row() const { return is_lower ? clamped(1 - offset, rows) : 0; }
  std::int64_t end_row() const { return is_lower ? rows : clamped(columns - offset, rows); }
  /// A sum instead of a loop: what is too large is refused at once. INT64_MAX: more than that.
  std::int64_t count() const {
    const Sum from = clamped(-offset, rows), full = std::clamp<Sum>(columns - offset, from, rows);
    const Sum lower = (full - from) * (from + full - 1 + 2 * offset) / 2 + (rows - full) * columns;
    return clamped(is_lower ? lower : Sum{rows} * columns - lower, std::numeric_limits<std::int64_t>::max());
  }
};

Tensor triangle_places(const Triangle& triangle) {
  for (const auto& [name, size] : {std::pair("row", triangle.rows), std::pair("col", triangle.columns)})
    if (size < 0) throw_value("tril.size", std::string(name) + " must be non-negative, got" + std::to_string(size));
  const std::int64_t count = triangle.count();
  Tensor out = Tensor::empty({2, count}, DType::Int64);
  std::int64_t* to = out.mutable_data<std::int64_t>();
  std::int64_t place = 0;
  for (std::int64_t row = triangle.first_row(); count > 0 && row < triangle.end_row(); ++row) {
    const std::int64_t bound = triangle.bound(row);
    const std::int64_t first = triangle.is_lower ? 0 : bound, end = triangle.is_lower ? bound : triangle.columns;
    charge(end - first);
    for (std::int64_t column = first; column < end; ++column, ++place) {
      to[place] = row;
      to[count + place] = column;
    }
  }
  return out;
}

}  // namespace

Tensor roll(const Tensor& x, const Shape& shifts, const Shape& dims) {
  if (shifts.empty()) throw_value("roll.shifts", "`shifts` required");
  if (dims.empty() && shifts.size() == 1) return view(rolled(reshape(x, {-1}), shifts[0], 0), x.shape());
  if (shifts.size() != dims.size())
    throw_value("roll.dims", "shifts and dimensions must align. shifts: " + std::to_string(shifts.size()) +
                                 ", dims:" + std::to_string(dims.size()));
  if (x.numel() == 0) return clone(x);  // whatever the axes are
  Tensor result = contiguous(x);
  for (std::size_t i = 0; i < dims.size(); ++i) result = rolled(result, shifts[i], dims[i]);
  return result;
}

Tensor flip(const Tensor& x, const Shape& dims) {
  std::vector<bool> is_flipped(x.shape().size());
  for (const std::int64_t dim : dims) {
    const auto axis = static_cast<std::size_t>(wrap_dim(dim, x.dim()));
    if (axis >= is_flipped.size()) continue;  // of a tensor without dimensions
    if (is_flipped[axis])
      throw_value("dims.repeat", "dim " + std::to_string(axis) + " appears multiple times in the list of dims");
    is_flipped[axis] = true;
  }
  if (x.numel() == 0) return clone(x);
  Shape strides = x.strides();
  std::int64_t first = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (!is_flipped[d]) continue;
    first += (x.shape()[d] - 1) * strides[d];
    strides[d] = -strides[d];
  }
  charge(x.numel());
  Tensor in_order = Tensor::empty(x.shape(), x.dtype());
  dispatch(x.dtype(), [&]<class T>(T) {
    T* out = in_order.mutable_data<T>();
    for_each_offset(x.shape(), strides, [&](std::int64_t at) { *out++ = x.data<T>()[first + at]; });
  });
  Tensor result = empty_like(x, x.dtype());
  assign(result, in_order);
  return result;
}

Tensor repeat_interleave(const Tensor& repeats) {
  if (repeats.dtype() != DType::Int64 && repeats.dtype() != DType::Int32)
    throw_not_implemented("repeat_interleave_cpu", repeats.dtype());
  if (repeats.dim() != 1) throw_value("repeat_interleave.dims", "repeat_interleave only accept 1D vector as repeat");
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < repeats.numel(); ++i) {
    look();
    const std::int64_t count = to_int(element_at(repeats, i));
    if (count < 0) throw_value("repeat_interleave.negative", "repeats can not be negative");
    total = checked_add(total, count).value_or(std::numeric_limits<std::int64_t>::max());
  }
  Tensor places = Tensor::empty({total}, repeats.dtype());
  dispatch(repeats.dtype(), [&]<class T>(T) {
    T* to = places.mutable_data<T>();
    for (std::int64_t i = 0; i < repeats.numel(); ++i) {
      const std::int64_t count = to_int(element_at(repeats, i));
      charge(count);
      to = std::fill_n(to, count, static_cast<T>(i));
    }
  });
  return places;
}

Tensor repeat_interleave(const Tensor& x, const Tensor& repeats, std::int64_t dim) {
  if (repeats.dim() > 1) throw_shape("repeat_interleave.dims", "repeats must be 0-dim or 1-dim tensor");
  const Tensor from = at_least_1d(x);
  const std::int64_t axis = wrap_dim(dim, from.dim()), size = from.size(axis);
  const bool is_one = repeats.dim() == 0 || (repeats.dim() == 1 && repeats.numel() == 1);
  if (!is_one && repeats.dim() == 1 && repeats.numel() != size)
    throw_shape("repeat_interleave.size", "repeats must have the same size as input along dim");
  const Tensor counts = is_one ? expand(reshape(repeats, {1}), {size}) : repeats;
  return index_select(from, axis, to(repeat_interleave(counts), DType::Int64));
}

Tensor diagonal(const Tensor& x, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  const std::int64_t first = wrap_dim(dim1, x.dim()), second = wrap_dim(dim2, x.dim());
  if (first == second)
    throw_value("diagonal.dims",
                "diagonal dimensions cannot be identical " + std::to_string(dim1) + ", " + std::to_string(dim2));
  const std::int64_t rows = x.size(first) + std::min<std::int64_t>(offset, 0);
  const std::int64_t columns = x.size(second) - std::max<std::int64_t>(offset, 0);
  const std::int64_t length = std::max<std::int64_t>(std::min(rows, columns), 0);
  Shape shape = x.shape(), strides = x.strides();
  const std::int64_t row = strides[static_cast<std::size_t>(first)];
  const std::int64_t column = strides[static_cast<std::size_t>(second)];
  for (const std::int64_t axis : {std::max(first, second), std::min(first, second)}) {
    shape.erase(shape.begin() + axis);
    strides.erase(strides.begin() + axis);
  }
  shape.push_back(length);
  strides.push_back(row + column);
  const std::int64_t start = length == 0 ? 0 : offset >= 0 ? offset * column : -offset * row;
  return x.as_strided(shape, strides, x.offset() + start);
}

Tensor diag_embed(const Tensor& x, std::int64_t offset) {
  wrap_dim(-2, x.dim() + 1);
  const Tensor from = at_least_1d(x);
  Shape shape = from.shape();
  shape.back() += std::abs(offset);
  shape.push_back(shape.back());
  Tensor out = zeros(shape, x.dtype());
  Tensor target = diagonal(out, offset, -2, -1);
  assign(target, from);
  return out;
}

Tensor diag(const Tensor& x, std::int64_t offset) {
  if (x.dim() == 1) return diag_embed(x, offset);
  if (x.dim() == 2 && (offset > x.size(1) || -offset > x.size(0)))
    throw_value("diag.offset", "numel: integer multiplication overflow");
  if (x.dim() == 2) return cast(diagonal(x, offset), x.dtype());
  throw_shape("diag.dims", "matrix or a vector expected");
}

namespace {

[[noreturn]] void refuse_padded(const Tensor& x, std::size_t axis, std::int64_t before, std::int64_t after) {
  throw_shape("pad.negative", "The input size " + std::to_string(x.shape()[axis]) + ", plus negative padding " +
                                  std::to_string(before) + " and " + std::to_string(after) +
                                  " resulted in a negative output size, which is invalid. Check dimension " +
                                  std::to_string(axis) + " of your input.");
}

}  // namespace

Tensor pad_constant(const Tensor& x, const Shape& pads, const Scalar& value) {
  if (pads.size() % 2 != 0) throw_value("pad.length", "Padding length must be divisible by 2");
  if (pads.size() / 2 > x.shape().size()) throw_value("pad.length", "Padding length too large");
  Shape shape = x.shape();
  Tensor from = x;
  for (std::size_t i = 0; i < pads.size() / 2; ++i) {  // what is cut off, from both tensors
    const auto axis = static_cast<std::int64_t>(shape.size() - 1 - i);
    const std::int64_t before = pads[2 * i], after = pads[2 * i + 1];
    if (before < 0) from = narrow(from, axis, -before, from.size(axis) + before);
    if (after < 0) from = narrow(from, axis, 0, from.size(axis) + after);
    shape[static_cast<std::size_t>(axis)] += before + after;
  }
  const bool grows = std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad > 0; });
  for (std::size_t i = pads.size() / 2; grows && i-- > 0;)
    if (shape[shape.size() - 1 - i] <= 0) refuse_padded(x, shape.size() - 1 - i, pads[2 * i], pads[2 * i + 1]);
  if (!grows) return clone(from);
  Tensor out = full(shape, value, x.dtype());
  Tensor target = out;
  for (std::size_t i = 0; i < pads.size() / 2; ++i) {
    const auto axis = static_cast<std::int64_t>(shape.size() - 1 - i);
    target = narrow(target, axis, std::max<std::int64_t>(pads[2 * i], 0), from.size(axis));
  }
  assign(target, from);
  return out;
}

Tensor tril_indices(std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  return triangle_places({rows, columns, Sum{offset} + 1, true});
}
Tensor triu_indices(std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  return triangle_places({rows, columns, offset, false});
}

// The first half counts from the start, the second from the end, so both ends are exact.
Tensor linspace(double start, double end, std::int64_t steps, DType dtype) {
  if (steps < 0) throw_value("linspace.steps", "number of steps must be non-negative");
  Tensor out = Tensor::empty({steps}, dtype);
  dispatch(dtype, [&]<class T>(T) {
    using Step = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const Step first = static_cast<Step>(start), last = static_cast<Step>(end);
    const Step step = steps > 1 ? (last - first) / static_cast<Step>(steps - 1) : Step{0};
    T* data = out.mutable_data<T>();
    const auto at = [&](std::int64_t i) {
      const bool is_near_start = i < steps / 2 || steps == 1;
      return is_near_start ? std::fma(step, static_cast<Step>(i), first)
                           : std::fma(-step, static_cast<Step>(steps - 1 - i), last);
    };
    // PyTorch counts on from the first of each run of 32 bytes, as long as there are two such runs.
    constexpr std::int64_t kRun = 32 / sizeof(Step);
    const std::int64_t in_runs = steps - steps % (2 * kRun);
    in_chunks(steps, [&](std::int64_t begin, std::int64_t stop) {
      for (std::int64_t i = begin; i < stop; ++i) {
        const std::int64_t start_of_run = i - i % kRun;
        data[i] = convert<T>(i < in_runs ? at(start_of_run) + step * static_cast<Step>(i % kRun) : at(i));
      }
    });
  });
  return out;
}

}  // namespace attn
