"""nn.MultiheadAttention and the op that it calls.

The steps are those of torch.nn.functional.multi_head_attention_forward in their order: one linear map gives queries,
keys and values, each is cut into heads (which PyTorch puts into the batch axis), softmax(q k^T / sqrt(head_dim) + mask)
v, and a last linear map over the heads side by side.
"""
import math

import torch
from torch import bmm, transpose
from torch.nn import functional as F
from torch.nn.functional import linear


def check_dimensions(query, key, value, num_heads, padding, mask):
    dims = query.dim()
    if dims != 2 and dims != 3:
        fail('assertion', f'query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor')
    which = 'batched (3-D)' if dims == 3 else 'unbatched (2-D)'
    if key.dim() != dims or value.dim() != dims:
        fail('assertion', f'For {which} `query`, expected `key` and `value` to be {dims}-D but found {key.dim()}-D and '
             f'{value.dim()}-D tensors respectively')
    if padding is not None and padding.dim() != dims - 1:
        fail('assertion', f'For {which} `query`, expected `key_padding_mask` to be `None` or {dims - 1}-D but found '
             f'{padding.dim()}-D tensor instead')
    if mask is None:
        return
    if dims == 2 and mask.dim() == 3 and tuple(mask.shape) != (num_heads, query.shape[0], key.shape[0]):
        fail('assertion', f'Expected `attn_mask` shape to be {(num_heads, query.shape[0], key.shape[0])} but got '
             f'{mask.shape}')
    if mask.dim() != 2 and mask.dim() != 3:
        fail('assertion', f'For {which} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found '
             f'{mask.dim()}-D tensor instead')


def check_sizes(query, key, value, embed_dim, is_packed):
    if query.shape[2] != embed_dim:
        fail('assertion', f'was expecting embedding dimension of {embed_dim}, but got {query.shape[2]}')
    if is_packed:
        if key.shape != value.shape:
            fail('assertion', f'key shape {key.shape} does not match value shape {value.shape}')
    elif key.shape[:2] != value.shape[:2]:
        fail('assertion', f"key's sequence and batch dims {torch.Size(key.shape[:2])} do not match value's "
             f'{torch.Size(value.shape[:2])}')


def check_width(key, width, columns):
    given = key.shape[2]
    if given != width:
        rows = key.shape[0] * key.shape[1]
        fail('shape', f'mat1 and mat2 shapes cannot be multiplied ({rows}x{given} and {width}x{columns})', '',
             "multihead.width", 'given', given, 'wanted', width)


def prepared_mask(mask, query_len, key_len, batch, heads):
    if not mask.is_floating_point() and mask.dtype != torch.bool:
        fail('assertion', f'Only float, byte, and bool types are supported for attn_mask, not {mask.dtype}')
    rows = batch * heads
    wanted = (query_len, key_len) if mask.dim() == 2 else (rows, query_len, key_len)
    if tuple(mask.shape) != wanted:
        text = f'The shape of the {mask.dim()}D attn_mask is {mask.shape}, but should be {wanted}.'
        if mask.dim() == 2 or tuple(mask.shape[1:]) != wanted[1:]:
            fail('shape', text)
        repeats = ['repeats', heads] if mask.shape[0] == batch else []
        fail('shape', text, '', "multihead.mask", 'batch', batch, 'heads', heads, 'rows', rows, *repeats)
    return mask.unsqueeze(0) if mask.dim() == 2 else mask


def parts(packed, sizes):
    """Rows of the packed weight or bias; None stays None."""
    return [None] * len(sizes) if packed is None else torch.split(packed, sizes)


def project(query, key, value, weights, bias):
    width = named(query.shape[2])
    if len(weights) == 1 and query is key and key is value:
        return linear(query, weights[0], bias).chunk(3, -1)
    if len(weights) == 1 and key is value:
        sizes = [width, 2 * width]
        check_width(key, width, 2 * width)
        w, b = parts(weights[0], sizes), parts(bias, sizes)
        q = linear(query, w[0], b[0])
        k, v = linear(key, w[1], b[1]).chunk(2, -1)
        return q, k, v
    sizes = [width, width, width]
    if len(weights) == 1:
        check_width(key, width, width)
    w = weights if len(weights) == 3 else parts(weights[0], sizes)
    b = parts(bias, sizes)
    return linear(query, w[0], b[0]), linear(key, w[1], b[1]), linear(value, w[2], b[2])


def widened(mask):
    """Masks grow with the keys that are added behind the others: those are always seen."""
    if mask is None:
        return None
    sizes = [named(size) for size in mask.shape[:-1]]
    return torch.cat([mask, torch.zeros((*sizes, 1), dtype=mask.dtype)], -1)


