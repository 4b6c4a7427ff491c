#include "tensor/ops/layout.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/limits.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

std::size_t place(std::int64_t dim) { return static_cast<std::size_t>(dim); }

/// Strides of `shape` over the storage of x without moving an element, or empty. Neighboring axes of x that follow
/// each other in memory form a block; each block must be the product of some neighboring new sizes.
std::optional<Shape> view_strides(const Tensor& x, const Shape& shape) {
  if (x.numel() == 0) return shape == x.shape() ? x.strides() : contiguous_strides(shape);
  Shape strides(shape.size(), 1);
  std::size_t next = shape.size();  // sizes from here on have strides
  for (std::size_t d = x.shape().size(); d-- > 0;) {
    const std::int64_t step = x.strides()[d];
    std::int64_t block = x.shape()[d];
    for (; d > 0 && (x.shape()[d - 1] == 1 || x.strides()[d - 1] == block * step); --d) block *= x.shape()[d - 1];
    std::int64_t filled = 1;
    for (; next > 0 && (filled < block || shape[next - 1] == 1); --next) {
      strides[next - 1] = filled * step;
      filled *= shape[next - 1];
    }
    if (filled != block) return std::nullopt;
  }
  return strides;
}

Tensor dropped_axes(const Tensor& x, const std::vector<bool>& drop) {
  Shape shape, strides;
  for (std::size_t d = 0; d < drop.size(); ++d) {
    if (drop[d]) continue;
    shape.push_back(x.shape()[d]);
    strides.push_back(x.strides()[d]);
  }
  return x.as_strided(std::move(shape), std::move(strides), x.offset());
}

void check_expand(const Tensor& x, const Shape& shape) {
  const std::size_t added = shape.size() - x.shape().size();
  for (std::size_t d = shape.size(); d-- > 0;) {
    const std::int64_t wanted = shape[d];
    if (d < added) {
      if (wanted == -1 && x.dim() > 0)
        throw_shape("expand.size",
                    "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension " +
                        std::to_string(d));
      continue;
    }
    const std::int64_t size = x.shape()[d - added];
    if (wanted == -1 || wanted == size || size == 1) continue;
    throw_shape("expand.size",
                "The expanded size of the tensor (" + std::to_string(wanted) + ") must match the existing size (" +
                    std::to_string(size) + ") at non-singleton dimension " + std::to_string(d) +
                    ".  Target sizes: " + shape_text(shape) + ".  Tensor sizes: " + shape_text(x.shape()),
                {{"wanted", wanted}, {"size", size}, {"axis", static_cast<std::int64_t>(d)}});
  }
}

/// Keeps [from(row), to(row)) of each row of the last axis and sets the rest to 0.
template <class T, class From, class To>
void keep_columns(Tensor& x, From from, To to) {
  const std::int64_t rows = x.size(x.dim() - 2), columns = x.size(x.dim() - 1);
  T* row = x.mutable_data<T>();
  for (std::int64_t i = 0; i < x.numel() / columns; ++i, row += columns) {
    look();
    std::fill(row, row + std::clamp<std::int64_t>(from(i % rows), 0, columns), T{});
    std::fill(row + std::clamp<std::int64_t>(to(i % rows), 0, columns), row + columns, T{});
  }
}

Tensor triangle(const Tensor& x, std::int64_t diagonal, bool lower) {
  if (x.dim() == 0)
    throw TensorError("triangle.dims", Code::Index, "IndexError",
                      "Dimension specified as -2 but tensor has no dimensions");
  if (x.numel() == 0) return cast(x, x.dtype());
  wrap_dim(-2, x.dim());
  static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
  const std::int64_t shift = std::clamp(diagonal, -kFar, kFar);
  Tensor out = cast(x, x.dtype());
  dispatch(x.dtype(), [&]<class T>(T) {
    if (lower)
      keep_columns<T>(
          out, [](std::int64_t) { return 0; }, [=](std::int64_t row) { return row + shift + 1; });
    else
      keep_columns<T>(
          out, [=](std::int64_t row) { return row + shift; }, [](std::int64_t) { return kFar; });
  });
  return out;
}

}  // namespace

Shape infer_shape(const Shape& shape, std::int64_t numel) {
  std::optional<std::size_t> unknown;
  bool overflow = false;
  std::int64_t known = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == -1) {
      if (unknown) throw_shape("view.two_unknown", "only one dimension can be inferred");
      unknown = d;
    } else if (shape[d] < 0) {
      throw_shape("view.negative", "invalid shape dimension " + std::to_string(shape[d]), {{"size", shape[d]}});
    } else {
      overflow = overflow || __builtin_mul_overflow(known, shape[d], &known);
    }
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) known = 0, overflow = false;
  const bool fits = !overflow && (known == numel || (unknown && known > 0 && numel % known == 0));
  if (!fits)
    throw_shape("view.numel", "shape '" + shape_text(shape) + "' is invalid for input of size " + std::to_string(numel),
                {{"numel", numel}, {"known", overflow ? -1 : known}});
  Shape result = shape;
  if (unknown && known == 0)
    throw_shape("view.ambiguous", "cannot reshape tensor of 0 elements into shape " + shape_text(shape) +
                                      " because the unspecified dimension size -1 can be any value and is ambiguous");
  if (unknown) result[*unknown] = numel / known;
  return result;
}

