#include "tensor/kernels/versioned/product.h"

#include <stdexcept>

#include "tensor/kernels/fixed_order.h"

// Before Eigen: no threads of its own, and a failed check throws instead of ending the program.
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_CPUID
#define eigen_assert(condition)                                     \
  do {                                                              \
    if (!(condition)) throw std::logic_error("Eigen: " #condition); \
  } while (false)
#include <Eigen/Core>

namespace attn::ATTN_LEVEL {
namespace {

// The blocking inside Eigen follows the sizes of the caches: fixed, or bits would differ from machine to machine.
void fix_cache_sizes() {
  static const bool done = [] {
    Eigen::setCpuCacheSizes(32 * 1024, 512 * 1024, 4 * 1024 * 1024);
    return true;
  }();
  static_cast<void>(done);
}

// out += a b. Of Eigen only the kernel of large products: `out += a * b` would bring those of vectors and of small
// matrices too, at five times the time to compile. It wants a with contiguous rows; b has rows or columns that are.
template <int kOrderOfB, class T>
void add_by_eigen(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride) {
  namespace impl = Eigen::internal;
  using Gemm = impl::general_matrix_matrix_product<Eigen::Index, T, Eigen::RowMajor, false, T, kOrderOfB, false,
                                                   Eigen::RowMajor, 1>;
  impl::gemm_blocking_space<Eigen::RowMajor, T, T, Eigen::Dynamic, Eigen::Dynamic, Eigen::Dynamic> blocking(
      a.rows, b.cols, a.cols, 1, true);
  const std::int64_t b_stride = kOrderOfB == Eigen::RowMajor ? b.row_stride : b.col_stride;
  Gemm::run(a.rows, b.cols, a.cols, a.data, a.row_stride, b.data, b_stride, out, 1, out_stride, T{1}, blocking);
}

}  // namespace

template <class T>
void add_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride) {
  add_product_in_order(a, b, out, out_stride);
}

template <class T>
void add_large_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride) {
  fix_cache_sizes();
  if (b.col_stride == 1) add_by_eigen<Eigen::RowMajor>(a, b, out, out_stride);
  else add_by_eigen<Eigen::ColMajor>(a, b, out, out_stride);
}

template void add_product(const MatrixView<float>&, const MatrixView<float>&, float*, std::int64_t);
template void add_product(const MatrixView<double>&, const MatrixView<double>&, double*, std::int64_t);
template void add_large_product(const MatrixView<float>&, const MatrixView<float>&, float*, std::int64_t);
template void add_large_product(const MatrixView<double>&, const MatrixView<double>&, double*, std::int64_t);

}  // namespace attn::ATTN_LEVEL
