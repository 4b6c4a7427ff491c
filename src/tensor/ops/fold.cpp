#include "tensor/ops/fold.h"

#include "tensor/core/error.h"

namespace attn {
namespace {

std::vector<bool> folded_axes(const Tensor& x, const Shape& dims) {
  std::vector<bool> folded(x.shape().size(), dims.empty());
  for (const std::int64_t dim : dims) {
    const std::int64_t axis = wrap_dim(dim, x.dim());
    if (x.dim() == 0) continue;
    if (folded[static_cast<std::size_t>(axis)])
      throw TensorError("reduce.repeat", Code::Runtime, "RuntimeError",
                        "dim " + std::to_string(axis) + " appears multiple times in the list of dims",
                        {{"axis", axis}});
    folded[static_cast<std::size_t>(axis)] = true;
  }
  return folded;
}

// Row-major strides along the chosen axes, 0 along the others.
Shape strides_along(const Shape& shape, const std::vector<bool>& folded, bool chosen) {
  Shape strides(shape.size(), 0);
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (folded[d] != chosen) continue;
    strides[d] = step;
    step *= shape[d];
  }
  return strides;
}

bool are_last(const std::vector<bool>& folded) {
  return std::is_sorted(folded.begin(), folded.end());  // false before true
}

}  // namespace

Fold plan_fold(const Tensor& x, const Shape& dims, bool keepdim) {
  const std::vector<bool> folded = folded_axes(x, dims);
  Fold fold;
  fold.out_strides = strides_along(x.shape(), folded, false);
  fold.number_strides = strides_along(x.shape(), folded, true);
  for (std::size_t d = 0; d < folded.size(); ++d) {
    if (folded[d]) fold.group *= x.shape()[d];
    if (!folded[d] || keepdim) fold.out_shape.push_back(folded[d] ? 1 : x.shape()[d]);
  }
  fold.rows_in_a_row = x.is_contiguous() && are_last(folded);
  return fold;
}

}  // namespace attn
