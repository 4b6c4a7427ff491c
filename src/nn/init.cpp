#include "nn/init.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/limits.h"
#include "tensor/core/error.h"
#include "tensor/core/read.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/math_derived.h"
#include "tensor/ops/pointwise.h"

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

ConvParameters init_conv(const Shape& weight_shape, bool bias, Generator& generator) {
  ConvParameters result;
  result.weight = Tensor::empty(weight_shape, DType::Float32);
  const auto fan_in = static_cast<std::int64_t>(fans_of(result.weight).in);
  if (result.weight.numel() > 0) {
    const double bound = kaiming_bound(fan_in);
    uniform_(result.weight, -bound, bound, generator);
  }
  if (!bias) return result;
  // Without inputs PyTorch draws no bias: it is what stood in the memory. Here it is 0.
  result.bias = fan_in > 0 ? symmetric_uniform({weight_shape[0]}, inverse_root(fan_in), generator)
                           : zeros({weight_shape[0]}, DType::Float32);
  return result;
}

RecurrentCellParameters init_recurrent_cell(std::string suffix, std::int64_t gates, std::int64_t input,
                                            std::int64_t hidden, bool bias, Generator& generator) {
  const double bound = inverse_root(hidden);
  RecurrentCellParameters cell{std::move(suffix), {}, {}, {}, {}};
  cell.weight_ih = symmetric_uniform({gates * hidden, input}, bound, generator);
  cell.weight_hh = symmetric_uniform({gates * hidden, hidden}, bound, generator);
  if (!bias) return cell;
  cell.bias_ih = symmetric_uniform({gates * hidden}, bound, generator);
  cell.bias_hh = symmetric_uniform({gates * hidden}, bound, generator);
  return cell;
}

void init_recurrent(std::int64_t gates, std::int64_t input, std::int64_t hidden, const RecurrentOptions& options,
                    Generator& generator, const std::function<void(const RecurrentCellParameters& cell)>& take) {
  if (hidden < 1)
    throw TensorError("gru.hidden", Code::Value, "ValueError", "proj_size has to be smaller than hidden_size",
                      {{"hidden", hidden}});
  if (options.num_layers < 1)
    throw TensorError("gru.layers", Code::Index, "IndexError", "list index out of range",
                      {{"num_layers", options.num_layers}});
  for (std::int64_t layer = 0; layer < options.num_layers; ++layer) {
    const std::string suffix = "l" + std::to_string(layer);
    const std::int64_t width = layer == 0 ? input : hidden * (options.bidirectional ? 2 : 1);
    take(init_recurrent_cell(suffix, gates, width, hidden, options.bias, generator));
    if (options.bidirectional)
      take(init_recurrent_cell(suffix + "_reverse", gates, width, hidden, options.bias, generator));
  }
}

// ---- torch.nn.init ----

Fans fans_of(const Tensor& x) {
  if (x.dim() < 2) {
    throw TensorError("fan", Code::Value, "ValueError",
                      "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  }
  double field = 1;
  for (std::int64_t i = 2; i < x.dim(); ++i) field *= static_cast<double>(x.size(i));
  return {static_cast<double>(x.size(1)) * field, static_cast<double>(x.size(0)) * field};
}

namespace {

double xavier_std(const Tensor& x, double gain) {
  const Fans fans = fans_of(x);
  if (fans.in + fans.out == 0)
    throw TensorError("fan.zero", Code::ZeroDivision, "ZeroDivisionError", "float division by zero");
  return gain * std::sqrt(2.0 / (fans.in + fans.out));
}

}  // namespace

void xavier_uniform_(Tensor& x, Generator& generator, double gain) {
  const double bound = std::sqrt(3.0) * xavier_std(x, gain);
  uniform_(x, -bound, bound, generator);
}

void xavier_normal_(Tensor& x, Generator& generator, double gain) { normal_(x, 0, xavier_std(x, gain), generator); }

double gain_of(const std::string& nonlinearity, double negative_slope) {
  static constexpr std::pair<std::string_view, double> kGains[] = {
      {"linear", 1},           {"conv1d", 1},           {"conv2d", 1},  {"conv3d", 1},     {"conv_transpose1d", 1},
      {"conv_transpose2d", 1}, {"conv_transpose3d", 1}, {"sigmoid", 1}, {"tanh", 5.0 / 3}, {"selu", 3.0 / 4}};
  if (nonlinearity == "relu") return std::sqrt(2.0);
  if (nonlinearity == "leaky_relu") return std::sqrt(2.0 / (1 + negative_slope * negative_slope));
  for (const auto& [name, gain] : kGains) {
    if (name == nonlinearity) return gain;
  }
  throw TensorError("nonlinearity", Code::Value, "ValueError", "Unsupported nonlinearity " + nonlinearity);
}

namespace {

double normal_chance(double x) { return (1.0 + math::erf(x / std::sqrt(2.0))) / 2.0; }

template <class T>
void to_truncated_normal(Tensor& x, double mean, double std, double low, double high) {
  Tensor flat = contiguous(x);
  T* element = flat.mutable_data<T>();
  const T factor = static_cast<T>(std * std::sqrt(2.0));
  for (std::int64_t i = 0; i < flat.numel(); ++i, ++element) {
    charge(8);
    const T moved = math::inverse_erf(*element) * factor + static_cast<T>(mean);
    *element = std::min(std::max(moved, static_cast<T>(low)), static_cast<T>(high));
  }
  assign(x, flat);
}

}  // namespace

void trunc_normal_(Tensor& x, double mean, double std, double low, double high, Generator& generator) {
  const double from = normal_chance((low - mean) / std), to = normal_chance((high - mean) / std);
  uniform_(x, 2 * from - 1, 2 * to - 1, generator);
  if (x.dtype() == DType::Float64) to_truncated_normal<double>(x, mean, std, low, high);
  else to_truncated_normal<float>(x, mean, std, low, high);
}

// The vectors along the longer side, each made orthogonal to those before it, twice: once leaves an error of rounding.
void orthogonal_(Tensor& x, double gain, Generator& generator) {
  const std::int64_t rows = x.size(0), columns = x.numel() / rows, count = std::min(rows, columns);
  Tensor drawn = Tensor::empty({rows, columns}, x.dtype());
  normal_(drawn, 0, 1, generator);
  charge(4 * count * drawn.numel());
  const bool are_rows = rows < columns;
  const std::vector<double> numbers = to_doubles(are_rows ? drawn : transpose(drawn, 0, 1));
  const auto length = static_cast<std::size_t>(std::max(rows, columns));
  std::vector<double> found(static_cast<std::size_t>(count) * length);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    double* const own = &found[i * length];
    std::copy_n(&numbers[i * length], length, own);
    for (std::size_t other = 0; other < 2 * i; ++other) {
      look();
      const double* const before = &found[other % i * length];
      const double share = std::inner_product(own, own + length, before, 0.0);
      for (std::size_t k = 0; k < length; ++k) own[k] -= share * before[k];
    }
    const double size = std::sqrt(std::inner_product(own, own + length, own, 0.0));
    for (std::size_t k = 0; k < length; ++k) own[k] /= size;
  }
  for (double& number : found) number *= gain;
  const Tensor made = Tensor::from(found, {count, static_cast<std::int64_t>(length)});
  assign(x, to(reshape(are_rows ? made : transpose(made, 0, 1), x.shape()), x.dtype()));
}

void fill_zeros(Tensor& x) { assign(x, full({}, Scalar(0.0), x.dtype())); }

}  // namespace attn
