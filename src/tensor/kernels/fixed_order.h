#pragma once
// The matrix product whose bits can be predicted: every element is a[i][0] b[0][j] + a[i][1] b[1][j] + ..., added from
// the left in the element's own type. How many rows and columns are computed side by side changes no sum.
#include <type_traits>

#include "tensor/kernels/level_namespace.h"
#include "tensor/kernels/matrix_view.h"

namespace attn::ATTN_LEVEL {

template <class T, int kCount>
struct Lanes {
  using Vector [[gnu::vector_size(sizeof(T) * kCount)]] = T;
};
template <class T>
struct Lanes<T, 1> {
  using Vector = T;
};

// Rows of one block: as many sums as there are registers for.
#if defined(__AVX512F__)
inline constexpr int kBlockRows = 8;
#elif defined(__AVX__)
inline constexpr int kBlockRows = 4;
#else
inline constexpr int kBlockRows = 2;
#endif

template <bool kContiguous, int kCols, class T, class Vector>
inline void load_row(const MatrixView<T>& b, std::int64_t k, std::int64_t j, Vector& row) {
  if constexpr (kContiguous || kCols == 1) __builtin_memcpy(&row, b.at(k, j), sizeof(Vector));
  else
    for (int c = 0; c < kCols; ++c) row[c] = *b.at(k, j + c);
}

/// out[i][j .. j + kCols) += row i of a times b, for kRows rows from i on. The sums stay in registers over all of k.
template <bool kContiguous, int kRows, int kCols, class T>
inline void add_block(const MatrixView<T>& a, std::int64_t i, const MatrixView<T>& b, std::int64_t j, T* out,
                      std::int64_t out_stride) {
  using Vector = typename Lanes<T, kCols>::Vector;
  Vector sum[kRows];
  for (int r = 0; r < kRows; ++r) __builtin_memcpy(&sum[r], out + (i + r) * out_stride + j, sizeof(Vector));
  for (std::int64_t k = 0; k < a.cols; ++k) {
    Vector row;
    load_row<kContiguous, kCols>(b, k, j, row);
    for (int r = 0; r < kRows; ++r) sum[r] += *a.at(i + r, k) * row;
  }
  for (int r = 0; r < kRows; ++r) __builtin_memcpy(out + (i + r) * out_stride + j, &sum[r], sizeof(Vector));
}

/// The same for one row and 16 columns of a b whose columns are without gaps, as those of a transposed matrix are: what
/// four columns have at four places of k is turned in registers.
template <class T>
inline void add_turned_block(const MatrixView<T>& a, std::int64_t i, const MatrixView<T>& b, std::int64_t j, T* out) {
  constexpr int kFour = 4, kGroups = 4;
  using Four = typename Lanes<T, kFour>::Vector;
  Four sum[kGroups];
  __builtin_memcpy(sum, out + j, sizeof(sum));
  std::int64_t k = 0;
  for (; k + kFour <= a.cols; k += kFour) {
    for (int g = 0; g < kGroups; ++g) {
      Four column[kFour];
      for (int c = 0; c < kFour; ++c) __builtin_memcpy(&column[c], b.at(k, j + g * kFour + c), sizeof(Four));
      const Four low = __builtin_shufflevector(column[0], column[1], 0, 4, 1, 5),
                 high = __builtin_shufflevector(column[0], column[1], 2, 6, 3, 7),
                 next_low = __builtin_shufflevector(column[2], column[3], 0, 4, 1, 5),
                 next_high = __builtin_shufflevector(column[2], column[3], 2, 6, 3, 7);
      sum[g] += *a.at(i, k) * __builtin_shufflevector(low, next_low, 0, 1, 4, 5);
      sum[g] += *a.at(i, k + 1) * __builtin_shufflevector(low, next_low, 2, 3, 6, 7);
      sum[g] += *a.at(i, k + 2) * __builtin_shufflevector(high, next_high, 0, 1, 4, 5);
      sum[g] += *a.at(i, k + 3) * __builtin_shufflevector(high, next_high, 2, 3, 6, 7);
    }
  }
  __builtin_memcpy(out + j, sum, sizeof(sum));
  for (; k < a.cols; ++k)
    for (std::int64_t c = j; c < j + kFour * kGroups; ++c) out[c] += *a.at(i, k) * *b.at(k, c);
}

/// The rows from i on that fill whole blocks of kRows; gives the row behind them.
template <bool kContiguous, int kRows, class T>
inline std::int64_t add_rows(const MatrixView<T>& a, std::int64_t i, const MatrixView<T>& b, T* out,
                             std::int64_t out_stride) {
  constexpr int kWide = 64 / sizeof(T), kNarrow = 4;
  for (; i + kRows <= a.rows; i += kRows) {
    std::int64_t j = 0;
    for (; j + kWide <= b.cols; j += kWide) add_block<kContiguous, kRows, kWide>(a, i, b, j, out, out_stride);
    for (; j + kNarrow <= b.cols; j += kNarrow) add_block<kContiguous, kRows, kNarrow>(a, i, b, j, out, out_stride);
    for (; j < b.cols; ++j) add_block<kContiguous, kRows, 1>(a, i, b, j, out, out_stride);
  }
  return i;
}

/// out += a b, where `out` has rows `out_stride` apart.
template <class T>
void add_product_in_order(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride) {
  if (b.col_stride != 1) {
    constexpr std::int64_t kTurned = 16;
    const std::int64_t turned = b.row_stride == 1 ? b.cols - b.cols % kTurned : 0;
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < turned; j += kTurned) add_turned_block(a, i, b, j, out + i * out_stride);
    const MatrixView<T> rest{b.at(0, turned), b.rows, b.cols - turned, b.row_stride, b.col_stride};
    add_rows<false, 1>(a, 0, rest, out + turned, out_stride);
    return;
  }
  std::int64_t i = add_rows<true, kBlockRows>(a, 0, b, out, out_stride);
  if constexpr (kBlockRows > 2) i = add_rows<true, 2>(a, i, b, out, out_stride);
  add_rows<true, 1>(a, i, b, out, out_stride);
}

}  // namespace attn::ATTN_LEVEL
