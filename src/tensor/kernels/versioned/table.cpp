// The table of this level. levels.cpp knows it by its namespace.
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

/// A function that PyTorch computes in steps of float32.
template <class OfFloat, class OfDouble, class T>
void in_steps(const T* x, T* out, std::int64_t n) {
  if constexpr (sizeof(T) == sizeof(float)) map_floats<OfFloat>(x, out, n);
  else map<OfDouble, T>(x, out, n);
}

template <class T>
constexpr FloatKernels<T> kFloatKernels = {
    .add_product = add_product<T>,
    .large_product = large_product<T>,
    .exp = exponentials,
    .log = map<Log, T>,
    .tanh = map<Tanh, T>,
    .sigmoid = in_steps<SigmoidOfFloat, Sigmoid, T>,
    .erf = map<Erf, T>,
    .gelu = in_steps<GeluOfFloat, Gelu, T>,
    .gelu_slope = in_steps<GeluSlopeOfFloat, GeluSlope, T>,
    .gelu_tanh = in_steps<GeluTanhOfFloat, GeluTanh, T>,
    .silu = in_steps<SiluOfFloat, Silu, T>,
};

}  // namespace

extern const Kernels kKernels;
constexpr Kernels kKernels = {kFloatKernels<float>, kFloatKernels<double>, softmax_row, log_softmax_row, attend};

}  // namespace attn::ATTN_LEVEL
