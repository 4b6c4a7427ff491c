#include "tensor/overlap.h"

#include <algorithm>
#include <numeric>

#include "tensor/error.h"

namespace attn {
namespace {

enum class Overlap { None, Some, All };

// Are the elements a range of memory, each of them once? In whatever order.
bool is_dense(const Tensor& x) {
  std::vector<std::size_t> axes(x.shape().size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::erase_if(axes, [&](std::size_t axis) { return x.shape()[axis] < 2; });
  std::sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) { return x.strides()[a] < x.strides()[b]; });
  std::int64_t step = 1;
  for (const std::size_t axis : axes) {
    if (x.strides()[axis] != step) return false;
    step *= x.shape()[axis];
  }
  return true;
}

bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.shares_storage(b) && a.offset() == b.offset() && a.shape() == b.shape() && a.strides() == b.strides();
}

Overlap overlap_of(const Tensor& a, const Tensor& b) {
  if (is_same_view(a, b)) return Overlap::All;
  if (!a.shares_storage(b) || a.numel() == 0 || b.numel() == 0 || !is_dense(a) || !is_dense(b)) return Overlap::None;
  const std::int64_t a_end = a.offset() + a.numel(), b_end = b.offset() + b.numel();
  if (a.offset() == b.offset() && a_end == b_end) return a.strides() == b.strides() ? Overlap::All : Overlap::Some;
  return a.offset() < b_end && b.offset() < a_end ? Overlap::Some : Overlap::None;
}

[[noreturn]] void refuse() {
  throw TensorError("overlap", Code::Runtime, "RuntimeError",
                    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                    "single memory location. Please clone() the tensor before performing the operation.");
}

}  // namespace

void require_no_internal_overlap(const Tensor& target) {
  for (std::size_t d = 0; d < target.shape().size() && target.numel() > 0; ++d)
    if (target.strides()[d] == 0 && target.shape()[d] > 1)
      throw TensorError("assign.overlap", Code::Runtime, "RuntimeError",
                        "unsupported operation: more than one element of the written-to tensor refers to a single "
                        "memory location. Please clone() the tensor before performing the operation.",
                        {{"axis", static_cast<std::int64_t>(d)}, {"size", target.shape()[d]}});
}

void require_no_partial_overlap(const Tensor& target, const Tensor& source) {
  if (overlap_of(target, source) == Overlap::Some) refuse();
}

void require_apart(const Tensor& target, const Tensor& source) {
  if (overlap_of(target, source) != Overlap::None) refuse();
}

}  // namespace attn
