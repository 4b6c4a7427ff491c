#pragma once
// The matrix product whose bits can be predicted (kernels/fixed_order.h), starting from 0. Neither the layout of the
// operands nor the processor changes it.
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tensor/kernels/fixed_order.h"
#include "tensor/kernels/levels.h"

namespace attn {

/// A row-major copy of a matrix; copying the same one again costs nothing.
template <class T>
class Packed {
 public:
  MatrixView<T> copy(const MatrixView<T>& m) {
    if (!(m.data == source_ && m.rows == rows_ && m.cols == cols_)) fill(m);
    return {values_.data(), m.rows, m.cols, stride_of(m), 1};
  }

 private:
  // A line of the cache more than a row takes: rows 2^n apart would push each other out of it.
  static std::int64_t stride_of(const MatrixView<T>& m) {
    return m.cols + static_cast<std::int64_t>(sizeof(CacheLine) / sizeof(T));
  }

  void fill(const MatrixView<T>& m) {
    const std::int64_t stride = stride_of(m);
    values_.resize(static_cast<std::size_t>(m.rows * stride));
    for (std::int64_t j = 0; j < m.cols; ++j)
      for (std::int64_t i = 0; i < m.rows; ++i) values_[static_cast<std::size_t>(i * stride + j)] = *m.at(i, j);
    source_ = m.data;
    rows_ = m.rows;
    cols_ = m.cols;
  }

  std::vector<T> values_;
  const T* source_ = nullptr;
  std::int64_t rows_ = 0, cols_ = 0;
};

// Integers have no kernels of their own: they wrap around as unsigned ones do at every level.
template <class T>
void add_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride) {
  if constexpr (std::is_floating_point_v<T>) kernels().of<T>().add_product(a, b, out, out_stride);
  else ATTN_LEVEL::add_product_in_order(a, b, out, out_stride);
}

/// out = a b, where `out` has rows `out_stride` apart. `scratch` may be kept between calls while b's elements do not
/// change; `check` is called often enough for an interrupt.
template <class T, class Check>
void fixed_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride, Packed<T>& scratch,
                   const Check& check) {
  constexpr std::int64_t kBetweenChecks = std::int64_t{1} << 20;  // multiply-adds
  constexpr std::int64_t kRowsWorthPacking = 4;
  for (std::int64_t i = 0; i < a.rows; ++i) std::fill_n(out + i * out_stride, b.cols, T{0});
  const std::int64_t step = std::max<std::int64_t>(kBetweenChecks / std::max<std::int64_t>(a.rows * b.cols, 1), 16);
  for (std::int64_t k = 0; k < a.cols; k += step) {
    check();
    const std::int64_t depth = std::min(step, a.cols - k);
    const MatrixView<T> left = a.block(0, k, a.rows, depth);
    MatrixView<T> right = b.block(k, 0, depth, b.cols);
    if (right.col_stride != 1 && a.rows >= kRowsWorthPacking) right = scratch.copy(right);
    add_product(left, right, out, out_stride);
  }
}

}  // namespace attn
