"""Attention with nothing but functions: no class, no state, weights in a dictionary."""
import math

import torch
import torch.nn.functional as F


def init_params(d_model, n_heads, d_ff, scale=0.1):
    shapes = {
        "wq": (d_model, d_model), "wk": (d_model, d_model), "wv": (d_model, d_model), "wo": (d_model, d_model),
        "w1": (d_model, d_ff), "b1": (d_ff,), "w2": (d_ff, d_model), "b2": (d_model,),
    }
    return {name: scale * torch.randn(*shape) if len(shape) > 1 else torch.zeros(shape) for name, shape in shapes.items()}


def split_heads(x, n_heads):
    *lead, seq, dim = x.shape
    return x.reshape(*lead, seq, n_heads, dim // n_heads).transpose(-2, -3)


def merge_heads(x):
    x = x.transpose(-2, -3)
    return x.flatten(start_dim=-2)


def attention(q, k, v, mask=None, *, scale=None):
    scale = scale or 1 / math.sqrt(q.shape[-1])
    logits = scale * (q @ k.transpose(-1, -2))
    if mask is not None:
        logits = torch.where(mask, logits, torch.full_like(logits, torch.finfo(logits.dtype).min))
    weights = torch.softmax(logits, -1)
    return weights @ v, weights


def layer(params, x, n_heads, mask=None):
    h = F.layer_norm(x, x.shape[-1:])
    q, k, v = (split_heads(h @ params[w], n_heads) for w in ("wq", "wk", "wv"))
    mixed, weights = attention(q, k, v, mask)
    x = x + merge_heads(mixed) @ params["wo"]
    h = F.layer_norm(x, x.shape[-1:])
    h = F.gelu(F.linear(h, params["w1"].T, params["b1"]))
    return x + F.linear(h, params["w2"].T, params["b2"]), weights


def lengths_to_mask(lengths, max_len=None):
    max_len = max_len or int(lengths.max())
    return torch.arange(max_len)[None] < lengths[:, None]


def main():
    torch.manual_seed(17)
    n_layers, d_model, n_heads = 2, 12, 3
    stack = [init_params(d_model, n_heads, 2 * d_model) for _ in range(n_layers)]
    print("parameters:", sum(p.numel() for params in stack for p in params.values()))

    x = torch.randn(2, 5, d_model)
    lengths = torch.tensor([5, 3])
    mask = lengths_to_mask(lengths)
    print("mask", mask, sep="\n")

    for number, params in enumerate(stack, start=1):
        x, weights = layer(params, x, n_heads, mask[:, None, None, :])
        print("layer {}: x {}, weights {}, |x| = {:.4f}".format(number, tuple(x.shape), tuple(weights.shape), x.norm()))
    print(weights[1, 0])
    top = weights.mean(1).topk(2, dim=-1)
    print(top.indices[1])
    print(top.values[0])

    # one sentence without a batch axis goes through the same functions
    single, _ = layer(stack[0], torch.ones(4, d_model).cumsum(0), n_heads)
    print(single.shape, single[0, :4])
    try:
        layer(stack[0], torch.ones(4, d_model + 1), n_heads)
    except RuntimeError as error:
        print("RuntimeError:", error)


if __name__ == "__main__":
    main()
