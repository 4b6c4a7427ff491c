#include "tensor/ops/gather.h"

#include <algorithm>

#include "tensor/core/error.h"
#include "tensor/core/lanes.h"
#include "tensor/core/read.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/index.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

namespace attn {
namespace {

[[noreturn]] void refuse_places(std::string rule, std::string text, Code code = Code::Runtime,
                                std::string type = "RuntimeError") {
  throw TensorError(std::move(rule), code, std::move(type), std::move(text));
}

void check_index_type(const Tensor& index, const std::string& op) {
  if (index.dtype() != DType::Int64) refuse_places(op + ".type", op + "(): Expected dtype int64 for index", Code::Type);
}

bool is_smaller(const Tensor& index, const Tensor& x, std::int64_t axis) {
  for (std::int64_t d = 0; d < x.dim(); ++d)
    if (d != axis && index.size(d) > x.size(d)) return false;
  return true;
}

void check_range(const Tensor& index, std::int64_t axis, std::int64_t size) {
  for_each_offset(index.shape(), index.strides(), [&](std::int64_t at) {
    const std::int64_t number = index.data<std::int64_t>()[at];
    if (number >= 0 && number < size) return;
    throw TensorError("gather.range", Code::Index, "RuntimeError",
                      "index " + std::to_string(number) + " is out of bounds for dimension " + std::to_string(axis) +
                          " with size " + std::to_string(size),
                      {{"index", number}, {"axis", axis}, {"size", size}});
  });
}

Shape held(Shape strides, std::int64_t axis) {
  strides[static_cast<std::size_t>(axis)] = 0;
  return strides;
}

// f(place of index, place along the axis in x, place in `other`) for each element of index.
template <class F>
void for_each_pick(const Tensor& index, const Tensor& x, std::int64_t axis, const Shape& other, F&& f) {
  const Walk walk = plan_walk(index.shape(), {index.strides(), held(x.strides(), axis), other});
  const std::int64_t* numbers = index.data<std::int64_t>();
  const std::int64_t step = x.strides()[static_cast<std::size_t>(axis)];
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t number = numbers[at[0] + i * walk.strides[0].back()];
      f(at[1] + i * walk.strides[1].back() + number * step, at[2] + i * walk.strides[2].back());
    }
  });
}

template <class T>
void write(T& target, T value, Scatter how) {
  if (how == Scatter::Set) target = value;
  else if constexpr (std::is_same_v<T, bool>) target = how == Scatter::Add ? target || value : target && value;
  else target = how == Scatter::Add ? target + value : target * value;
}

Tensor scattered(const Tensor& x, std::int64_t axis, const Tensor& index, const Tensor& src, Scatter how) {
  check_range(index, axis, at_least_1d(x).size(axis));
  Tensor out = at_least_1d(cast(x, x.dtype()));  // a contiguous copy
  dispatch(x.dtype(), [&]<class T>(T) {
    T* data = out.mutable_data<T>();
    const T* from = src.data<T>();
    for_each_pick(index, out, axis, src.strides(),
                  [&](std::int64_t to, std::int64_t at) { write(data[to], from[at], how); });
  });
  return x.dim() ? out : squeeze(out);
}

// PyTorch compares sizes up to the first that is too large, and so asks src for an axis that it may not have.
void check_missing_axis(const Tensor& x, const Tensor& index, std::int64_t axis, const Tensor& src) {
  if (src.dim() >= index.dim() || !is_smaller(index, x, axis)) return;
  for (std::int64_t d = 0; d < src.dim(); ++d)
    if (index.size(d) > src.size(d)) return;
  if (src.dim() > 0) wrap_dim(src.dim(), src.dim());
}

void check_scattered(const Tensor& x, const Tensor& index, std::int64_t axis, const Tensor* src, const char* op) {
  check_index_type(index, op);
  if (std::max<std::int64_t>(index.dim(), 1) != std::max<std::int64_t>(x.dim(), 1))
    throw_shape("gather.dims", "Index tensor must have the same number of dimensions as self tensor");
  if (src && std::max<std::int64_t>(index.dim(), 1) != std::max<std::int64_t>(src->dim(), 1)) {
    check_missing_axis(x, index, axis, *src);
    throw_shape("gather.dims", "Index tensor must have the same number of dimensions as src tensor");
  }
  const Tensor wide = at_least_1d(x), places = at_least_1d(index);
  const bool fits_src = !src || is_smaller(places, at_least_1d(*src), -1);
  if (is_smaller(places, wide, axis) && fits_src) return;
  throw_shape("gather.size", "Expected index " + shape_text(index.shape()) + " to be smaller than self " +
                                 shape_text(x.shape()) + " apart from dimension " + std::to_string(axis) +
                                 (src ? " and to be smaller size than src " + shape_text(src->shape()) : ""));
}