def by_head(x, batch, heads, width, hint):
    if x.shape[1] != batch:
        sizes = [x.shape[0], batch * heads, width // heads]
        fail('shape', f"shape '{sizes}' is invalid for input of size {x.numel()}", hint)
    rows = named(batch * heads, 'head', batch)
    return x.contiguous().view((x.shape[0], rows, named(width // heads, 'head_dim'))).transpose(0, 1)


def multi_head_attention(query, key, value, embed_dim, num_heads, in_proj, in_proj_bias, bias_k, bias_v, add_zero_attn,
                         dropout, out_proj_weight, out_proj_bias, key_padding_mask, need_weights, attn_mask,
                         average_attn_weights):
    padding, mask = key_padding_mask, attn_mask
    check_dimensions(query, key, value, num_heads, padding, mask)
    is_batched = query.dim() == 3
    if not is_batched:
        given = query, key, value
        query = query.unsqueeze(1)
        key = query if given[1] is given[0] else key.unsqueeze(1)
        value = key if given[2] is given[1] else value.unsqueeze(1)
        if padding is not None:
            padding = padding.unsqueeze(0)
    check_sizes(query, key, value, embed_dim, len(in_proj) == 1)
    query_len, batch, width = query.shape
    if mask is not None:
        mask = prepared_mask(mask, query_len, key.shape[0], batch, num_heads)
    is_turned = not query.is_contiguous()  # as batch_first=True leaves it
    hint = '' if is_turned else say("mistake.batch_second")
    q, k, v = project(query, key, value, in_proj, in_proj_bias)
    if bias_k is not None:
        k = torch.cat([k, bias_k.repeat((1, batch, 1))])
        v = torch.cat([v, bias_v.repeat((1, batch, 1))])
        mask, padding = widened(mask), widened(padding)

    q, k, v = [by_head(x, batch, num_heads, width, hint) for x in (q, k, v)]
    if add_zero_attn:
        sizes = (batch * num_heads, 1, named(k.shape[2]))
        k = torch.cat([k, torch.zeros(sizes, dtype=k.dtype)], 1)
        v = torch.cat([v, torch.zeros(sizes, dtype=k.dtype)], 1)
        mask, padding = widened(mask), widened(padding)

    key_len = k.shape[1]
    if padding is not None:
        if tuple(padding.shape) != (batch, key_len):
            hint = (say("mistake.padding.square") if padding.shape == (key_len, key_len)
                    else say("mistake.padding.turned") if padding.shape == (key_len, batch) else '')
            fail('assertion', f'expecting key_padding_mask shape of {(batch, key_len)}, but got {padding.shape}', hint)
        hidden = padding.view((batch, 1, 1, key_len)).expand((-1, named(num_heads, 'head'), -1, -1))
        hidden = hidden.reshape((batch * num_heads, 1, key_len))
        if mask is None:
            mask = hidden
        elif mask.dtype == torch.bool:
            mask = torch.logical_or(mask, hidden)
        else:
            mask = mask.masked_fill(hidden, -math.inf)
    if mask is not None and mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=q.dtype).masked_fill(mask, -math.inf)

    scores = bmm(q / math.sqrt(q.shape[2]), k.transpose(-2, -1))
    if mask is not None:
        scores = mask + scores
    weights = F.softmax(scores, -1)
    if dropout > 0:
        weights = F.dropout(weights, dropout)
    output = bmm(weights, v).transpose(0, 1).contiguous().view((query_len * batch, width))
    output = linear(output, out_proj_weight, out_proj_bias).view((query_len, batch, width))
    if not is_batched:
        output = output.squeeze(1)
    if not need_weights:
        return output, None

    weights = weights.view((batch, named(num_heads, 'head'), query_len, key_len))
    if average_attn_weights:
        weights = weights.sum(1) / num_heads
    return output, weights if is_batched else weights.squeeze(0)


def batch_second(query, key, value):
    """What was one tensor stays one."""
    q = transpose(query, 1, 0)
    k = q if key is query else transpose(key, 1, 0)
    v = k if value is key else transpose(value, 1, 0)
    return q, k, v


def check_padding(mask):
    if mask is not None and mask.dim() >= 0 and mask.dtype != torch.bool and not mask.is_floating_point():
        fail('assertion', 'only bool and floating types of key_padding_mask are supported')


class MultiheadAttention:
    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True):
        moves = query.dim() == 3 and self.batch_first
        check_padding(key_padding_mask)
        if moves:
            query, key, value = batch_second(query, key, value)
        weights = [self.in_proj_weight]
        if not self._qkv_same_embed_dim:
            weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        output, weights = as_op(
            'multi_head_attention', query=query, key=key, value=value, embed_dim=self.embed_dim,
            num_heads=self.num_heads, in_proj=weights, in_proj_bias=self.in_proj_bias, bias_k=self.bias_k,
            bias_v=self.bias_v, add_zero_attn=self.add_zero_attn, dropout=self.dropout if self.training else 0.0,
            out_proj_weight=self.out_proj.weight, out_proj_bias=self.out_proj.bias, key_padding_mask=key_padding_mask,
            need_weights=bool(need_weights), attn_mask=attn_mask, average_attn_weights=bool(average_attn_weights))
        return transpose(output, 1, 0) if moves else output, weights


def multi_head_attention_forward(
        query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
        dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True,
        attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None,
        static_k=None, static_v=None, average_attn_weights=True):
    if static_k is not None or static_v is not None:
        refuse("unsupported.name", 'name', 'static_k, static_v')
    check_padding(key_padding_mask)
    weights = [q_proj_weight, k_proj_weight, v_proj_weight] if use_separate_proj_weight else [in_proj_weight]
    return as_op('multi_head_attention', query=query, key=key, value=value, embed_dim=embed_dim_to_check,
                 num_heads=num_heads, in_proj=weights, in_proj_bias=in_proj_bias, bias_k=bias_k, bias_v=bias_v,
                 add_zero_attn=add_zero_attn, dropout=dropout_p if training else 0.0, out_proj_weight=out_proj_weight,
                 out_proj_bias=out_proj_bias, key_padding_mask=key_padding_mask, need_weights=bool(need_weights),
                 attn_mask=attn_mask, average_attn_weights=bool(average_attn_weights))
