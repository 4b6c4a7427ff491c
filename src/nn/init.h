#pragma once
// The parameters that PyTorch's layers start with: same shapes, same numbers, the draws taken in the same order.
// What a layer computes with them is not here.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensor/random.h"
#include "tensor/tensor.h"

namespace attn {

/// nn.Linear: weight, then bias, uniform in +-1/sqrt(in).
struct LinearParameters {
  Tensor weight;  // (out, in)
  Tensor bias;    // (out); undefined when there is none
};
LinearParameters init_linear(std::int64_t in, std::int64_t out, bool bias, Generator& generator);

/// nn.Embedding: standard normal; the padding row is drawn too, then zeroed.
///   Errors: AssertionError when padding_idx is not in [-rows, rows).
struct EmbeddingParameters {
  Tensor weight;  // (rows, width)
};
EmbeddingParameters init_embedding(std::int64_t rows, std::int64_t width, std::optional<std::int64_t> padding_idx,
                                   Generator& generator);

/// nn.LayerNorm: draws nothing.
struct LayerNormParameters {
  Tensor weight;  // ones of `shape`
  Tensor bias;    // zeros of `shape`
};
LayerNormParameters init_layer_norm(const Shape& shape);

/// nn.GRU: one entry per layer and direction (forward first), all uniform in +-1/sqrt(hidden). The three gates lie one
/// after the other: reset, update, new.
struct GruCellParameters {
  std::string suffix;  // "l0", "l0_reverse", "l1": "weight_ih_" + suffix is PyTorch's name
  Tensor weight_ih;    // (3 hidden, input); above layer 0 the input is hidden * directions wide
  Tensor weight_hh;    // (3 hidden, hidden)
  Tensor bias_ih;      // (3 hidden); undefined when there is none
  Tensor bias_hh;
};
struct GruOptions {
  std::int64_t num_layers = 1;
  bool bias = true;
  bool bidirectional = false;
};
///   Errors: ValueError when hidden < 1 (PyTorch's text speaks of proj_size), IndexError when num_layers < 1.
std::vector<GruCellParameters> init_gru(std::int64_t input, std::int64_t hidden, const GruOptions& options,
                                        Generator& generator);

}  // namespace attn
