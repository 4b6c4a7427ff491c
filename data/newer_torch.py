"""What lessons use of newer PyTorch and 1.13 lacks, defined by its formula."""
import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """softmax(scale * query key^T + mask) value, as torch 2 documents it; a bool mask is True where a key is seen."""
    if is_causal and attn_mask is not None:
        raise RuntimeError("scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    products = torch.matmul(query, key.transpose(-2, -1))
    if scale is None:
        scale = 1 / math.sqrt(query.size(-1)) if query.size(-1) else math.inf
    scores = products * scale
    if is_causal:
        attn_mask = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    elif attn_mask is not None:
        scores = scores + attn_mask
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(F.dropout(weights, dropout_p) if dropout_p > 0 else weights, value)


if not hasattr(F, "scaled_dot_product_attention"):
    F.scaled_dot_product_attention = scaled_dot_product_attention
