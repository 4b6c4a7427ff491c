#include "tensor/kernels/versioned/large_product.h"

#include "tensor/kernels/versioned/panel.h"

namespace attn::ATTN_LEVEL {

namespace {

template <class T>
MatrixView<T> side_by_side(const MatrixView<T>& a, T* to) {
  const auto row_bytes = static_cast<std::size_t>(a.cols) * sizeof(T);
  for (std::int64_t i = 0; i < a.rows; ++i) __builtin_memcpy(to + i * a.cols, a.at(i, 0), row_bytes);
  return {to, a.rows, a.cols, a.cols, 1};
}

}  // namespace

template <class T>
void large_product(Put put, const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride,
                   CacheLine* scratch) {
  T *const panel = reinterpret_cast<T*>(scratch), *const rows = reinterpret_cast<T*>(scratch + kPanelLines);
  const bool copies = rows_collide(a);
  for (std::int64_t k = 0; k < a.cols; k += kPanelDepth) {
    const std::int64_t depth = a.cols - k < kPanelDepth ? a.cols - k : kPanelDepth;
    const MatrixView<T> block = a.block(0, k, a.rows, depth), left = copies ? side_by_side(block, rows) : block;
    for_each_panel<T>(b.cols, [&](std::int64_t col, std::int64_t cols) {
      fill_panel(b.block(k, col, depth, cols), panel);
      if (k == 0 && put == Put::Store) multiply_panel<Put::Store>(left, panel, cols, out + col, out_stride);
      else multiply_panel<Put::Add>(left, panel, cols, out + col, out_stride);
    });
  }
}

template void large_product(Put, const MatrixView<float>&, const MatrixView<float>&, float*, std::int64_t, CacheLine*);

}  // namespace attn::ATTN_LEVEL
