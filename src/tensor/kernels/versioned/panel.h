#pragma once
// The inside of large products. b is copied, panel by panel, into the order in which it is read: as many columns as the
// sums of six rows fill the registers with, one row of them after the other. The copy costs as much as the products of
// about six rows, however b lies in memory.
//
// An element of a product is a sum over k from the left for each kPanelDepth of k, and the sum of these from the left.
// So the bits depend on the depth and on the level alone, not on the other sizes, tiles or threads.
//
// Files that include this may use fused multiply-add (CMakeLists.txt names them) while others may not, so each has
// functions of its own.
#include <utility>

#include "tensor/kernels/kernels.h"
#include "tensor/kernels/versioned/vector.h"

namespace attn::ATTN_LEVEL {
namespace {

// Of 32 registers 24 hold sums, of 16 registers 12.
constexpr int kPanelRows = 6;
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int kPanelVectors = 4;
#else
constexpr int kPanelVectors = 2;
#endif

// Large products add up this much of the depth at a time: of b as many rows, which fit the first cache.
#if defined(__AVX512F__)
constexpr std::int64_t kPanelDepth = 128;
#else
constexpr std::int64_t kPanelDepth = 256;
#endif

template <class T>
struct PanelOf {
  static constexpr int kLanes = kVectorBytes / sizeof(T);
  static constexpr int kCols = kLanes * kPanelVectors;
  using Vector [[gnu::vector_size(kVectorBytes)]] = T;

