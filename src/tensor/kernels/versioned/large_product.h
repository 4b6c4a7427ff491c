#pragma once
// Large products of matrices at this level: see kernels.h. Those of float32, the type of attention, have a kernel of
// their own; those of float64 are Eigen's.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/level_namespace.h"

namespace attn::ATTN_LEVEL {

template <class T>
void large_product(Put put, const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride,
                   CacheLine* scratch);

template <>
void large_product(Put put, const MatrixView<double>& a, const MatrixView<double>& b, double* out,
                   std::int64_t out_stride, CacheLine* scratch);

}  // namespace attn::ATTN_LEVEL
