#include "nn/init.h"

#include <cmath>

#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/layout.h"
#include "tensor/pointwise.h"

namespace attn {
namespace {

Tensor symmetric_uniform(const Shape& shape, double bound, Generator& generator) {
  Tensor result = Tensor::empty(shape, DType::Float32);
  uniform_(result, -bound, bound, generator);
  return result;
}

// kaiming_uniform_(a = sqrt(5)), which is 1/sqrt(fan_in) but for the roundings of its detour.
double kaiming_bound(std::int64_t fan_in) {
  const double slope = std::sqrt(5.0);
  const double gain = std::sqrt(2.0 / (1.0 + slope * slope));
  return std::sqrt(3.0) * (gain / std::sqrt(static_cast<double>(fan_in)));
}

double inverse_root(std::int64_t n) { return n > 0 ? 1.0 / std::sqrt(static_cast<double>(n)) : 0.0; }

GruCellParameters init_gru_cell(std::string suffix, std::int64_t input, std::int64_t hidden, bool bias,
                                Generator& generator) {
  const double bound = inverse_root(hidden);
  GruCellParameters cell{std::move(suffix), {}, {}, {}, {}};
  cell.weight_ih = symmetric_uniform({3 * hidden, input}, bound, generator);
  cell.weight_hh = symmetric_uniform({3 * hidden, hidden}, bound, generator);
  if (!bias) return cell;
  cell.bias_ih = symmetric_uniform({3 * hidden}, bound, generator);
  cell.bias_hh = symmetric_uniform({3 * hidden}, bound, generator);
  return cell;
}

}  // namespace

LinearParameters init_linear(std::int64_t in, std::int64_t out, bool bias, Generator& generator) {
  LinearParameters result;
  result.weight = Tensor::empty({out, in}, DType::Float32);
  if (result.weight.numel() > 0) {
    const double bound = kaiming_bound(in);
    uniform_(result.weight, -bound, bound, generator);
  }
  if (bias) result.bias = symmetric_uniform({out}, inverse_root(in), generator);
  return result;
}

EmbeddingParameters init_embedding(std::int64_t rows, std::int64_t width, std::optional<std::int64_t> padding_idx,
                                   Generator& generator) {
  if (padding_idx && (*padding_idx < -rows || *padding_idx >= rows))
    throw TensorError("embedding.padding", Code::Assertion, "AssertionError",
                      "Padding_idx must be within num_embeddings", {{"padding_idx", *padding_idx}, {"rows", rows}});
  EmbeddingParameters result{randn({rows, width}, generator)};
  if (!padding_idx) return result;
  Tensor row = select(result.weight, 0, *padding_idx);
  assign(row, Tensor::scalar(0.0F));
  return result;
}

LayerNormParameters init_layer_norm(const Shape& shape) { return {ones(shape), zeros(shape)}; }

std::vector<GruCellParameters> init_gru(std::int64_t input, std::int64_t hidden, const GruOptions& options,
                                        Generator& generator) {
  if (hidden < 1)
    throw TensorError("gru.hidden", Code::Value, "ValueError", "proj_size has to be smaller than hidden_size",
                      {{"hidden", hidden}});
  if (options.num_layers < 1)
    throw TensorError("gru.layers", Code::Index, "IndexError", "list index out of range",
                      {{"num_layers", options.num_layers}});
  std::vector<GruCellParameters> cells;
  for (std::int64_t layer = 0; layer < options.num_layers; ++layer) {
    const std::string suffix = "l" + std::to_string(layer);
    const std::int64_t width = layer == 0 ? input : hidden * (options.bidirectional ? 2 : 1);
    cells.push_back(init_gru_cell(suffix, width, hidden, options.bias, generator));
    if (options.bidirectional)
      cells.push_back(init_gru_cell(suffix + "_reverse", width, hidden, options.bias, generator));
  }
  return cells;
}

}  // namespace attn
