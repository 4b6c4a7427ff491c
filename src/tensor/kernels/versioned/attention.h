#pragma once
// Attention in tiles at this level: see kernels.h.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/level_namespace.h"

namespace attn::ATTN_LEVEL {

void attend(const AttentionRows& rows);

}  // namespace attn::ATTN_LEVEL
