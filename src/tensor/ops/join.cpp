#include "tensor/ops/join.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/limits.h"
#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/index.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

void require_tensors(const TensorList& tensors, const char* text) {
  if (tensors.empty()) throw_shape("cat.empty", text);
}

// PyTorch lets torch.tensor([]) join anything: it has nothing to add, whatever its number of axes.
bool is_skipped(const Tensor& x) { return x.dim() == 1 && x.size(0) == 0; }

DType common_dtype(const TensorList& tensors) {
  DType result = tensors.front()->dtype();
  for (const Tensor* x : tensors) {
    look();
    result = promote(result, x->dtype());
  }
  return result;
}

const Tensor& unchanged(const Tensor& x) { return x; }

// The first tensor with a say in the result's shape; checks that none is without axes.
template <class Change>
Tensor model_of(const TensorList& tensors, Change change) {
  std::optional<Tensor> model;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    look();
    const Tensor& x = change(*tensors[i]);
    if (x.dim() == 0)
      throw_shape("cat.dims", "zero-dimensional tensor (at position " + std::to_string(i) + ") cannot be concatenated",
                  {{"tensor", static_cast<std::int64_t>(i)}});
    if (!model && !is_skipped(x)) model = x;
  }
  return model ? *model : change(*tensors.front());
}

void check_fits(const Tensor& x, const Tensor& model, std::size_t number, std::int64_t axis) {
  if (x.dim() != model.dim())
    throw_shape("cat.dims",
                "Tensors must have same number of dimensions: got " + std::to_string(model.dim()) + " and " +
                    std::to_string(x.dim()),
                {{"first", model.dim()}, {"got", x.dim()}, {"tensor", static_cast<std::int64_t>(number)}});
  for (std::int64_t d = 0; d < x.dim(); ++d) {
    if (d == axis || x.size(d) == model.size(d)) continue;
    throw_shape(
        "cat.size",
        "Sizes of tensors must match except in dimension " + std::to_string(axis) + ". Expected size " +
            std::to_string(model.size(d)) + " but got size " + std::to_string(x.size(d)) + " for tensor number " +
            std::to_string(number) + " in the list.",
        {{"axis", d}, {"expected", model.size(d)}, {"got", x.size(d)}, {"tensor", static_cast<std::int64_t>(number)}});
  }
}

void require_axes(const Tensor& x, const char* op) {
  if (x.dim() == 0)
    throw_shape(std::string(op) + ".dims", std::string(op) + " expects at least a 1-dimensional tensor");
}

template <std::int64_t kDims>
Tensor at_least(const Tensor& x) {
  Tensor result = x;
  while (result.dim() < kDims) result = unsqueeze(result, 0);
  return result;
}

// Each tensor is changed where it is looked at, so that no list of views is made.
template <class Change>
Tensor joined(const TensorList& tensors, Change change, std::int64_t dim) {
  require_tensors(tensors, "torch.cat(): expected a non-empty list of Tensors");
  const Tensor model = model_of(tensors, change);
  if (is_skipped(model)) return Tensor::empty({0}, common_dtype(tensors));
  const std::int64_t axis = wrap_dim(dim, model.dim());
  Shape shape = model.shape();
  std::int64_t& length = shape[static_cast<std::size_t>(axis)];
  length = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    look();
    const Tensor& x = change(*tensors[i]);
    if (is_skipped(x)) continue;
    check_fits(x, model, i, axis);
    length += x.size(axis);
  }
  Tensor result = Tensor::empty(shape, common_dtype(tensors));
  std::int64_t start = 0;
  for (const Tensor* given : tensors) {
    look();
    const Tensor& x = change(*given);
    if (is_skipped(x)) continue;
    Tensor place = narrow(result, axis, start, x.size(axis));
    assign(place, x);
    start += x.size(axis);
  }
  return result;
}

}  // namespace

Tensor cat(const TensorList& tensors, std::int64_t dim) { return joined(tensors, unchanged, dim); }

Tensor cat_changed(const TensorList& tensors, TensorChange change, std::int64_t dim) {
  return joined(tensors, change, dim);
}

Tensor stack(const TensorList& tensors, std::int64_t dim) {
  require_tensors(tensors, "stack expects a non-empty TensorList");
  const Tensor& first = *tensors.front();
  const std::int64_t axis = wrap_dim(dim, first.dim() + 1);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    look();
    if (tensors[i]->shape() != first.shape())
      throw_shape("stack.size",
                  "stack expects each tensor to be equal size, but got " + shape_text(first.shape()) +
                      " at entry 0 and " + shape_text(tensors[i]->shape()) + " at entry " + std::to_string(i),
                  {{"tensor", static_cast<std::int64_t>(i)}});
  }
  Shape shape = first.shape();
  shape.insert(shape.begin() + axis, static_cast<std::int64_t>(tensors.size()));
  Tensor result = Tensor::empty(shape, common_dtype(tensors));
  std::int64_t number = 0;
  for (const Tensor* x : tensors) {
    look();
    Tensor place = select(result, axis, number++);
    assign(place, *x);
  }
  return result;
}