std::vector<IndexItem> index_along(std::int64_t axis, const Tensor& index) {
  std::vector<IndexItem> items(static_cast<std::size_t>(axis), SliceIndex{});
  items.emplace_back(at_least_1d(index));
  return items;
}

void check_vector(const Tensor& index, const std::string& text) {
  if (index.dim() > 1) refuse_places("index_select.dims", text, Code::Index, "IndexError");
}

// PyTorch has a faster way for the second axis, with a text of its own.
void check_places(const Tensor& index, std::int64_t axis, std::int64_t size, bool is_second_axis) {
  for_each_offset(index.shape(), index.strides(), [&](std::int64_t at) {
    const std::int64_t number = index.data<std::int64_t>()[at];
    if (number >= 0 && number < size) return;
    const std::string text = is_second_axis ? "INDICES element is out of DATA bounds, id=" + std::to_string(number) +
                                                  " axis_dim=" + std::to_string(size)
                                            : "index out of range in self";
    throw TensorError("index_select.range", Code::Index, is_second_axis ? "RuntimeError" : "IndexError", text,
                      {{"index", number}, {"axis", axis}, {"size", size}});
  });
}

// Places that may be counted from the end.
void check_wrapped(const Tensor& index, std::int64_t axis, std::int64_t size) {
  for_each_offset(index.shape(), index.strides(), [&](std::int64_t at) {
    const std::int64_t number = index.data<std::int64_t>()[at];
    if (number >= -size && number < size) return;
    throw TensorError("index.range", Code::Index, "IndexError",
                      "index " + std::to_string(number) + " is out of bounds for dimension " + std::to_string(axis) +
                          " with size " + std::to_string(size),
                      {{"index", number}, {"axis", axis}, {"size", size}});
  });
}

[[noreturn]] void throw_wrong_count(const std::string& op, const Tensor& index, std::int64_t slices, std::int64_t axis,
                                    std::string type) {
  refuse_places("index_add.size",
                op + "(): Number of indices (" + std::to_string(index.numel()) +
                    ") should be equal to source.size(dim): (" + std::to_string(slices) +
                    "), for dim: " + std::to_string(axis),
                Code::Shape, std::move(type));
}

void check_added_types(const std::string& op, const Tensor& x, const Tensor& index, const Tensor& src) {
  if (index.dtype() != DType::Int64)
    refuse_places("index_select.type", op + "(): Expected dtype int64 for index", Code::Type);
  if (src.dtype() != x.dtype())
    refuse_places("index_add.type", op + "(): self and source expected to have the same dtype", Code::Type);
}

void check_added(const Tensor& x, const Tensor& index, const Tensor& src, std::int64_t axis) {
  check_vector(index, "index_add_(): Index is supposed to be a vector");
  check_added_types("index_add_", x, index, src);
  if (axis > 0 && axis >= src.dim()) throw_shape("index_add.dims", "");
  if (index.numel() != 1) axis_of(axis, src.dim());
  const std::int64_t slices = at_least_1d(src).size(axis);
  if (index.numel() != slices) throw_wrong_count("index_add_", index, slices, axis, "RuntimeError");
}

Shape without(Shape shape, std::int64_t axis) {
  if (!shape.empty()) shape.erase(shape.begin() + axis);
  return shape;
}

