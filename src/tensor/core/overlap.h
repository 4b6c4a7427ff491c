#pragma once
// Whether a tensor that is written to shares elements with one that is read, by PyTorch's rule: ranges of memory are
// compared, and of tensors with gaps or repeated elements nothing is said.
#include "tensor/core/tensor.h"

namespace attn {

/// Refuses to write different numbers to elements that share a place in memory: a stretched axis.
///   Errors: RuntimeError "assign.overlap", facts axis, size.
void require_no_internal_overlap(const Tensor& target);

/// Refuses to write to `target` from `source` when they share some elements but are not the same view.
///   Errors: RuntimeError "overlap".
void require_no_partial_overlap(const Tensor& target, const Tensor& source);

/// The same for ops that write out of order (scatter, index_put): there the same view is refused as well.
void require_apart(const Tensor& target, const Tensor& source);

}  // namespace attn