Tensor view(const Tensor& x, const Shape& shape) {
  Shape sizes = infer_shape(shape, x.numel());
  std::optional<Shape> strides = view_strides(x, sizes);
  if (!strides)
    throw_shape(
        "view.stride",
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
        "contiguous subspaces). Use .reshape(...) instead.");
  return x.as_strided(std::move(sizes), std::move(*strides), x.offset());
}

Tensor reshape(const Tensor& x, const Shape& shape) {
  Shape sizes = infer_shape(shape, x.numel());
  std::optional<Shape> strides = view_strides(x, sizes);
  if (strides) return x.as_strided(std::move(sizes), std::move(*strides), x.offset());
  return view(cast(x, x.dtype()), sizes);
}

Tensor flatten(const Tensor& x, std::int64_t start_dim, std::int64_t end_dim) {
  const std::size_t first = place(wrap_dim(start_dim, x.dim()));
  const std::size_t last = place(wrap_dim(end_dim, x.dim()));
  if (first > last)
    throw_shape("flatten.order", "flatten() has invalid args: start_dim cannot come after end_dim",
                {{"start_dim", start_dim}, {"end_dim", end_dim}});
  if (x.dim() == 0) return reshape(x, {1});
  if (first == last) return x;
  const auto at = [&](std::size_t d) { return x.shape().begin() + static_cast<std::ptrdiff_t>(d); };
  Shape shape(x.shape().begin(), at(first));
  shape.push_back(numel_of(Shape(at(first), at(last + 1))));
  shape.insert(shape.end(), at(last + 1), x.shape().end());
  return reshape(x, shape);
}

Tensor permute(const Tensor& x, const Shape& dims) {
  const auto given = static_cast<std::int64_t>(dims.size());
  if (given != x.dim())
    throw_shape(
        "permute.count",
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
        "ordering of dimensions i.e. input.dim() = " +
            std::to_string(x.dim()) + " is not equal to len(dims) = " + std::to_string(given),
        {{"dims", x.dim()}, {"given", given}});
  Shape shape, strides;
  std::vector<bool> seen(dims.size());
  for (const std::int64_t dim : dims) {
    const std::size_t d = place(wrap_dim(dim, x.dim()));
    if (seen[d])
      throw_shape("permute.repeat", "permute(): duplicate dims are not allowed.",
                  {{"axis", static_cast<std::int64_t>(d)}});
    seen[d] = true;
    shape.push_back(x.shape()[d]);
    strides.push_back(x.strides()[d]);
  }
  return x.as_strided(std::move(shape), std::move(strides), x.offset());
}

Tensor transpose(const Tensor& x, std::int64_t dim0, std::int64_t dim1) {
  const std::size_t a = place(wrap_dim(dim0, x.dim()));
  const std::size_t b = place(wrap_dim(dim1, x.dim()));
  if (a == b) return x;
  Shape shape = x.shape(), strides = x.strides();
  std::swap(shape[a], shape[b]);
  std::swap(strides[a], strides[b]);
  return x.as_strided(std::move(shape), std::move(strides), x.offset());
}

Tensor t(const Tensor& x) {
  if (x.dim() > 2)
    throw_shape("t.dims", "t() expects a tensor with <= 2 dimensions, but self is " + std::to_string(x.dim()) + "D",
                {{"dims", x.dim()}});
  return x.dim() == 2 ? transpose(x, 0, 1) : x;
}

Tensor numpy_T(const Tensor& x) {
  Shape reversed(x.shape().size());
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return permute(x, reversed);
}

Tensor squeeze(const Tensor& x, std::optional<std::int64_t> dim) {
  std::vector<bool> drop(x.shape().size());
  if (dim) {
    const std::size_t d = place(wrap_dim(*dim, x.dim()));
    if (x.dim() > 0) drop[d] = x.shape()[d] == 1;
  } else {
    for (std::size_t d = 0; d < drop.size(); ++d) drop[d] = x.shape()[d] == 1;
  }
  return dropped_axes(x, drop);
}

Tensor unsqueeze(const Tensor& x, std::int64_t dim) {
  const std::int64_t d = wrap_dim(dim, x.dim() + 1);
  Shape shape = x.shape(), strides = x.strides();
  const std::int64_t step = d < x.dim() ? x.size(d) * x.strides()[place(d)] : 1;
  shape.insert(shape.begin() + d, 1);
  strides.insert(strides.begin() + d, step);
  return x.as_strided(std::move(shape), std::move(strides), x.offset());
}

