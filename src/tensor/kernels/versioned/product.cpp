#include "tensor/kernels/versioned/product.h"

#include "tensor/kernels/fixed_order.h"

namespace attn::ATTN_LEVEL {

template <class T>
void add_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride) {
  add_product_in_order(a, b, out, out_stride);
}

template void add_product(const MatrixView<float>&, const MatrixView<float>&, float*, std::int64_t);
template void add_product(const MatrixView<double>&, const MatrixView<double>&, double*, std::int64_t);

}  // namespace attn::ATTN_LEVEL
