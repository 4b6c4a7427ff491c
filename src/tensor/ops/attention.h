#pragma once
// Attention of long sequences, whose scores never stand in memory all at once.
#include "tensor/core/tensor.h"

namespace attn {

struct AttentionOptions {
  Tensor mask;  // undefined: none. Bool: True where a key is seen; float32: added to the scores
  bool is_causal = false;
  double scale = 1;
};

/// Whether tiles are worth it (2^18 scores in a matrix or more) and can be taken: float32, one shape of batch, sizes
/// and a mask that fit. For the rest there are the steps one by one, which also say what is wrong.
bool takes_tiles(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options);

/// softmax(scale * q k^T + mask) v by tiles of scores, in memory that grows with the lengths and not with their
/// product.
///   Shapes: q (..., T, D), k (..., S, D), v (..., S, E) -> (..., T, E); mask broadcasts to (..., T, S); takes_tiles().
///   Source: torch.nn.functional.scaled_dot_product_attention.
Tensor attention_in_tiles(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options);

}  // namespace attn
