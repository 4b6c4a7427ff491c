#pragma once
// The loops in which large lessons spend their time. The files of kernels/versioned/ hold them and are compiled once
// for each level of the processor; a level is one of these tables, and levels.h chooses which one is used.
//
// What a function here computes has the same bits at every level, unless it says otherwise: no fused multiply-add, and
// sums in an order that sizes alone decide. None allocates tensors, charges work, or checks its arguments.
#include "tensor/kernels/matrix_view.h"

namespace attn {

/// Kernels for one type of floats.
template <class T>
struct FloatKernels {
  /// out += a b, where `out` has rows `out_stride` apart; each element over k = 0, 1, 2, ...
  void (*add_product)(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride);

  /// The same by Eigen: several times as fast where matrices are large. Bits depend on the level and on the sizes.
  /// a has contiguous rows; b has contiguous rows or columns.
  void (*add_large_product)(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride);
};

struct Kernels {
  FloatKernels<float> float32;
  FloatKernels<double> float64;

  template <class T>
  const FloatKernels<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float)) return float32;
    else return float64;
  }
};

}  // namespace attn
