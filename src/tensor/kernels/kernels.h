#pragma once
// The loops in which large lessons spend their time. The files of kernels/versioned/ hold them and are compiled once
// for each level of the processor; a level is one of these tables, and levels.h chooses which one is used.
//
// What a function here computes has the same bits at every level, unless it says otherwise: no fused multiply-add, and
// sums in an order that sizes alone decide. None allocates tensors, charges work, or checks its arguments.
#include "tensor/kernels/matrix_view.h"

namespace attn {

/// out[i] = f(x[i]); `out` may be x.
template <class T>
using MapKernel = void (*)(const T* x, T* out, std::int64_t n);

/// Kernels for one type of floats.
template <class T>
struct FloatKernels {
  /// out += a b, where `out` has rows `out_stride` apart; each element over k = 0, 1, 2, ...
  void (*add_product)(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride);

  /// The same by Eigen: several times as fast where matrices are large. Bits depend on the level and on the sizes.
  /// a has contiguous rows; b has contiguous rows or columns.
  void (*add_large_product)(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride);

  /// In double, rounded once.
  MapKernel<T> exp, log, tanh, sigmoid, erf, gelu, gelu_tanh, silu;
};

/// Which keys a row of queries sees. Both null: all of them.
struct MaskView {
  const float* added = nullptr;  // to the scores
  const bool* seen = nullptr;
  std::int64_t row_stride = 0, col_stride = 0;
};

inline constexpr std::int64_t kAttentionRows = 256, kAttentionKeys = 256;  // of a tile: its scores fit the second cache

/// Some rows of scaled dot-product attention: out = softmax(scale q k^T + mask) v.
struct AttentionRows {
  MatrixView<float> q, k, v;  // (rows, D), (keys, D), (keys, E), with contiguous rows; at most kAttentionRows rows
  float scale = 1;
  MaskView mask;
  std::int64_t causal = 0;  // above 0: row i sees the first i + causal keys
  float* out = nullptr;     // (rows, E)
  std::int64_t out_stride = 0;
  float* scratch = nullptr;  // kScratch floats

  static constexpr std::int64_t kScratch = kAttentionRows * (kAttentionKeys + 2);
  [[gnu::always_inline]] float* scores() const { return scratch; }
  [[gnu::always_inline]] float* largest() const { return scratch + kAttentionRows * kAttentionKeys; }
  [[gnu::always_inline]] float* sums() const { return largest() + kAttentionRows; }
};

struct Kernels {
  FloatKernels<float> float32;
  FloatKernels<double> float64;

  /// exp(x - max) / sum. Rows below 256 elements: in double, rounded once. A row of -inf gives NaN.
  void (*softmax_row)(const float* x, float* out, std::int64_t n);

  /// Attention in memory for a tile of scores. Bits depend on the level and on the sizes.
  void (*attend)(const AttentionRows& rows);

  template <class T>
  const FloatKernels<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float)) return float32;
    else return float64;
  }
};

}  // namespace attn
