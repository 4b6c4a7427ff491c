#pragma once
// Sixteen uniform numbers into sixteen normal ones, with the roundings of PyTorch's vector path (docs/random.md).
#include <cstdint>

namespace attn {

inline constexpr std::int64_t kNormalBlock = 16;

/// block[j] and block[j + 8] (j = 0..7) hold uniforms in [0, 1) and become mean + std * radius * cos and sin.
void normal_block(float* block, float mean, float std);
void normal_block(double* block, double mean, double std);

}  // namespace attn
