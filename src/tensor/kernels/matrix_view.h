#pragma once
// A matrix that stands somewhere in memory. Of code that is compiled for several levels: nothing here may be anything
// but inlined, or the linker would keep one level's copy for all.
#include <cstdint>

namespace attn {

template <class T>
struct MatrixView {
  const T* data;
  std::int64_t rows, cols;
  std::int64_t row_stride, col_stride;  // in elements

  [[gnu::always_inline]] inline const T* at(std::int64_t row, std::int64_t col) const {
    return data + row * row_stride + col * col_stride;
  }
  [[gnu::always_inline]] inline MatrixView block(std::int64_t row, std::int64_t col, std::int64_t n_rows,
                                                 std::int64_t n_cols) const {
    return {at(row, col), n_rows, n_cols, row_stride, col_stride};
  }
};

}  // namespace attn