// In PyTorch's order, because the kinds of exceptions differ.
void check_copied(const Tensor& x, const Tensor& index, const Tensor& src, std::int64_t axis) {
  if (index.dim() > 1) refuse_places("index_select.dims", "", Code::Index, "IndexError");
  if (src.dim() == 0 && index.numel() != 1) refuse_places("index_add.size", "", Code::Shape, "IndexError");
  if (src.dim() != x.dim() && src.dim() != 0 && x.dim() != 0)
    refuse_places("index_add.dims", "", Code::Shape, "IndexError");
  check_added_types("index_copy_", x, index, src);
  if (without(x.shape(), axis) != without(src.shape(), src.dim() == 0 ? 0 : axis)) throw_shape("index_copy.slices", "");
  if (src.dim() > 0 && index.numel() != src.size(axis))
    throw_wrong_count("index_copy_", index, src.size(axis), axis, "IndexError");
}

}  // namespace

Tensor gather(const Tensor& x, std::int64_t dim, const Tensor& index) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  if (index.numel() == 0) return Tensor::empty(index.shape(), x.dtype());
  check_index_type(index, "gather");
  const Tensor from = at_least_1d(x), places = at_least_1d(index);
  if (from.dim() != places.dim())
    throw_shape("gather.dims", "Index tensor must have the same number of dimensions as input tensor");
  for (std::int64_t d = 0; d < from.dim(); ++d) {
    if (d == axis || places.size(d) <= from.size(d)) continue;
    throw_shape("gather.size", "Size does not match at dimension " + std::to_string(d) + " expected index " +
                                   shape_text(index.shape()) + " to be smaller than self " + shape_text(x.shape()) +
                                   " apart from dimension " + std::to_string(axis));
  }
  check_range(places, axis, from.size(axis));
  Tensor out = Tensor::empty(index.shape(), x.dtype());
  dispatch(x.dtype(), [&]<class T>(T) {
    T* data = out.mutable_data<T>();
    const T* in = from.data<T>();
    for_each_pick(places, from, axis, contiguous_strides(places.shape()),
                  [&](std::int64_t at, std::int64_t to) { data[to] = in[at]; });
  });
  return out;
}

Tensor scatter(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& src, Scatter how) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  if (index.numel() > 0) check_index_type(index, "scatter");
  if (src.dtype() != x.dtype())
    refuse_places("scatter.type", "scatter(): Expected self.dtype to be equal to src.dtype", Code::Type);
  if (index.numel() == 0) return clone(x);
  check_scattered(x, index, axis, &src, "scatter");
  return scattered(x, axis, at_least_1d(index), at_least_1d(src), how);
}

Tensor scatter(const Tensor& x, std::int64_t dim, const Tensor& index, const Scalar& value, Scatter how) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  if (index.numel() == 0) return clone(x);
  check_scattered(x, index, axis, nullptr, "scatter");
  const Tensor places = at_least_1d(index);
  return scattered(x, axis, places, expand(full({}, value, x.dtype()), places.shape()), how);
}

Tensor index_select(const Tensor& x, std::int64_t dim, const Tensor& index) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  check_vector(index, "index_select(): Index is supposed to be a vector");
  if (index.dtype() != DType::Int64)
    refuse_places("index_select.type", "index_select(): Expected dtype int32 or int64 for index", Code::Type);
  const Tensor from = at_least_1d(x);
  if (x.dim() > 1 && index.numel() > 0 && x.numel() == 0 && x.size(axis) == 0)
    refuse_places("index_select.empty", "index_select(): self indexing axis dim should be positive", Code::Index);
  check_places(index, axis, from.size(axis), axis == 1 || (x.dim() > 1 && x.numel() == 0));
  const Tensor picked = contiguous(attn::index(from, index_along(axis, index)));
  return x.dim() || picked.numel() == 0 ? picked : select(picked, 0, 0);
}

Tensor index_fill(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& value) {
  if (value.dim() != 0)
    refuse_places("index_fill.value", "index_fill_ only supports a 0-dimensional value tensor, but got tensor with " +
                                          std::to_string(value.dim()) + " dimension(s).");
  if (index.dtype() != DType::Int64)
    refuse_places("index_fill.type", "index_fill_(): Expected dtype int64 for index.", Code::Index, "IndexError");
  const std::int64_t axis = wrap_dim(dim, x.dim());
  if (index.dim() > 1) refuse_places("index_select.dims", "Index has to be a vector/scalar", Code::Index);
  Tensor out = at_least_1d(clone(x));
  const bool has_slices = numel_of(without(out.shape(), axis)) > 0;
  if (x.numel() == 0 && (out.size(axis) > 0 || !has_slices)) return clone(x);
  if (x.numel() == 0 && index.numel() > 0) throw_shape("index_copy.empty", "");
  check_wrapped(index, axis, out.size(axis));
  index_put(out, index_along(axis, index), cast(value, x.dtype()));
  return x.dim() ? out : squeeze(out);
}