Tensor expand(const Tensor& x, const Shape& shape) {
  if (shape.size() < x.shape().size())
    throw_shape("expand.count",
                "expand(" + class_name(x.dtype()) + "{" + shape_text(x.shape()) + "}, size=" + shape_text(shape) +
                    "): the number of sizes provided (" + std::to_string(shape.size()) +
                    ") must be greater or equal to the number of dimensions in the tensor (" + std::to_string(x.dim()) +
                    ")",
                {{"given", static_cast<std::int64_t>(shape.size())}, {"dims", x.dim()}});
  check_expand(x, shape);
  const std::size_t added = shape.size() - x.shape().size();
  Shape sizes = shape;
  for (std::size_t d = added; d < shape.size(); ++d)
    if (shape[d] == -1) sizes[d] = x.shape()[d - added];
  if (std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size < 0; }))
    throw_shape("expand.size", "numel: integer multiplication overflow");
  Shape strides(sizes.size(), 0);
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (d >= added && sizes[d] == x.shape()[d - added]) strides[d] = x.strides()[d - added];
    if (d < added && sizes[d] == 1 && x.dim() > 0) strides[d] = sizes[d + 1] * strides[d + 1];
  }
  return x.as_strided(std::move(sizes), std::move(strides), x.offset());
}

Tensor contiguous(const Tensor& x) { return x.is_contiguous() ? x : cast(x, x.dtype()); }

Tensor clone(const Tensor& x) {
  Tensor out = empty_like(x, x.dtype());
  assign(out, x);
  return out;
}

Tensor select(const Tensor& x, std::int64_t dim, std::int64_t index) {
  if (x.dim() == 0)
    throw TensorError("index.scalar", Code::Index, "IndexError", "select() cannot be applied to a 0-dim tensor.");
  const std::size_t d = place(wrap_dim(dim, x.dim()));
  const std::int64_t size = x.shape()[d];
  if (index < -size || index >= size)
    throw TensorError("index.range", Code::Index, "IndexError",
                      "select(): index " + std::to_string(index) + " out of range for tensor of size " +
                          shape_text(x.shape()) + " at dimension " + std::to_string(d),
                      {{"index", index}, {"axis", static_cast<std::int64_t>(d)}, {"size", size}});
  const std::int64_t offset = x.offset() + (index < 0 ? index + size : index) * x.strides()[d];
  std::vector<bool> drop(x.shape().size());
  drop[d] = true;
  const Tensor rest = dropped_axes(x, drop);
  return rest.as_strided(rest.shape(), rest.strides(), offset);
}

Tensor slice(const Tensor& x, std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
             std::int64_t step) {
  if (x.dim() == 0)
    throw TensorError("index.scalar", Code::Index, "IndexError", "slice() cannot be applied to a 0-dim tensor.");
  const std::size_t d = place(wrap_dim(dim, x.dim()));
  if (step <= 0)
    throw TensorError("index.step", Code::Value, "ValueError",
                      step == 0 ? "slice step cannot be zero" : "step must be greater than zero", {{"step", step}});
  const std::int64_t size = x.shape()[d];
  const auto clamped = [size](std::int64_t index) {
    return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size);
  };
  const std::int64_t first = clamped(start.value_or(0));
  const std::int64_t length = std::max<std::int64_t>(clamped(stop.value_or(size)) - first, 0);
  Shape shape = x.shape(), strides = x.strides();
  shape[d] = length / step + (length % step != 0 ? 1 : 0);
  const std::int64_t offset = x.offset() + first * strides[d];
  if (__builtin_mul_overflow(strides[d], step, &strides[d])) strides[d] = 0;  // then there is one element at most
  return x.as_strided(std::move(shape), std::move(strides), offset);
}

Tensor narrow(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length) {
  if (x.dim() == 0) throw_shape("narrow.dims", "narrow() cannot be applied to a 0-dim tensor.");
  const std::int64_t d = wrap_dim(dim, x.dim());
  const std::int64_t size = x.size(d);
  const std::int64_t first = start == size ? start : wrap_dim(start, size);
  if (length < 0 || first > size - length)
    throw_shape("narrow.range",
                "start (" + std::to_string(first) + ") + length (" + std::to_string(length) +
                    ") exceeds dimension size (" + std::to_string(size) + ").",
                {{"start", start}, {"length", length}, {"size", size}});
  return slice(x, d, first, first + length);
}

Tensor tril(const Tensor& x, std::int64_t diagonal) { return triangle(x, diagonal, true); }

Tensor triu(const Tensor& x, std::int64_t diagonal) { return triangle(x, diagonal, false); }

}  // namespace attn
