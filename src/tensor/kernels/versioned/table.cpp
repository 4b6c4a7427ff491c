// The table of this level. levels.cpp knows it by its namespace.
#include <type_traits>

#include "tensor/kernels/fixed_order.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/versioned/attention.h"
#include "tensor/kernels/versioned/large_product.h"
#include "tensor/kernels/versioned/map.h"
#include "tensor/kernels/versioned/softmax.h"

namespace attn::ATTN_LEVEL {
namespace {

template <class T>
void add_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride) {
  add_product_in_order(a, b, out, out_stride);
}

template <class T>
constexpr FloatKernels<T> kFloatKernels = {
    .add_product = add_product<T>,
    .large_product = large_product<T>,
    .exp = exponentials,
    .log = map<Log, T>,
    .tanh = map<Tanh, T>,
    .sigmoid = map<std::conditional_t<sizeof(T) == sizeof(float), SigmoidOfFloat, Sigmoid>, T>,
    .erf = map<Erf, T>,
    .gelu = map<Gelu, T>,
    .gelu_tanh = map<GeluTanh, T>,
    .silu = map<Silu, T>,
};

}  // namespace

extern const Kernels kKernels;
constexpr Kernels kKernels = {kFloatKernels<float>, kFloatKernels<double>, softmax_row, log_softmax_row, attend};

}  // namespace attn::ATTN_LEVEL
