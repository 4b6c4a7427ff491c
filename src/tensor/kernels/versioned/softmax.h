#pragma once
// softmax and log_softmax at this level: see kernels.h.
#include <cstdint>

#include "tensor/kernels/level_namespace.h"

namespace attn::ATTN_LEVEL {

void softmax_row(const float* x, float* out, std::int64_t n);
void log_softmax_row(const float* x, float* out, std::int64_t n);

}  // namespace attn::ATTN_LEVEL
