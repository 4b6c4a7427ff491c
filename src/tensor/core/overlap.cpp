#include "tensor/core/overlap.h"

#include "tensor/core/error.h"
#include "tensor/core/walk.h"

namespace attn {
namespace {

enum class Overlap { None, Some, All };

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

[[noreturn]] void throw_overlap() {
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
  if (overlap_of(target, source) == Overlap::Some) throw_overlap();
}

void require_apart(const Tensor& target, const Tensor& source) {
  if (overlap_of(target, source) != Overlap::None) throw_overlap();
}

}  // namespace attn