Tensor hstack(const TensorList& tensors) {
  require_tensors(tensors, "hstack expects a non-empty TensorList");
  return joined(tensors, at_least<1>, tensors.front()->dim() <= 1 ? 0 : 1);
}

Tensor vstack(const TensorList& tensors) {
  require_tensors(tensors, "vstack expects a non-empty TensorList");
  return joined(tensors, at_least<2>, 0);
}

void split(const Tensor& x, std::int64_t size, std::int64_t dim, const TakePart& take) {
  require_axes(x, "split");
  if (size < 0)
    throw_shape("split.size", "split expects split_size be non-negative, but got split_size=" + std::to_string(size));
  const std::int64_t axis = wrap_dim(dim, x.dim());
  const std::int64_t length = x.size(axis);
  if (size == 0 && length != 0)
    throw_shape("split.size",
                "split_size can only be 0 if dimension size is 0, but got dimension size of " + std::to_string(length));
  std::int64_t start = 0;
  do {
    look();
    const std::int64_t part = std::min(size, length - start);
    take(narrow(x, axis, start, part));
    start += part;
  } while (start < length);
}

void split(const Tensor& x, const Shape& sizes, std::int64_t dim, const TakePart& take) {
  require_axes(x, "split");
  const std::int64_t axis = wrap_dim(dim, x.dim());
  std::int64_t total = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0)
      throw_shape("split.size",
                  "split_with_sizes expects split_sizes have only non-negative entries, but got "
                  "split_sizes=" +
                      shape_text(sizes));
    total = checked_add(total, size).value_or(std::numeric_limits<std::int64_t>::max());
  }
  if (total != x.size(axis))
    throw_shape("split.sum",
                "split_with_sizes expects split_sizes to sum exactly to " + std::to_string(x.size(axis)) +
                    " (input tensor's size at dimension " + std::to_string(dim) +
                    "), but got split_sizes=" + shape_text(sizes),
                {{"axis", axis}, {"size", x.size(axis)}, {"sum", total}});
  std::int64_t start = 0;
  for (const std::int64_t size : sizes) {
    look();
    take(narrow(x, axis, start, size));
    start += size;
  }
}

void chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim, const TakePart& take) {
  require_axes(x, "chunk");
  if (chunks <= 0)
    throw_shape("chunk.count", "chunk expects `chunks` to be greater than 0, got: " + std::to_string(chunks));
  const std::int64_t length = x.size(wrap_dim(dim, x.dim()));
  if (length == 0) {
    charge(chunks);
    split(x, Shape(static_cast<std::size_t>(chunks), 0), dim, take);
  } else {
    split(x, (length - 1) / chunks + 1, dim, take);
  }
}

void unbind(const Tensor& x, std::int64_t dim, const TakePart& take) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  if (x.dim() == 0)
    throw TensorError("unbind.dims", Code::Index, "IndexError",
                      "Dimension specified as 0 but tensor has no dimensions");
  for (std::int64_t i = 0; i < x.size(axis); ++i) {
    look();
    take(select(x, axis, i));
  }
}

namespace {

template <class Cut>
std::vector<Tensor> parts_of(const Cut& cut) {
  std::vector<Tensor> parts;
  cut([&](Tensor part) { parts.push_back(std::move(part)); });
  return parts;
}

}  // namespace

std::vector<Tensor> split(const Tensor& x, std::int64_t size, std::int64_t dim) {
  return parts_of([&](const TakePart& take) { split(x, size, dim, take); });
}
std::vector<Tensor> split(const Tensor& x, const Shape& sizes, std::int64_t dim) {
  return parts_of([&](const TakePart& take) { split(x, sizes, dim, take); });
}
std::vector<Tensor> chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim) {
  return parts_of([&](const TakePart& take) { chunk(x, chunks, dim, take); });
}
std::vector<Tensor> unbind(const Tensor& x, std::int64_t dim) {
  return parts_of([&](const TakePart& take) { unbind(x, dim, take); });
}

// The result is seen with two axes for each of its own, (repeats, size), and x is stretched over the repeats.
Tensor repeat(const Tensor& x, const Shape& repeats) {
  if (repeats.size() < x.shape().size())
    throw_shape("repeat.count",
                "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
                {{"given", static_cast<std::int64_t>(repeats.size())}, {"dims", x.dim()}});
  const Shape own = Shape(repeats.size() - x.shape().size(), 1);
  Shape sizes = own, strides = own;
  sizes.insert(sizes.end(), x.shape().begin(), x.shape().end());
  strides.insert(strides.end(), x.strides().begin(), x.strides().end());
  Shape shape;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    shape.push_back(checked_mul(sizes[d], repeats[d]).value_or(std::numeric_limits<std::int64_t>::max()));
  Tensor result = Tensor::empty(shape, x.dtype());
  if (result.numel() == 0) return result;
  Shape pairs, from, to;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    pairs.insert(pairs.end(), {repeats[d], sizes[d]});
    from.insert(from.end(), {0, strides[d]});
    to.insert(to.end(), {sizes[d] * result.strides()[d], result.strides()[d]});
  }
  Tensor place = result.as_strided(pairs, to, 0);
  assign(place, x.as_strided(pairs, from, x.offset()));
  return result;
}

}  // namespace attn
