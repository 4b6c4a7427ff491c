#include <stdexcept>

#include "tensor/kernels/versioned/large_product.h"

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
// matrices too, at five times the time to compile.
template <int kOrderOfB>
void add_by_eigen(const MatrixView<double>& a, const MatrixView<double>& b, double* out, std::int64_t out_stride) {
  namespace impl = Eigen::internal;
  using Gemm = impl::general_matrix_matrix_product<Eigen::Index, double, Eigen::RowMajor, false, double, kOrderOfB,
                                                   false, Eigen::RowMajor, 1>;
  impl::gemm_blocking_space<Eigen::RowMajor, double, double, Eigen::Dynamic, Eigen::Dynamic, Eigen::Dynamic> blocking(
      a.rows, b.cols, a.cols, 1, true);
  const std::int64_t b_stride = kOrderOfB == Eigen::RowMajor ? b.row_stride : b.col_stride;
  Gemm::run(a.rows, b.cols, a.cols, a.data, a.row_stride, b.data, b_stride, out, 1, out_stride, 1.0, blocking);
}

}  // namespace

template <>
void large_product(Put put, const MatrixView<double>& a, const MatrixView<double>& b, double* out,
                   std::int64_t out_stride, CacheLine*) {
  fix_cache_sizes();
  for (std::int64_t i = 0; i < a.rows && put == Put::Store; ++i)
    for (std::int64_t j = 0; j < b.cols; ++j) out[i * out_stride + j] = 0;
  if (b.col_stride == 1) add_by_eigen<Eigen::RowMajor>(a, b, out, out_stride);
  else add_by_eigen<Eigen::ColMajor>(a, b, out, out_stride);
}

}  // namespace attn::ATTN_LEVEL
