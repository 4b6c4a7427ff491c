#include "tensor/ops/activations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tensor/ops/map_elements.h"
#include "tensor/ops/math_derived.h"

namespace attn {
namespace {

// Each step rounds to the element's type.
template <class T>
T six_at_most(T x) {
  return std::isnan(x) ? x : std::min(std::max(x + T{3}, T{0}), T{6});
}

template <class F>
Tensor map_floats(const Tensor& x, const char* kernel, F f) {
  if (!is_floating(x.dtype())) throw_not_implemented(kernel, x.dtype());
  return map_as_floats(x, f);
}

double soft_plus(double x) { return x > 40.0 ? x : math::log1p(math::exp(x)); }

}  // namespace

Tensor gelu(const Tensor& x) {
  if (x.dtype() == DType::Float32 && (!x.is_contiguous() || x.numel() == 1))  // PyTorch computes that itself
    return map_as_floats(x, [](auto v) {
      const auto f = static_cast<float>(v);
      const double inner = f * static_cast<float>(std::numbers::sqrt2 / 2);
      return static_cast<decltype(v)>(f * 0.5F * (1.0F + static_cast<float>(math::erf(inner))));
    });
  return map_floats_by_kernel(x, "GeluKernelImpl", [](const auto& k) { return k.gelu; });
}

Tensor gelu_slope(const Tensor& x) {
  return map_floats_by_kernel(x, "GeluBackwardKernelImpl", [](const auto& k) { return k.gelu_slope; });
}

Tensor gelu_tanh(const Tensor& x) {
  return map_floats_by_kernel(x, "GeluKernelImpl", [](const auto& k) { return k.gelu_tanh; });
}

Tensor silu(const Tensor& x) {
  return map_floats_by_kernel(x, "silu_cpu", [](const auto& k) { return k.silu; });
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
  if (x.dtype() == DType::Float32) {  // PyTorch loses digits of small numbers in exp(v) - 1
    const auto below = static_cast<float>(alpha) * static_cast<float>(scale), above = static_cast<float>(scale);
    return map_as_floats(x, [=, inner = static_cast<float>(input_scale)](auto v) {
      const auto f = static_cast<float>(v);
      return static_cast<decltype(v)>(f <= 0.0F ? (math::exp_of_float(f * inner) - 1.0F) * below : f * above);
    });
  }
  return map_floats_only(x, "elu_cpu", [=](double v) {
    // PyTorch's exp(v) - 1 has no -0.
    return v <= 0.0 ? (math::expm1(v * input_scale) + 0.0) * (alpha * scale) : v * scale;
  });
}

Tensor leaky_relu(const Tensor& x, double negative_slope) {
  const double slope = x.dtype() == DType::Float64 ? negative_slope : static_cast<float>(negative_slope);
  return map_floats_only(x, "leaky_relu_cpu", [=](double v) { return v > 0.0 ? v : v * slope; });
}

Tensor hardsigmoid(const Tensor& x) {
  return map_floats(x, "hardsigmoid_cpu", []<class T>(T v) { return six_at_most(v) / T{6}; });
}

Tensor hardswish(const Tensor& x) {
  return map_floats(x, "hardswish_cpu", []<class T>(T v) { return v * six_at_most(v) / T{6}; });
}

Tensor hardshrink(const Tensor& x, double lambd) {
  return map_floats(x, "hardshrink_cpu", [=]<class T>(T v) {
    const T edge = static_cast<T>(lambd);
    return v >= -edge && v <= edge ? T{0} : v;
  });
}

Tensor softshrink(const Tensor& x, double lambd) {
  return map_floats(x, "softshrink_cpu", [=]<class T>(T v) {
    const T edge = static_cast<T>(lambd);
    return v > edge ? v - edge : v < -edge ? v + edge : T{0};
  });
}

}  // namespace attn
