#pragma once
// The matrix product whose bits can be predicted: every element is a[i][0] b[0][j] + a[i][1] b[1][j] + ..., added from
// the left in the element's own type, starting from 0. Neither the layout of the operands nor the processor changes it.
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace attn {

template <class T>
struct MatrixView {
  const T* data;
  std::int64_t rows, cols;
  std::int64_t row_stride, col_stride;

  const T* at(std::int64_t row, std::int64_t col) const { return data + row * row_stride + col * col_stride; }
  MatrixView block(std::int64_t row, std::int64_t col, std::int64_t n_rows, std::int64_t n_cols) const {
    return {at(row, col), n_rows, n_cols, row_stride, col_stride};
  }
};

/// A row-major copy of a matrix; copying the same one again costs nothing.
template <class T>
class Packed {
 public:
  MatrixView<T> copy(const MatrixView<T>& m) {
    if (!(m.data == source_ && m.rows == rows_ && m.cols == cols_)) fill(m);
    return {values_.data(), m.rows, m.cols, m.cols, 1};
  }

 private:
  void fill(const MatrixView<T>& m) {
    values_.resize(static_cast<std::size_t>(m.rows * m.cols));
    for (std::int64_t j = 0; j < m.cols; ++j)
      for (std::int64_t i = 0; i < m.rows; ++i) values_[static_cast<std::size_t>(i * m.cols + j)] = *m.at(i, j);
    source_ = m.data;
    rows_ = m.rows;
    cols_ = m.cols;
  }

  std::vector<T> values_;
  const T* source_ = nullptr;
  std::int64_t rows_ = 0, cols_ = 0;
};

// out[0 .. kWidth) += a[0] * (row 0 of b) + a[1] * (row 1) + ... The sums stay in registers over all of k; kWidth is a
// constant so that compilers vectorise over the columns. Step is the distance of columns: a number, or the constant 1.
template <int kWidth, class T, class Step>
void add_product_of_row(const T* a, std::int64_t a_step, const T* b, std::int64_t b_row, Step b_col, std::int64_t depth,
                        T* out) {
  T sum[kWidth];
  for (int j = 0; j < kWidth; ++j) sum[j] = out[j];
  for (std::int64_t k = 0; k < depth; ++k) {
    const T factor = a[k * a_step];
    const T* row = b + k * b_row;
    for (int j = 0; j < kWidth; ++j) sum[j] += factor * row[j * b_col];
  }
  for (int j = 0; j < kWidth; ++j) out[j] = sum[j];
}

template <class T, class Step>
void add_fixed_product(const MatrixView<T>& a, const MatrixView<T>& b, Step b_col, T* out, std::int64_t out_stride) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const auto columns = [&]<int kWidth>(std::int64_t j) {
      for (; j + kWidth <= b.cols; j += kWidth)
        add_product_of_row<kWidth>(a.at(i, 0), a.col_stride, b.at(0, j), b.row_stride, b_col, a.cols,
                                   out + i * out_stride + j);
      return j;
    };
    std::int64_t j = columns.template operator()<16>(0);
    j = columns.template operator()<4>(j);
    columns.template operator()<1>(j);
  }
}

/// out = a b, where `out` has rows `out_stride` apart. `scratch` may be kept between calls while b's elements do not
/// change; `check` is called often enough for an interrupt.
template <class T, class Check>
void fixed_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride, Packed<T>& scratch,
                   const Check& check) {
  constexpr std::int64_t kBetweenChecks = std::int64_t{1} << 24;  // multiply-adds
  constexpr std::int64_t kRowsWorthPacking = 4;
  for (std::int64_t i = 0; i < a.rows; ++i) std::fill_n(out + i * out_stride, b.cols, T{0});
  const std::int64_t step = std::max<std::int64_t>(kBetweenChecks / std::max<std::int64_t>(a.rows * b.cols, 1), 16);
  for (std::int64_t k = 0; k < a.cols; k += step) {
    check();
    const std::int64_t depth = std::min(step, a.cols - k);
    const MatrixView<T> left = a.block(0, k, a.rows, depth);
    MatrixView<T> right = b.block(k, 0, depth, b.cols);
    if (right.col_stride != 1 && a.rows >= kRowsWorthPacking) right = scratch.copy(right);
    if (right.col_stride == 1)
      add_fixed_product(left, right, std::integral_constant<std::int64_t, 1>{}, out, out_stride);
    else add_fixed_product(left, right, right.col_stride, out, out_stride);
  }
}

}  // namespace attn
