#pragma once
// How wide the vectors of this level are.
#include "tensor/kernels/level_namespace.h"

namespace attn::ATTN_LEVEL {

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

}  // namespace attn::ATTN_LEVEL
