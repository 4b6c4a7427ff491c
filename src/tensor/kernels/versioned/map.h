#pragma once
// Functions of one number at this level: see kernels.h. Each is computed in double and rounded once.
#include <cmath>
#include <cstdint>
#include <numbers>

#include "tensor/kernels/level_namespace.h"
#include "tensor/ops/math_functions.h"

namespace attn::ATTN_LEVEL {

struct Log {
  static double of(double v) { return math::log(v); }
};
struct Tanh {
  static double of(double v) { return math::tanh(v); }
};
struct Sigmoid {
  static double of(double v) { return math::sigmoid(v); }
};
/// PyTorch keeps exp(-x) and 1 + exp(-x) in float32: infinite below -88.7, which gives 0, and 1 above 16.7.
struct SigmoidOfFloat {
  static double of(double v) {
    const double power = math::exp(-v);
    return power > 0x1.fffffep127 ? 0.0 : 1.0F / (1.0F + static_cast<float>(power));
  }
};
struct Erf {
  static double of(double v) { return math::erf(v); }
};
struct Gelu {
  static double of(double v) { return v * 0.5 * (1.0 + math::erf(v * (std::numbers::sqrt2 / 2))); }
};
struct GeluTanh {
  static double of(double v) {
    constexpr double kBeta = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // sqrt(2 / pi)
    return 0.5 * v * (1.0 + math::tanh(kBeta * (v + 0.044715 * v * v * v)));
  }
};
struct Silu {
  static double of(double v) { return v / (1.0 + math::exp(-v)); }
};

template <class Function, class T>
void map(const T* x, T* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(Function::of(static_cast<double>(x[i])));
}

inline void exponentials(const float* x, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = math::exp_of_float(x[i]);
}
inline void exponentials(const double* x, double* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = math::exp(x[i]);
}

}  // namespace attn::ATTN_LEVEL
