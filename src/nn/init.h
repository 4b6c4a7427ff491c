#pragma once
// The parameters that PyTorch's layers start with: same shapes, same numbers, the draws taken in the same order.
// What a layer computes with them is not here.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tensor/core/tensor.h"
#include "tensor/ops/random.h"

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

/// nn.Conv1d, nn.Conv2d: weight, then bias, uniform in +-1/sqrt(inputs of one output number).
struct ConvParameters {
  Tensor weight;  // (out, in / groups, kernel...)
  Tensor bias;    // (out); undefined when there is none
};
ConvParameters init_conv(const Shape& weight_shape, bool bias, Generator& generator);

/// nn.RNN, GRU, LSTM: one entry per layer and direction (forward first), all uniform in +-1/sqrt(hidden). The gates lie
/// one after the other: reset, update, new for GRU; in, forget, cell, out for LSTM.
struct RecurrentCellParameters {
  std::string suffix;  // "l0", "l0_reverse", "l1": "weight_ih_" + suffix is PyTorch's name
  Tensor weight_ih;    // (gates * hidden, input); above layer 0 the input is hidden * directions wide
  Tensor weight_hh;    // (gates * hidden, hidden)
  Tensor bias_ih;      // (gates * hidden); undefined when there is none
  Tensor bias_hh;
};
struct RecurrentOptions {
  std::int64_t num_layers = 1;
  bool bias = true;
  bool bidirectional = false;
};
/// `take` gets them one after the other.
///   Errors: ValueError when hidden < 1 (PyTorch's text speaks of proj_size), IndexError when num_layers < 1.
void init_recurrent(std::int64_t gates, std::int64_t input, std::int64_t hidden, const RecurrentOptions& options,
                    Generator& generator, const std::function<void(const RecurrentCellParameters& cell)>& take);
RecurrentCellParameters init_recurrent_cell(std::string suffix, std::int64_t gates, std::int64_t input,
                                            std::int64_t hidden, bool bias, Generator& generator);

// ---- torch.nn.init ----

/// How many numbers go into, and come out of, one unit of the layer.
struct Fans {
  double in, out;
};
///   Errors: ValueError for fewer than 2 dimensions.
Fans fans_of(const Tensor& x);

/// Uniform or normal draws with variance gain^2 * 2 / (inputs + outputs).
void xavier_uniform_(Tensor& x, Generator& generator, double gain = 1);
void xavier_normal_(Tensor& x, Generator& generator, double gain = 1);

/// How much an activation shrinks what goes through it: the factor by which initial weights make up for it.
///   Errors: ValueError "Unsupported nonlinearity foo".
double gain_of(const std::string& nonlinearity, double negative_slope = 0.01);

/// Normal draws, none outside of [low, high]: uniform ones between the chances of the two ends, taken back through the
/// inverse of the normal distribution.
void trunc_normal_(Tensor& x, double mean, double std, double low, double high, Generator& generator);

/// Rows that are orthogonal and of length `gain`, or columns where there are fewer of these; what follows the first
/// axis counts as one.
void orthogonal_(Tensor& x, double gain, Generator& generator);

void fill_zeros(Tensor& x);

}  // namespace attn
