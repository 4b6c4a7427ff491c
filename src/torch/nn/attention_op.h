#pragma once
// Attention of several heads as one op: what nn.MultiheadAttention calls.
#include <string>

#include "torch/op.h"

namespace attn {

/// (query, key, value, embed_dim, num_heads, in_proj, in_proj_bias, bias_k, bias_v, add_zero_attn, dropout,
/// out_proj_weight, out_proj_bias, key_padding_mask, need_weights, attn_mask, average_attn_weights) -> (output,
/// weights).
///   Shapes: query (T, N, E), key (S, N, Ek), value (S, N, Ev), each also without N -> (T, N, E), (N, T, S) or with the
///   heads (N, H, T, S); weights are None unless need_weights.
///   `in_proj`: one weight (3E, E), or three of (E, E), (E, Ek), (E, Ev). Masks: True hides a key, a float is added.
///   Errors: AssertionError and RuntimeError with PyTorch's texts.
///   Source: torch.nn.functional.multi_head_attention_forward.
const OpInfo& attention_op();

/// AssertionError with that text unless it holds.
void require_assertion(bool holds, Span span, std::string text);

}  // namespace attn
