// The table of this level. levels.cpp knows it by its namespace.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/versioned/attention.h"
#include "tensor/kernels/versioned/product.h"
#include "tensor/kernels/versioned/softmax.h"

namespace attn::ATTN_LEVEL {
namespace {

template <class T>
constexpr FloatKernels<T> kFloatKernels = {add_product<T>, add_large_product<T>};

}  // namespace

extern const Kernels kKernels;
constexpr Kernels kKernels = {kFloatKernels<float>, kFloatKernels<double>, softmax_row, attend};

}  // namespace attn::ATTN_LEVEL