void check_index_add(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& src) {
  check_added(x, index, src, wrap_dim(dim, x.dim()));
}

Tensor index_add(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& src, const Scalar& alpha) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  check_added(x, index, src, axis);
  check_places(index, axis, at_least_1d(x).size(axis), false);
  Tensor out = at_least_1d(cast(x, x.dtype()));
  const Tensor added = mul(at_least_1d(src), full({}, alpha, is_floating(x.dtype()) ? x.dtype() : wide_of(x.dtype())));
  const Tensor places = at_least_1d(index);
  if (is_floating(x.dtype()) && out.dim() == added.dim() && places.numel() == added.size(axis) &&
      without(out.shape(), axis) == without(added.shape(), axis)) {
    Shape strides(added.shape().size(), 0);
    strides[static_cast<std::size_t>(axis)] = places.strides()[0];
    const Tensor everywhere = places.as_strided(added.shape(), std::move(strides), places.offset());
    out = scattered(out, axis, everywhere, added, Scatter::Add);
    return x.dim() ? out : squeeze(out);
  }
  for (std::int64_t i = 0; i < places.numel(); ++i) {
    Tensor target = select(out, axis, to_int(element_at(places, i)));
    assign(target, add(target, select(added, axis, i)));
  }
  return x.dim() ? out : squeeze(out);
}

Tensor index_copy(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& src) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  check_copied(x, index, src, axis);
  if (x.numel() == 0 && src.numel() > 0) throw_shape("index_copy.empty", "");
  if (x.numel() == 0) return clone(x);  // nothing is looked up
  check_places(index, axis, at_least_1d(x).size(axis), false);
  Tensor out = at_least_1d(cast(x, x.dtype()));
  index_put(out, index_along(axis, index), at_least_1d(src));
  return x.dim() ? out : squeeze(out);
}

Tensor take(const Tensor& x, const Tensor& index) {
  if (index.dtype() != DType::Int64) refuse_places("take.type", "take(): Expected a long tensor for index", Code::Type);
  for_each_offset(index.shape(), index.strides(), [&](std::int64_t at) {
    const std::int64_t number = index.data<std::int64_t>()[at];
    if (number >= -x.numel() && number < x.numel()) return;
    throw TensorError("take.range", Code::Index, "IndexError",
                      "out of range: tried to access index " + std::to_string(number) + " on a tensor of " +
                          std::to_string(x.numel()) + " elements.",
                      {{"index", number}, {"size", x.numel()}});
  });
  return view(attn::index(reshape(x, {-1}), {reshape(index, {-1})}), index.shape());
}

Tensor masked_select(const Tensor& x, const Tensor& mask) {
  if (mask.dtype() == DType::UInt8) return masked_select(x, bool_mask(mask));
  if (mask.dtype() != DType::Bool)
    refuse_places("masked_select.type", "masked_select: expected BoolTensor or ByteTensor for mask", Code::Type);
  const Shape shape = broadcast_shapes(at_least_1d(mask).shape(), x.shape());
  return attn::index(expand(x, shape), {expand(mask, shape)});
}

Tensor nonzero(const Tensor& x) {
  const std::int64_t count = to_int(item(sum(ne(x, Scalar(std::int64_t{0})))));
  // PyTorch lays the numbers of one axis next to each other.
  Tensor by_axis = Tensor::empty({x.dim(), count}, DType::Int64);
  std::int64_t* to = by_axis.mutable_data<std::int64_t>();
  std::int64_t number = 0;
  dispatch(x.dtype(), [&]<class T>(T) {
    for_each_offset(x.shape(), x.strides(), [&](std::int64_t at) {
      if (x.data<T>()[at] != T{}) {
        const Shape place = unravel(number, x.shape());
        for (std::size_t d = 0; d < place.size(); ++d) to[static_cast<std::int64_t>(d) * count] = place[d];
        ++to;
      }
      ++number;
    });
  });
  return by_axis.as_strided({count, x.dim()}, {1, count}, 0);
}

}  // namespace attn
