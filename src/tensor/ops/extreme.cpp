// max, min and their kin: the largest (smallest) element of a group and the number of its first occurrence.
#include <cmath>

#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/fold.h"
#include "tensor/ops/reduce.h"

namespace attn {
namespace {

enum class Which { Largest, Smallest };

template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

// NaN beats every number, and nothing beats NaN; of equals the first stays.
template <Which which, class T>
bool beats(T value, T best) {
  const bool better = which == Which::Largest ? value > best : value < best;
  return better || (is_nan(value) && !is_nan(best));
}

template <Which which, class T>
void find(const Tensor& x, const Fold& fold, T* best, std::int64_t* where) {
  const T* in = x.data<T>();
  const Walk walk =
      plan_walk(x.shape(), {contiguous_strides(x.shape()), x.strides(), fold.out_strides, fold.number_strides});
  const std::int64_t in_step = walk.strides[1].back();
  const std::int64_t out_step = walk.strides[2].back();
  const std::int64_t number_step = walk.strides[3].back();
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    const T* from = in + at[1];
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t o = at[2] + i * out_step;
      const std::int64_t number = at[3] + i * number_step;
      const T value = from[i * in_step];
      if (number != 0 && !beats<which>(value, best[o])) continue;
      best[o] = value;
      where[o] = number;
    }
  });
}

ValuesIndices extremes(const Tensor& x, const Fold& fold, Which which) {
  ValuesIndices result{Tensor::empty(fold.out_shape, x.dtype()), Tensor::empty(fold.out_shape, DType::Int64)};
  dispatch(x.dtype(), [&]<class T>(T) {
    T* values = result.values.mutable_data<T>();
    std::int64_t* indices = result.indices.mutable_data<std::int64_t>();
    if (which == Which::Largest) find<Which::Largest>(x, fold, values, indices);
    else find<Which::Smallest>(x, fold, values, indices);
  });
  return result;
}

// An empty group has no extreme; `no_dim_type` and `no_dim_hint` are what differs between PyTorch's ops. amax and amin
// name the axis as it was given.
void check_not_empty(const Tensor& x, const Shape& dims, const std::string& op, const char* no_dim_type,
                     const char* no_dim_hint) {
  if (x.numel() > 0) return;
  if (dims.empty())
    throw TensorError("reduce.empty", Code::Runtime, no_dim_type,
                      op + "(): Expected reduction dim to be specified for input.numel() == 0." + no_dim_hint);
  for (const std::int64_t dim : dims) {
    const std::int64_t axis = wrap_dim(dim, x.dim());
    const std::int64_t named = op[0] == 'a' && op[1] == 'm' ? dim : axis;
    if (x.size(axis) == 0)
      throw TensorError("reduce.empty", Code::Index, "IndexError",
                        op + "(): Expected reduction dim " + std::to_string(named) + " to have non-zero size.",
                        {{"axis", axis}});
  }
}

constexpr const char* kHint = " Specify the reduction dim with the 'dim' argument.";

ValuesIndices extremes_along(const Tensor& x, const Shape& dims, bool keepdim, Which which, const char* op) {
  check_not_empty(x, dims, op, "RuntimeError", kHint);
  return extremes(x, plan_fold(x, dims, keepdim), which);
}

Tensor index_of(const Tensor& x, std::optional<std::int64_t> dim, bool keepdim, Which which, const char* op) {
  const Shape dims = dim ? Shape{*dim} : Shape{};
  check_not_empty(x, dims, op, "IndexError", "");
  const Fold fold = plan_fold(x, dims, keepdim);
  const bool trivial = x.numel() == 0 || (dim && x.dim() > 0 && fold.group == 1);  // PyTorch asks no kernel then
  if (x.dtype() == DType::Bool && !trivial) throw_not_implemented(std::string(op) + "_cpu", x.dtype());
  return extremes(x, fold, which).indices;
}

}  // namespace

ValuesIndices max(const Tensor& x, std::int64_t dim, bool keepdim) {
  return extremes_along(x, {dim}, keepdim, Which::Largest, "max");
}
ValuesIndices min(const Tensor& x, std::int64_t dim, bool keepdim) {
  return extremes_along(x, {dim}, keepdim, Which::Smallest, "min");
}
Tensor max(const Tensor& x) { return extremes_along(x, {}, false, Which::Largest, "max").values; }
Tensor min(const Tensor& x) { return extremes_along(x, {}, false, Which::Smallest, "min").values; }

Tensor amax(const Tensor& x, const Shape& dims, bool keepdim) {
  return extremes_along(x, dims, keepdim, Which::Largest, "amax").values;
}
Tensor amin(const Tensor& x, const Shape& dims, bool keepdim) {
  return extremes_along(x, dims, keepdim, Which::Smallest, "amin").values;
}

Tensor argmax(const Tensor& x, std::optional<std::int64_t> dim, bool keepdim) {
  return index_of(x, dim, keepdim, Which::Largest, "argmax");
}
Tensor argmin(const Tensor& x, std::optional<std::int64_t> dim, bool keepdim) {
  return index_of(x, dim, keepdim, Which::Smallest, "argmin");
}

}  // namespace attn
