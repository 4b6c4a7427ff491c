#include "tensor/activations.h"

#include <cmath>
#include <numbers>

#include "tensor/map_elements.h"
#include "tensor/math_derived.h"

namespace attn {
namespace {

double soft_plus(double x) { return x > 40.0 ? x : math::log1p(math::exp(x)); }

}  // namespace

Tensor gelu(const Tensor& x) {
  return map_floats_only(x, "GeluKernelImpl",
                         [](double v) { return v * 0.5 * (1.0 + math::erf(v * (std::numbers::sqrt2 / 2))); });
}

Tensor gelu_tanh(const Tensor& x) {
  constexpr double kBeta = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // sqrt(2 / pi)
  return map_floats_only(x, "GeluKernelImpl",
                         [](double v) { return 0.5 * v * (1.0 + math::tanh(kBeta * (v + 0.044715 * v * v * v))); });
}

Tensor silu(const Tensor& x) {
  return map_floats_only(x, "silu_cpu", [](double v) { return v / (1.0 + math::exp(-v)); });
}

Tensor mish(const Tensor& x) {
  return map_floats_only(x, "mish_cpu", [](double v) { return v * math::tanh(soft_plus(v)); });
}

Tensor log_sigmoid(const Tensor& x) {
  return map_floats_only(x, "log_sigmoid_cpu",
                         [](double v) { return (v < 0.0 ? v : 0.0) - math::log1p(math::exp(-std::fabs(v))); });
}

Tensor softplus(const Tensor& x, double beta, double threshold) {
  return map_floats_only(x, "softplus_cpu",
                         [=](double v) { return v * beta > threshold ? v : math::log1p(math::exp(v * beta)) / beta; });
}

Tensor elu(const Tensor& x, double alpha, double scale, double input_scale) {
  return map_floats_only(
      x, "elu_cpu", [=](double v) { return v <= 0.0 ? math::expm1(v * input_scale) * (alpha * scale) : v * scale; });
}

Tensor leaky_relu(const Tensor& x, double negative_slope) {
  return map_floats_only(x, "leaky_relu_cpu", [=](double v) { return v > 0.0 ? v : v * negative_slope; });
}

}  // namespace attn
