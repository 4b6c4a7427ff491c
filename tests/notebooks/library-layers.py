#!/usr/bin/env python3
# What do the layers of the library compute? Every one of them is checked against a few lines of our own.
import torch
from torch import nn, Tensor
import torch.nn.functional as F
from typing import Dict, List


def by_hand(mha: nn.MultiheadAttention, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    E, H = mha.embed_dim, mha.num_heads
    w_q, w_k, w_v = mha.in_proj_weight.split(E)
    b_q, b_k, b_v = mha.in_proj_bias.chunk(3)
    heads: List[Tensor] = []
    size = E // H
    q, k, v = F.linear(query, w_q, b_q), F.linear(key, w_k, b_k), F.linear(value, w_v, b_v)
    for i in range(H):
        a, b = i * size, (i + 1) * size
        p = F.softmax(q[..., a:b] @ k[..., a:b].transpose(1, 2) / size**0.5, dim=-1)
        heads.append(p @ v[..., a:b])
    return mha.out_proj(torch.cat(heads, dim=-1))


torch.manual_seed(6)
mha = nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
query, memory = torch.randn(2, 3, 8), torch.randn(2, 4, 8)
output, weights = mha(query, memory, memory)
print(mha)
print(output.shape, weights.shape)
print(weights)
print("same by hand:", torch.allclose(output, by_hand(mha, query, memory, memory), atol=1e-6))

output, weights = mha(query, memory, memory, average_attn_weights=False)
print("per head:", weights.shape)

padding = torch.tensor([[False, False, False, True], [False, False, False, False]])
output, weights = mha(query, memory, memory, key_padding_mask=padding)
print(weights[0])

causal = torch.full((3, 3), float("-inf")).triu(1)
print(causal)
output, weights = mha(query, query, query, attn_mask=causal)
print(weights[1])
print(output[1, 0])

# a whole encoder layer
layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, dropout=0.0, batch_first=True)
x = torch.randn(2, 3, 8)
y = layer(x)
a = layer.self_attn(x, x, x, need_weights=False)[0]
z = layer.norm1(x + a)
z = layer.norm2(z + layer.linear2(F.relu(layer.linear1(z))))
print("encoder layer:", torch.allclose(y, z, atol=1e-5), y[0, 0].tolist()[0] > -10)
print(layer)

encoder = nn.TransformerEncoder(layer, num_layers=2)
print(encoder(x)[1])
count: Dict[str, int] = {}
for name, p in encoder.named_parameters():
    kind = name.split(".")[-1]
    count[kind] = count.get(kind, 0) + p.numel()
print(count)
for kind, n in sorted(count.items(), key=lambda item: -item[1]):
    print(f"{kind:>15}: {n:>5} {'#' * (n // 50)}")
