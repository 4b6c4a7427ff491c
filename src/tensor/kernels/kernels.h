#pragma once
// The loops in which large lessons spend their time. The files of kernels/versioned/ hold them and are compiled once
// for each level of the processor; a level is one of these tables, and levels.h chooses which one is used.
//
// What a function here computes has the same bits at every level, unless it says otherwise: no fused multiply-add, and
// sums in an order that sizes alone decide. None allocates tensors, charges work, or checks its arguments.
#include <cstddef>

#include "tensor/kernels/matrix_view.h"

namespace attn {

/// out[i] = f(x[i]); `out` may be x.
template <class T>
using MapKernel = void (*)(const T* x, T* out, std::int64_t n);

/// Scratch memory of the kernels, in lines of the cache.
struct alignas(64) CacheLine {
  std::byte bytes[64];
};
inline constexpr std::int64_t kPanelLines = 512;            // of one panel (versioned/panel.h), at any level
inline constexpr std::int64_t kTileRows = 512;              // the most that a large product has at a time
inline constexpr std::int64_t kTileLines = kTileRows * 16;  // of so many rows, as deep as a panel

/// Rows whose distances are whole pages push each other out of the caches: they are copied side by side.
template <class T>
inline bool rows_collide(const MatrixView<T>& a) {
  constexpr std::int64_t kPage = 4096, kFewRows = 64;
  return a.rows > kFewRows && a.row_stride * static_cast<std::int64_t>(sizeof(T)) % kPage == 0;
}

/// What is done with a product: out = a b or out += a b.
enum class Put { Store, Add };

/// Kernels for one type of floats.
template <class T>
struct FloatKernels {
  /// out += a b, where `out` has rows `out_stride` apart; each element over k = 0, 1, 2, ...
  void (*add_product)(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride);

  /// A product several times as fast where matrices are large. Bits depend on the level and the depth, those of
  /// float64 (by Eigen) on the other sizes, too. a has contiguous rows, at most kTileRows, b contiguous rows or
  /// columns, scratch kPanelLines lines, and kTileLines more where the rows of a collide.
  void (*large_product)(Put put, const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride,
                        CacheLine* scratch);

  /// In double, rounded once; of float32 exp, sigmoid, gelu and silu as PyTorch has them.
  MapKernel<T> exp, log, tanh, sigmoid, erf, gelu, gelu_slope, gelu_tanh, silu;
};

/// Which keys a row of queries sees. Both null: all of them.
struct MaskView {
  const float* added = nullptr;  // to the scores
  const bool* seen = nullptr;
  std::int64_t row_stride = 0, col_stride = 0;
};

// Keys of a tile: in panels they and their values fit the second cache. The scores of a few rows fit the first one.
inline constexpr std::int64_t kAttentionKeys = 256, kScoreRows = 24;

/// Some rows of scaled dot-product attention: out = softmax(scale q k^T + mask) v, a tile of keys at a time.
struct AttentionRows {
  MatrixView<float> q, k, v;  // (rows, D), (keys, D), (keys, E), with contiguous rows
  float scale = 1;
  MaskView mask;
  std::int64_t causal = 0;     // above 0: row i sees the first i + causal keys
  std::int64_t first_key = 0;  // of the tile: 0, kAttentionKeys, ... in this order
  float* out = nullptr;        // (rows, E); complete after the last tile
  std::int64_t out_stride = 0;
  CacheLine* scratch = nullptr;

  /// Lines of scratch: keys and values of a tile, scores, and two numbers for each row.
  [[gnu::always_inline]] static std::int64_t scratch_lines(std::int64_t rows, std::int64_t D, std::int64_t E) {
    const std::int64_t widest = 64;  // columns of a panel at any level
    const std::int64_t values = (E + widest - 1) / widest * widest;
    return (kAttentionKeys * (D + values + kScoreRows) + 2 * rows) / 16 + 1;
  }
};

struct Kernels {
  FloatKernels<float> float32;
  FloatKernels<double> float64;

  /// exp(x - max) / sum and x - max - log(sum), in the order of docs/numbers.md. A row of -inf gives NaN.
  void (*softmax_row)(const float* x, float* out, std::int64_t n);
  void (*log_softmax_row)(const float* x, float* out, std::int64_t n);

  /// Attention to one tile of keys, in memory for a tile of scores. Bits depend on the level and on the sizes.
  void (*attend)(const AttentionRows& rows);

  template <class T>
  const FloatKernels<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float)) return float32;
    else return float64;
  }
};

}  // namespace attn