  static_assert(kPanelDepth * kCols * sizeof(T) <= kPanelLines * sizeof(CacheLine));
};

template <class T>
inline typename PanelOf<T>::Vector vector_at(const T* from) {
  typename PanelOf<T>::Vector value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

/// Exchanges element j + kStep of row i with element j of row i + kStep, where neither i nor j has that bit.
template <int kStep, class Vector, int... kLane>
inline void exchange(Vector* rows, std::integer_sequence<int, kLane...>) {
  constexpr int kLanes = sizeof...(kLane);
  if constexpr (kStep < kLanes)
    for (int i = 0; i < kLanes; ++i) {
      if (i & kStep) continue;
      const Vector upper = rows[i], lower = rows[i + kStep];
      rows[i] = __builtin_shufflevector(upper, lower, (kLane & kStep ? kLanes + kLane - kStep : kLane)...);
      rows[i + kStep] = __builtin_shufflevector(upper, lower, (kLane & kStep ? kLanes + kLane : kLane + kStep)...);
    }
}

/// A square block as wide as a vector, turned. `from` has rows `stride` apart, `to` those of a panel.
template <class T>
inline void turn_square(const T* from, std::int64_t stride, T* to) {
  using Of = PanelOf<T>;
  const auto lanes = std::make_integer_sequence<int, Of::kLanes>();
  typename Of::Vector rows[Of::kLanes];
  for (int i = 0; i < Of::kLanes; ++i) rows[i] = vector_at(from + i * stride);
  exchange<8>(rows, lanes);
  exchange<4>(rows, lanes);
  exchange<2>(rows, lanes);
  exchange<1>(rows, lanes);
  for (int i = 0; i < Of::kLanes; ++i) __builtin_memcpy(to + i * Of::kCols, &rows[i], sizeof rows[i]);
}

/// Fills a panel with b, which has at most as many rows and columns; columns that b lacks are 0.
template <class T>
inline void fill_panel(const MatrixView<T>& b, T* panel) {
  using Of = PanelOf<T>;
  if (b.col_stride == 1 && b.cols == Of::kCols) {
    for (std::int64_t k = 0; k < b.rows; ++k)
      __builtin_memcpy(panel + k * Of::kCols, b.at(k, 0), Of::kCols * sizeof(T));
    return;
  }
  std::int64_t turned_rows = 0, turned_cols = 0;
  if (b.row_stride == 1) {
    turned_rows = b.rows / Of::kLanes * Of::kLanes, turned_cols = b.cols / Of::kLanes * Of::kLanes;
    for (std::int64_t j = 0; j < turned_cols; j += Of::kLanes)
      for (std::int64_t k = 0; k < turned_rows; k += Of::kLanes)
        turn_square(b.at(k, j), b.col_stride, panel + k * Of::kCols + j);
  }
  for (std::int64_t k = 0; k < b.rows; ++k)
    for (std::int64_t j = k < turned_rows ? turned_cols : 0; j < Of::kCols; ++j)
      panel[k * Of::kCols + j] = j < b.cols ? *b.at(k, j) : T{0};
}

/// kPanelRows rows times kCount vectors of columns. Rows that a lacks are computed as its last one is. Not inlined: the
/// compiler keeps the sums in registers only where little else is going on.
template <Put kPut, int kCount, class T>
[[gnu::noinline]] void multiply_block(const MatrixView<T>& a, const T* panel, T* out, std::int64_t out_stride) {
  using Of = PanelOf<T>;
  const T* row[kPanelRows];
  for (int r = 0; r < kPanelRows; ++r) row[r] = a.at(r < a.rows ? r : a.rows - 1, 0);
  typename Of::Vector sum[kPanelRows][kCount];
#pragma GCC unroll 6
  for (int r = 0; r < kPanelRows; ++r)  // NOLINT(modernize-loop-convert): as the loops below
#pragma GCC unroll 4
    for (int v = 0; v < kCount; ++v) sum[r][v] = typename Of::Vector{};
  for (std::int64_t k = 0; k < a.cols; ++k, panel += Of::kCols)
#pragma GCC unroll 6
    for (int r = 0; r < kPanelRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kCount; ++v) sum[r][v] += row[r][k] * vector_at(panel + v * Of::kLanes);
#pragma GCC unroll 6
  for (int r = 0; r < kPanelRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kCount; ++v) {
      T* const to = out + r * out_stride + v * Of::kLanes;
      if (kPut == Put::Add) sum[r][v] += vector_at(to);
      __builtin_memcpy(to, &sum[r][v], sizeof sum[r][v]);
    }
}

/// The same where `out` has fewer rows or columns than a block.
template <Put kPut, int kCount, class T>
inline void multiply_part(const MatrixView<T>& a, const T* panel, std::int64_t cols, T* out, std::int64_t out_stride) {
  constexpr std::int64_t kCols = kCount * PanelOf<T>::kLanes;
  T block[kPanelRows * kCols] = {};
  if (kPut == Put::Add)
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < cols; ++j) block[i * kCols + j] = out[i * out_stride + j];
  multiply_block<kPut, kCount>(a, panel, block, kCols);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j) out[i * out_stride + j] = block[i * kCols + j];
}

/// All rows of a times the `cols` columns of a panel.
template <Put kPut, int kCount = kPanelVectors, class T>
inline void multiply_panel(const MatrixView<T>& a, const T* panel, std::int64_t cols, T* out, std::int64_t out_stride) {
  if constexpr (kCount > 1)
    if (cols <= (kCount - 1) * PanelOf<T>::kLanes)
      return multiply_panel<kPut, kCount - 1>(a, panel, cols, out, out_stride);
  const bool fills_vectors = cols == kCount * PanelOf<T>::kLanes;
  for (std::int64_t i = 0; i < a.rows; i += kPanelRows, out += kPanelRows * out_stride) {
    const std::int64_t rows = a.rows - i < kPanelRows ? a.rows - i : kPanelRows;
    const MatrixView<T> block = a.block(i, 0, rows, a.cols);
    if (fills_vectors && rows == kPanelRows) multiply_block<kPut, kCount>(block, panel, out, out_stride);
    else multiply_part<kPut, kCount>(block, panel, cols, out, out_stride);
  }
}

/// Calls f(col, cols) for the columns of each panel.
template <class T, class F>
inline void for_each_panel(std::int64_t all, F&& f) {
  constexpr std::int64_t kCols = PanelOf<T>::kCols;
  for (std::int64_t col = 0; col < all; col += kCols) f(col, all - col < kCols ? all - col : kCols);
}

}  // namespace
}  // namespace attn::ATTN_LEVEL
