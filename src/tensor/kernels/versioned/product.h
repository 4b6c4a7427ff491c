#pragma once
// Products of matrices in the fixed order, at this level: see kernels.h.
#include "tensor/kernels/level_namespace.h"
#include "tensor/kernels/matrix_view.h"

namespace attn::ATTN_LEVEL {

template <class T>
void add_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride);

}  // namespace attn::ATTN_LEVEL
